package failure

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// withEvidence is [toolerr.From] with the call's arguments: an error that names something is the
// caller's fault if the name is in the arguments, otherwise the tool's. It only changes
// properties that From has guessed. Typed reports whether a type or an author classifies the
// error; an error that names something is classified also if it is the tool's.
func (c *Classifier) withEvidence(err error) (e *toolerr.Error, typed bool) {
	if e = toolerr.From(err); e == nil || !e.Is(classify.ErrGuessed) {
		return e, true
	}
	if slices.Contains(constantTypes[:2], reflect.TypeOf(err)) { // a text alone names nothing
		return e, e.Code != toolerr.CodeInternal
	}
	asked, own, arguments := false, false, c.Arguments
	if arguments == nil {
		arguments = evidence.New(nil)
	}
	blamed, author := classify.Error(err, stated, func(chain []error) (string, classify.Fault) {
		asked = true
		if e.Field != "" { // the author blames it
			return e.Field, classify.Callers
		}
		field, fault := arguments.Blame(chain)
		own = own || fault == classify.Own
		return field, fault
	})
	typed = e.Code != toolerr.CodeInternal || own
	if author != nil || !asked {
		return e, typed
	}
	guess, _ := classify.Error(err, stated, nil)
	if guess == blamed || guess.Category != string(e.Category) || guess.Code != string(e.Code) {
		return e, typed // in the last two cases an author has set the fields
	}
	x := *e.WithRetryable(blamed.Retryable)
	x.Category, x.Code = toolerr.Category(blamed.Category), toolerr.Code(blamed.Code)
	if e.Is(classify.ErrGuessedEffect) && guess.Effect == string(e.Effect) {
		x.Effect = toolerr.Effect(blamed.Effect)
	}
	if x.Field == "" {
		x.Field = blamed.Field
	}
	if e.Message == hint.Sentence(guess.Code) {
		x.Message = sentence(blamed)
	}
	return &x, true
}

// stated is the [classify.Known] for errors that an author has classified.
func stated(err error) (classify.Classification, error) {
	e, ok := err.(*toolerr.Error) //nolint:errorlint // one link of the chain
	if !ok || e == nil || e.Is(classify.ErrGuessed) {
		return classify.Classification{}, nil
	}
	return classify.Classification{
		Category: string(e.Category), Code: string(e.Code), Retryable: e.Retryable, Effect: string(e.Effect),
	}, e
}

// sentence returns the message of a failure, which includes the argument that it is about,
// if known.
func sentence(c classify.Classification) string {
	text, ok := sentences[toolerr.Code(c.Code)]
	if !ok || c.Field == "" {
		return hint.Sentence(c.Code)
	}
	return fmt.Sprintf(text, sanitize.Name(c.Field))
}

var sentences = map[toolerr.Code]string{
	toolerr.CodeNotFound:         "What the argument %s names does not exist.",
	toolerr.CodeInvalidArgument:  "The argument %s is malformed or not allowed.",
	toolerr.CodeOutOfRange:       "The argument %s is out of range.",
	toolerr.CodePermissionDenied: "Access to what the argument %s names is denied.",
	toolerr.CodeUnauthenticated:  "What the argument %s names could not prove that it is genuine.",
}

// MayBeCallers reports whether an error would be the caller's fault if its name were in the
// call's arguments. It does not panic.
func MayBeCallers(err error) (may bool) {
	_, author := classify.Error(err, stated, func([]error) (string, classify.Fault) {
		may = true
		return "", classify.Own
	})
	return may && author == nil
}
