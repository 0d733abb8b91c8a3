package failure

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// blame returns the classification that the call's arguments prove, or nil if [toolerr.From]'s
// guess stands. An error that names something is the caller's fault if the name is in the
// arguments, otherwise the tool's. Typed means that a type or an author classifies the error, or
// that it names something.
func (c *Classifier) blame(e *toolerr.Error, err error) (found *blamed, typed bool) {
	if !e.Is(classify.ErrGuessed) {
		return nil, true
	}
	if slices.Contains(constantTypes[:2], reflect.TypeOf(err)) { // a text alone names nothing
		return nil, e.Code != toolerr.CodeInternal
	}
	asked, own, arguments := false, false, c.Arguments
	if arguments == nil {
		arguments = evidence.New(nil)
	}
	named := map[string]blamed{} // by field
	by, author := classify.Error(err, stated, func(chain []error, verdict string) (string, classify.Fault) {
		asked = true
		if e.Field != "" { // the author blames it
			return e.Field, classify.Callers
		}
		at, fault := arguments.Blame(chain, verdict)
		if own = own || fault == classify.Own; fault == classify.Callers {
			named[at.Field] = blamed{name: at.Name, verdict: verdict}
		}
		return at.Field, fault
	})
	guess, _ := classify.Error(err, stated, nil)
	typed = e.Code != toolerr.CodeInternal || own || !guess.IsUnexpected()
	if author != nil || !asked || guess == by || guess.Category != string(e.Category) || guess.Code != string(e.Code) {
		return nil, typed // in the last two cases an author has set the fields
	}
	if !e.Is(classify.ErrGuessedEffect) || guess.Effect != string(e.Effect) {
		by.Effect = string(e.Effect)
	}
	b := named[by.Field]
	b.Classification = by
	return &b, true
}

// A blamed is the classification that the call's arguments prove.
type blamed struct {
	classify.Classification

	name    string // what the error names in the argument, or ""
	verdict string // of the service, if the argument holds a statement
}

// stated implements [classify.Known]: it returns an author's classification.
func stated(err error) (classify.Classification, error) {
	e, ok := err.(*toolerr.Error) //nolint:errorlint // one link of the chain
	if !ok || e == nil || e.Is(classify.ErrGuessed) {
		return classify.Classification{}, nil
	}
	return classify.Classification{
		Category: string(e.Category), Code: string(e.Code), Retryable: e.Retryable, Effect: string(e.Effect),
	}, e
}

// sentence returns the message for a classification. It names the argument at fault, if known.
func (b *blamed) sentence() string {
	if b.Field == "" {
		return hint.Sentence(b.Code)
	}
	text := fmt.Sprintf(sentences[toolerr.Code(b.Code)], sanitize.Name(b.Field))
	if b.name != "" {
		text = strings.TrimSuffix(text, ".") + ": see " + sanitize.Quote(b.name, maxQuoted) + "."
	}
	return text
}

// maxQuoted is how much of an argument a message quotes, in bytes.
const maxQuoted = 64

// sentences has all codes of errors that are the caller's fault if they name an argument.
var sentences = map[toolerr.Code]string{
	toolerr.CodeNotFound:         "What the argument %s names does not exist.",
	toolerr.CodeInvalidArgument:  "The argument %s is malformed or not allowed.",
	toolerr.CodeOutOfRange:       "The argument %s is out of range.",
	toolerr.CodePermissionDenied: "Access to what the argument %s names is denied.",
	toolerr.CodeUnauthenticated:  "What the argument %s names could not prove that it is genuine.",
}
