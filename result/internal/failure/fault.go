package failure

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// attribute returns e, which is the result of [toolerr.From] for err. It blames the caller
// if the name in the error is in the call's arguments, and the tool if the error has
// another name. It only changes properties that From has guessed. An author's are kept.
func (k *Classifier) attribute(e *toolerr.Error, err error) *toolerr.Error {
	if e == nil || !e.Is(classify.ErrGuessed) {
		return e
	}
	own, unproven, arguments := false, "", k.evidence() // own: the error has a name that is not in the arguments
	blame := func(chain []error) (string, classify.Fault) {
		if e.Field != "" { // its author states that an argument is wrong
			return e.Field, classify.Callers
		}
		field, fault := arguments.Blame(chain)
		own = own || fault == classify.Own
		return field, fault
	}
	guess, _ := classify.Error(err, stated, nil)
	c, author := classify.Error(err, stated, blame)
	if e.Field == "" && author == nil && (c.Words || c == guess && c.Code == string(toolerr.CodeInternal) && isPlain(err)) {
		var fault classify.Fault
		c, unproven, fault = k.byWords(c, Text(err))
		own = own || fault == classify.Own
	}
	if author != nil || guess.Category != string(e.Category) || guess.Code != string(e.Code) {
		return e // an author has set the fields
	}
	message, step := sentence(c), ""
	if c.Code == string(toolerr.CodeInternal) && !own {
		if text, s := hint.Unproven(cmp.Or(unproven, string(mayBe(err).Code))); text != "" {
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

// byWords returns the classification of a text that forbids a retry, if the name in the
// text is in the arguments: the text alone is not evidence. Otherwise it returns the
// unproven code. Repeated arguments in the text are ignored.
func (k *Classifier) byWords(c classify.Classification, text string) (_ classify.Classification, unproven string, _ classify.Fault) {
	read := k.readWords(text)
	switch {
	case read.Category == "" && !c.Words:
		return classify.Internal(), "", classify.Unnamed
	case read.Category == "", read.Category == toolerr.CategoryTransient, read.Code == "":
		return classify.Internal(), string(toolerr.CodeInternal), classify.Unnamed
	}
	c = classify.Classification{Category: string(read.Category), Code: string(read.Code), Words: true}
	field, fault := k.evidence().Words(text)
	if lacks := k.lacking(text); fault != classify.Callers && read.Code == toolerr.CodeMissingArgument && lacks != "" {
		field, fault = lacks, classify.Callers
	}
	if fault != classify.Callers || field != "" && k.IsArgument != nil && !k.IsArgument(field) {
		return classify.Internal(), c.Code, fault
	}
	c.Field = field
	return c, "", fault
}

// lacking returns the only argument of the tool that a text is about, if it is missing from
// the call.
func (k *Classifier) lacking(text string) (name string) {
	for word := range strings.FieldsFuncSeq(text[:min(len(text), sanitize.MaxLength)], func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if k.IsArgument == nil || word == name || !k.IsArgument(word) || k.evidence().Has(word) || !evidence.IsAbout(text, word) {
			continue
		}
		if name != "" {
			return ""
		}
		name = word
	}
	return name
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
	return fmt.Sprintf(text, c.Field)
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
func MayBeCallers(err error) bool {
	c := mayBe(err)
	return c.Known() && !c.Words && c.Code != string(toolerr.CodeInternal)
}

// mayBe returns the classification that an error would have if its name were in the call's
// arguments. It returns the zero value for an error that an author has classified.
func mayBe(err error) classify.Classification {
	c, author := classify.Error(err, stated, func([]error) (string, classify.Fault) { return "", classify.Callers })
	if author != nil {
		return classify.Classification{}
	}
	return c
}
