package failure

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Revealed returns the text of an error that Reveal chooses, as the words of a result,
// or nil.
func (c *Classifier) Revealed(err error) *mcp.CallToolResult {
	if c.Reveal == nil || !c.Reveal(err) {
		return nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}

// InWords reports whether nothing but the text of an error says what kind of failure it
// is: its type does not, and no author has.
func (c *Classifier) InWords(err error) bool {
	if _, byRule := c.byRule(err); byRule || isClassified(err) {
		return false
	}
	e := toolerr.From(err)
	return e != nil && (e.Code == toolerr.CodeInternal || e.Is(classify.ErrGuessedWords)) && !namesThings(err)
}

// inWords returns e, classified by type, with the text of its error. If the type says
// nothing, the text is read as any author's words are. Only a text that is all of its
// error may blame the caller: others are about what their type names, of which nothing
// is known. Guess is what was found before the call's arguments were looked at.
func (c *Classifier) inWords(e *toolerr.Error, err error, text string, guess classify.Classification) *toolerr.Error {
	if guess.Words || guess.Code == string(toolerr.CodeInternal) && isPlain(err) { // the text is read as a whole
		e = toolerr.Internal(err)
	}
	if e.Code != toolerr.CodeInternal || namesThings(err) {
		return c.refine(e, err).WithMessage(text)
	}
	words := c.readWords(text)
	if words.Category != toolerr.CategoryTransient && !isPlain(err) {
		words = &toolerr.Error{Message: text}
	}
	return words.WithCause(err)
}

// withServiceMessage returns e with what the service has said that has answered with err,
// if it has said something: its sentence if ServiceMessages allows it. If nothing is known of
// err, the sentence is read as words are; while it is masked it may only forbid a retry.
// The field is the service's, and ours only if the tool has an argument of that name.
func (c *Classifier) withServiceMessage(e *toolerr.Error, err error) *toolerr.Error {
	text, field := classify.ServiceMessage(err)
	text = sanitize.Ends(redact.Secrets(text), sanitize.MaxLength)
	if text == "" {
		return e
	}
	switch {
	case e.Code != toolerr.CodeInternal:
		e = c.refine(e, err)
	case c.ServiceMessages:
		e = c.readWords(text).WithCause(err)
	default:
		e = c.masked(e, text)
	}
	if e.Category == toolerr.CategoryValidation && e.Field == "" && c.IsArgument != nil && c.IsArgument(field) {
		e = e.WithField(field)
	}
	if !c.ServiceMessages {
		return e
	}
	return e.WithMessage(text)
}

// refine returns e, whose type says no more than that the service did not take the input,
// as what the service's own sentence says more exactly: it exists already, it is too large.
func (c *Classifier) refine(e *toolerr.Error, err error) *toolerr.Error {
	if e.Code != toolerr.CodeInvalidArgument || e.Field != "" {
		return e
	}
	text, _ := classify.ServiceMessage(err)
	words := c.readWords(text)
	if words.Category == "" || words.Category == toolerr.CategoryTransient || words.Code == "" || words.Code == toolerr.CodeFailedPrecondition {
		return e // what is not allowed may be the input
	}
	if _, fault := c.evidence().Words(text); words.Code == toolerr.CodeNotFound && fault != classify.Callers {
		return e // what is gone need not be what was asked for
	}
	out := e.WithCode(words.Code)
	out.Category = words.Category
	if e.Message == hint.Sentence(string(e.Code)) {
		out.Message = hint.Sentence(string(words.Code))
	}
	return out
}

// masked returns e, an internal failure, as what a service has said of the request makes of
// it, without its words.
func (c *Classifier) masked(e *toolerr.Error, text string) *toolerr.Error {
	words := c.readWords(text)
	field, fault := c.evidence().Words(text)
	message := hint.Sentence(string(words.Code))
	switch {
	case words.Category != "" && words.Category != toolerr.CategoryTransient && message != "":
	case words.Category == "" && fault == classify.Callers:
		words.Category, message = toolerr.CategoryValidation, "The service did not take what the call names."
		words.Hint = "Check what the call names, and call again if it was wrong."
	default:
		return e
	}
	out := e.WithMessage(message)
	out.Category, out.Code, out.Effect, out.Hint = words.Category, words.Code, words.Effect, words.Hint
	if fault == classify.Callers {
		out.Field = field
	}
	return out
}

// The types of errors whose text is written once and cannot change.
var plainTypes = [...]reflect.Type{
	reflect.TypeOf(errors.New("")),
	reflect.TypeOf(fmt.Errorf("%d", 0)), //nolint:err113,forbidigo,perfsprint // for its type
	reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid)),
	reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid)),
	reflect.TypeOf(errors.Join(fs.ErrInvalid)),
}

// isPlain reports whether an error is a text and nothing else, as its author wrote it,
// and so are the errors that it wraps.
func isPlain(err error) bool {
	_, other := classify.Find(err, func(err error) (struct{}, bool) {
		for _, plain := range plainTypes {
			if reflect.TypeOf(err) == plain {
				return struct{}{}, false
			}
		}
		return struct{}{}, true
	})
	return !other
}

// standardPackages are the first elements of the paths of the standard library's
// packages whose errors say what they are about.
var standardPackages = strings.Fields("archive bufio bytes compress context crypto database debug encoding go html image io math mime net os path " +
	"plugin reflect regexp runtime strconv syscall text time unicode")

// namesThings reports whether there is an error of the standard library's in the tree
// that is more than a text: a path, a program or an address is what it is about.
func namesThings(err error) bool {
	_, found := classify.Find(err, func(err error) (struct{}, bool) {
		t := reflect.TypeOf(err)
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		root, _, _ := strings.Cut(t.PkgPath(), "/")
		return struct{}{}, slices.Contains(standardPackages, root)
	})
	return found
}

// blockOf returns where the first text of a result is, if it is this one, or -1.
func blockOf(res *mcp.CallToolResult, text string) int {
	for i, block := range res.Content {
		if t, ok := block.(*mcp.TextContent); ok && t != nil && t.Text != "" {
			if t.Text == text {
				return i
			}
			break
		}
	}
	return -1
}

// without returns a copy of a result without one of its blocks, or nil if nothing is
// left to say.
func without(res *mcp.CallToolResult, block int) *mcp.CallToolResult {
	if len(res.Content) == 1 && res.StructuredContent == nil {
		return nil
	}
	c := &mcp.CallToolResult{Meta: res.Meta, StructuredContent: res.StructuredContent}
	c.Content = append(append(c.Content, res.Content[:block]...), res.Content[block+1:]...)
	return c
}

// both returns the words of two results, of which each may be nil.
func both(first, second *mcp.CallToolResult) *mcp.CallToolResult {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	c := &mcp.CallToolResult{Meta: second.Meta, StructuredContent: second.StructuredContent}
	c.Content = append(append(c.Content, first.Content...), second.Content...)
	return c
}
