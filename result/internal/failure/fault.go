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

// attribute returns e, which [toolerr.From] has made of err, blamed on the caller if
// what the error names stands in the call's arguments, and on the tool if it names
// something else. Only what From has found is found anew: what an author has said stays.
func (k *Classifier) attribute(e *toolerr.Error, err error) *toolerr.Error {
	if e == nil || !e.Is(classify.ErrGuessed) {
		return e
	}
	own, unproven, arguments := false, "", k.evidence() // own: the error names something that is not in the arguments
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
	if e.Field == "" && author == nil && (c.Words || c == guess && c.Code == string(toolerr.CodeInternal) && isPlain(err)) {
		var fault classify.Fault
		c, unproven, fault = k.byWords(c, Text(err))
		own = own || fault == classify.Own
	}
	if author != nil || guess.Category != string(e.Category) || guess.Code != string(e.Code) {
		return e // the last two are an author's, who has set the fields
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

// byWords returns what a text says that forbids a repeat, if what it names stands in the
// arguments: words alone are no evidence. Else it returns the code that nothing proves. What
// the text repeats of the arguments says nothing.
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

// lacking returns the only argument of the tool that a text is about, and that was not sent.
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
	return fmt.Sprintf(text, sanitize.Name(c.Field))
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
