package failure

import (
	"cmp"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// attribute returns e, which [toolerr.From] has made of err, blamed on the caller if
// what the error names stands in the call's arguments, and on the tool if it names
// something else. Only what From has found is found anew: what an author has said stays.
func attribute(e *toolerr.Error, err error, arguments *evidence.Arguments) *toolerr.Error {
	if e == nil || !e.Is(classify.ErrGuessed) {
		return e
	}
	own := false // the error names something that is not in the arguments
	blame := func(chain []error) (string, classify.Fault) {
		if e.Field != "" { // its author says that an argument is at fault
			return e.Field, classify.Callers
		}
		field, fault := arguments.Blame(chain)
		own = own || fault == classify.Own
		return field, fault
	}
	guess, _ := classify.Error(err, stated, nil)
	c, author := classify.Error(err, stated, blame)
	if c.Words && e.Field == "" {
		var fault classify.Fault
		c, fault = byWords(c, Text(err), arguments)
		own = own || fault == classify.Own
	}
	if author != nil || guess.Category != string(e.Category) || guess.Code != string(e.Code) {
		return e // the last two are an author's, who has set the fields
	}
	message, step := sentence(c), ""
	if c.Code == string(toolerr.CodeInternal) && !own {
		if text, s := hint.Unproven(mayBe(err).Code); text != "" {
			message, step = text, s
		}
	}
	if c == guess && step == "" {
		return e
	}
	out := e.WithHint(cmp.Or(e.Hint, step)) // a copy
	out.Category, out.Code, out.Retryable = toolerr.Category(c.Category), toolerr.Code(c.Code), c.Retryable
	if e.Is(classify.ErrGuessedEffect) && guess.Effect == string(e.Effect) {
		out.Effect = toolerr.Effect(c.Effect)
	}
	if e.Field == "" {
		out.Field = c.Field
	}
	if e.Message == hint.Sentence(guess.Code) {
		out.Message = message
	}
	return out
}

// byWords returns what a text says, if what it names stands in the arguments: words alone
// are no evidence. What it repeats of the arguments says nothing.
func byWords(c classify.Classification, text string, arguments *evidence.Arguments) (classify.Classification, classify.Fault) {
	field, fault := arguments.Words(text)
	if masked := arguments.Mask(text); fault != classify.Callers || masked != text && classify.Forbidding(masked).Code != c.Code {
		return classify.Internal(), fault
	}
	c.Field = field
	return c, fault
}

// stated is the [classify.Known] for errors of which an author has said what they are.
func stated(err error) (classify.Classification, error) {
	e, ok := err.(*toolerr.Error) //nolint:errorlint // one link of the chain
	if !ok || e == nil || e.Is(classify.ErrGuessed) {
		return classify.Classification{}, nil
	}
	return classify.Classification{
		Category: string(e.Category), Code: string(e.Code), Retryable: e.Retryable, Effect: string(e.Effect),
	}, e
}

// sentence returns the message of a failure that is about an argument, if it is known
// which.
func sentence(c classify.Classification) string {
	text, ok := sentences[toolerr.Code(c.Code)]
	if !ok || c.Field == "" {
		return hint.Sentence(c.Code)
	}
	return fmt.Sprintf(text, c.Field)
}

var sentences = map[toolerr.Code]string{
	toolerr.CodeNotFound:         "What the argument %s names does not exist.",
	toolerr.CodeInvalidArgument:  "The argument %s is malformed or not allowed.",
	toolerr.CodeOutOfRange:       "The argument %s is out of range.",
	toolerr.CodePermissionDenied: "Access to what the argument %s names is denied.",
	toolerr.CodeUnauthenticated:  "What the argument %s names could not prove that it is genuine.",
}

// MayBeCallers reports whether an error would be the caller's if what it names stood in
// the call's arguments. It does not panic.
func MayBeCallers(err error) bool {
	c := mayBe(err)
	return c.Known() && !c.Words && c.Code != string(toolerr.CodeInternal)
}

// mayBe is what an error would be if what it names stood in the call's arguments. It is
// the zero value for one that an author has classified.
func mayBe(err error) classify.Classification {
	c, author := classify.Error(err, stated, func([]error) (string, classify.Fault) { return "", classify.Callers })
	if author != nil {
		return classify.Classification{}
	}
	return c
}
