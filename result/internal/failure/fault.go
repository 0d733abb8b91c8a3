package failure

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An attribution is what package classify says of an error: by itself, and with the call's
// arguments. The two differ only if the error names something.
type attribution struct {
	guess, blamed classify.Classification
	author        error // in the error's tree, who has classified it, or nil
	own           bool  // the error names something that is not in the arguments
	asked         bool  // the arguments were looked at
}

// attributed classifies an error whose author is known by known. The argument that its
// author has said to be at fault, if any, is field.
func (k *Classifier) attributed(err error, known classify.Known, field string) (a attribution) {
	arguments := k.evidence()
	a.blamed, a.author = classify.Error(err, known, func(chain []error) (string, classify.Fault) {
		a.asked = true
		if field != "" {
			return field, classify.Callers
		}
		found, fault := arguments.Blame(chain)
		a.own = a.own || fault == classify.Own
		return found, fault
	})
	if a.guess = a.blamed; a.asked && a.author == nil {
		a.guess, _ = classify.Error(err, known, nil)
	}
	return a
}

// mayBe is what the error would be if what it names stood in the call's arguments.
func (a *attribution) mayBe(err error) classify.Classification {
	if a.asked {
		return mayBe(err)
	}
	return a.blamed // there is no place for it
}

// from is [toolerr.From], blamed on the caller if what the error names stands in the call's
// arguments, and on the tool if it names something else. Only what From has found is found
// anew: what an author has said stays. Guess is that, without the arguments. An error that no
// author has classified is classified once, as From would.
func (k *Classifier) from(err error) (e *toolerr.Error, guess classify.Classification) {
	var a attribution
	if _, ok := err.(*toolerr.Error); !ok { //nolint:errorlint // the bare one; the walk finds the others
		if a = k.attributed(err, authored, ""); a.author == nil {
			e = guessed()[a.guess.Words].WithCause(err)
			e.Category, e.Code, e.Retryable = toolerr.Category(a.guess.Category), toolerr.Code(a.guess.Code), a.guess.Retryable
			e.Effect, e.RetryAfter, e.Message = toolerr.Effect(a.guess.Effect), a.guess.After, hint.Sentence(a.guess.Code)
			k.attribute(e, a, err)
			return e, a.guess
		}
	}
	if e = toolerr.From(err); e == nil || !e.Is(classify.ErrGuessed) {
		return e, guess
	}
	guess = classify.Classification{Code: string(e.Code), Words: e.Is(classify.ErrGuessedWords)}
	if a = k.attributed(err, stated, e.Field); a.author != nil || a.guess.Category != string(e.Category) || a.guess.Code != string(e.Code) {
		return e, guess // the last two are an author's, who has set the fields
	}
	c := *e
	k.attribute(&c, a, err)
	return &c, guess
}

// guessed are what From makes of errors that only their words classify, and of others. Copies
// of them count as found by From too.
var guessed = sync.OnceValue(func() map[bool]*toolerr.Error {
	return map[bool]*toolerr.Error{true: toolerr.From(errors.New("permission denied")), false: toolerr.From(ErrBareText)}
})

// authored is a [classify.Known] that says of an error that it is, or says it is, an author's
// *[toolerr.Error], or one that From has made.
func authored(err error) (classify.Classification, error) {
	switch x := err.(type) { //nolint:errorlint // one link of the chain
	case *toolerr.Error:
		if x != nil {
			return classify.Classification{}, x
		}
	case interface{ As(target any) bool }:
		var e *toolerr.Error
		if x.As(&e) && e != nil {
			return classify.Classification{}, e
		}
	}
	return classify.Classification{}, nil
}

// attribute changes e, the caller's own copy of what From has found of err, into what the
// call's arguments show.
func (k *Classifier) attribute(e *toolerr.Error, a attribution, err error) {
	c, own, unproven := a.blamed, a.own, ""
	if e.Field == "" && (c.Words || c == a.guess && c.Code == string(toolerr.CodeInternal) && isPlain(err)) {
		var fault classify.Fault
		c, unproven, fault = k.byWords(c, Text(err))
		own = own || fault == classify.Own
	}
	message, step := sentence(c), ""
	if c.Code == string(toolerr.CodeInternal) && !own {
		if text, s := hint.Unproven(cmp.Or(unproven, string(a.mayBe(err).Code))); text != "" {
			message, step = text, s
		}
	}
	if c == a.guess && step == "" {
		return
	}
	e.Hint = cmp.Or(e.Hint, step)
	e.Category, e.Code, e.Retryable = toolerr.Category(c.Category), toolerr.Code(c.Code), c.Retryable
	if e.Is(classify.ErrGuessedEffect) && a.guess.Effect == string(e.Effect) {
		e.Effect = toolerr.Effect(c.Effect)
	}
	if e.Field == "" {
		e.Field = c.Field
	}
	if e.Message == hint.Sentence(a.guess.Code) {
		e.Message = message
	}
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
