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

// An attribution has the classifications of an error without and with the call's arguments.
// They differ only if the error has a name.
type attribution struct {
	guess, blamed classify.Classification
	author        error // the classified error in the tree, or nil
	own           bool  // the error has a name that is not in the arguments
	asked         bool  // the arguments were searched
}

// attributed classifies an error with and without the arguments. Known recognizes an
// author's error. Field is the argument that the author blames, if any.
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

// mayBe returns the classification if the name in the error were in the arguments.
func (a *attribution) mayBe(err error) classify.Classification {
	if a.asked {
		return mayBe(err)
	}
	return a.blamed // the error has no name
}

// from is like [toolerr.From], and blames the caller if the name in the error is in the
// call's arguments, and the tool if the error has another name. It only changes properties
// that From has guessed. Guess is the classification without the arguments. An unclassified
// error is classified once.
func (k *Classifier) from(err error) (e *toolerr.Error, guess classify.Classification) {
	var a attribution
	if _, ok := err.(*toolerr.Error); !ok { //nolint:errorlint // the bare one; the walk finds the others
		if isTextAlone(err) {
			a.guess = classify.Internal()
			a.guess.Words = true // which attribute reads, as a whole
			a.blamed = a.guess
		} else {
			a = k.attributed(err, authored, "")
		}
		if a.author == nil {
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
		return e, guess // in the last two cases an author has set the fields
	}
	c := *e
	k.attribute(&c, a, err)
	return &c, guess
}

// guessed returns results of From, by whether they are classified by text. Copies of them
// have From's origin.
var guessed = sync.OnceValue(func() map[bool]*toolerr.Error {
	return map[bool]*toolerr.Error{true: toolerr.From(errors.New("permission denied")), false: toolerr.From(ErrBareText)}
})

// authored is a [classify.Known] that recognizes a *[toolerr.Error], also by an As method.
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

// attribute changes e, the caller's copy of a result of From, according to the arguments.
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
