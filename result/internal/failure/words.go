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

// Revealed returns the text of an error that Reveal selects, as the content of a result, or
// nil.
func (c *Classifier) Revealed(err error) *mcp.CallToolResult {
	if c.Reveal == nil || !c.Reveal(err) {
		return nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}

// InWords reports whether only the text of an error indicates the kind of failure: neither
// its type nor an author does.
func (c *Classifier) InWords(err error) bool {
	if _, byRule := c.byRule(err); byRule || isClassified(err) {
		return false
	}
	e := toolerr.From(err)
	return e != nil && (e.Code == toolerr.CodeInternal || e.Is(classify.ErrGuessedWords)) && !namesThings(err)
}

// inWords returns e, which is classified by type, with the text of its error. If the type
// is unknown, the text is read like an author's. Only text that is the whole error may
// blame the caller: otherwise it is about the subject of its type, which is unknown. Guess is
// the classification without the call's arguments.
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

// withServiceMessage returns e with the message of the service that answered with err, if
// there is one. The message is included if ServiceMessages allows it. If err is
// unclassified, its message is read as text. A masked message may only forbid a retry. The
// field is the service's, and is used only if the tool has an argument of that name.
func (c *Classifier) withServiceMessage(e *toolerr.Error, err error) *toolerr.Error {
	text, field := classify.ServiceMessage(err)
	text = sanitize.Ends(redact.Mask(text), sanitize.MaxLength)
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

// refine returns e, whose type only means that the service rejected the input, with the
// more specific classification of the service's message: the input already exists, or is
// too large.
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
		return e // what no longer exists need not be the requested thing
	}
	out := e.WithCode(words.Code)
	out.Category = words.Category
	if e.Message == hint.Sentence(string(e.Code)) {
		out.Message = hint.Sentence(string(words.Code))
	}
	return out
}

// masked returns e, an internal failure, with the classification of a service's message,
// but without its text.
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

// plainTypes are types of errors whose text is set once and cannot change.
var plainTypes = [...]reflect.Type{
	reflect.TypeOf(errors.New("")),
	reflect.TypeOf(fmt.Errorf("%d", 0)), //nolint:err113,forbidigo,perfsprint // for its type
	reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid)),
	reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid)),
	reflect.TypeOf(errors.Join(fs.ErrInvalid)),
}

// isPlain reports whether an error and all errors that it wraps consist only of an author's
// text.
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

// isTextAlone reports whether an error has nothing but the text of its author, which is not
// that of several errors.
func isTextAlone(err error) bool {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if !slices.Contains(plainTypes[:3], reflect.TypeOf(e)) {
			return false
		}
	}
	return classify.IsText(err)
}

// standardPackages are the first path elements of the standard library's packages whose
// errors have a subject.
var standardPackages = strings.Fields("archive bufio bytes compress context crypto database debug encoding go html image io math mime net os path " +
	"plugin reflect regexp runtime strconv syscall text time unicode")

// namesThings reports whether the tree contains an error of the standard library that has
// more than a text. Its subject is a path, a program or an address.
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

// blockOf returns the index of the first nonempty text of a result if it equals text, or
// -1.
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

// without returns a copy of a result without one of its blocks, or nil if nothing is left.
func without(res *mcp.CallToolResult, block int) *mcp.CallToolResult {
	if len(res.Content) == 1 && res.StructuredContent == nil {
		return nil
	}
	c := &mcp.CallToolResult{Meta: res.Meta, StructuredContent: res.StructuredContent}
	c.Content = append(append(c.Content, res.Content[:block]...), res.Content[block+1:]...)
	return c
}

// both returns the content of two results, each of which may be nil.
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
