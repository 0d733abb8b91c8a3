package failure

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// blame changes the failure to what the call's arguments prove, if [toolerr.From] has only guessed: an
// error that names something is the caller's fault if the name is in the arguments, otherwise the
// tool's. It returns the rejection of a service that decided, and whether anything but an unknown
// text classifies the error.
func (c *Classifier) blame(f *Findings) (rejection string, isProven bool) {
	e := f.Failure
	isText := classify.IsPlain(f.Cause) // which names nothing
	if isText || !e.Is(classify.ErrGuessed) {
		return "", !isText || e.Code != toolerr.CodeInternal
	}
	proofs := map[string][2]string{} // a name and the rejection, by field
	blamed, author := classify.Error(f.Cause, stated, func(chain []error, rejection string) (string, classify.Fault) {
		if e.Field != "" { // the author blames it
			return e.Field, classify.Callers
		}
		field, part, fault := c.Arguments.Blame(chain, rejection)
		proofs[field] = [2]string{part, rejection}
		return field, fault
	})
	guess, _ := classify.Error(f.Cause, stated, nil)
	if author != nil || guess == blamed || guess.Category != string(e.Category) || guess.Code != string(e.Code) {
		// In the last two cases an author has set the fields.
		return "", e.Code != toolerr.CodeInternal || guess != class.Unexpected()
	}
	proof := proofs[blamed.Field]
	if !e.Is(classify.ErrGuessedEffect) || guess.Effect != string(e.Effect) {
		blamed.Effect = string(e.Effect)
	}
	isDefault := e.Message == hint.Sentence(string(e.Code))
	e = e.WithRetryable(blamed.Retryable)
	e.Category, e.Code = toolerr.Category(blamed.Category), toolerr.Code(blamed.Code)
	e.Effect = toolerr.Effect(blamed.Effect)
	if e.Field = cmp.Or(e.Field, blamed.Field); isDefault {
		e.Message = sentence(blamed, proof[0])
	}
	if c.Tool != nil && proof[0] != "" && len(e.Suggestions) == 0 {
		isBetween := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
		listed := strings.FieldsFunc(c.Tool.Description, isBetween) // names such as orders(id, email)
		e.Suggestions = nearmiss.Find(proof[0][strings.LastIndexByte(proof[0], '.')+1:], listed)
	}
	f.Failure = e
	return proof[1], true
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

// sentence returns the message for a classification. It names the argument at fault, if known, and
// what the error names in it.
func sentence(c classify.Classification, name string) string {
	if c.Field == "" {
		return hint.Sentence(c.Code)
	}
	text := fmt.Sprintf(sentences[toolerr.Code(c.Code)], sanitize.Name(c.Field))
	if name != "" {
		const maxQuoted = 64
		text += ": see " + sanitize.Quote(name, maxQuoted)
	}
	return text + "."
}

// sentences has all codes of errors that are the caller's fault if they name an argument.
var sentences = map[toolerr.Code]string{
	toolerr.CodeNotFound:         "What the argument %s names does not exist",
	toolerr.CodeInvalidArgument:  "The argument %s is malformed or not allowed",
	toolerr.CodeOutOfRange:       "The argument %s is out of range",
	toolerr.CodePermissionDenied: "Access to what the argument %s names is denied",
	toolerr.CodeUnauthenticated:  "What the argument %s names could not prove that it is genuine",
}
