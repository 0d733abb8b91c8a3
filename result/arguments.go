package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// errArguments replaces the SDK's text in the log, because that text quotes the arguments.
var errArguments = errors.New("the arguments do not fit the input schema")

// argumentError returns the failure if the error of the result, which may be nil, is the SDK's that
// rejected the arguments before the handler ran, otherwise nil. Unless it cannot fully check the
// arguments, it does not trust the error alone, but looks in them for the value that violates the schema
// or does not fit its Go type.
func (f *failedCall) argumentError(cause error) *toolerr.Error {
	if m, ok := cause.(*json.UnmarshalTypeError); ok { //nolint:errorlint // the SDK does not wrap it
		return mismatched(m, &f.rules.Arguments)
	}
	if cause == nil || !strings.HasPrefix(failure.Text(cause), sdktext.RefusedArguments) {
		return nil
	}
	e, fits := invalid(f.tool, f.arguments)
	if e == nil && !fits {
		e = misfit("", "").WithEffect("")
	}
	return e // nil if the text is not the SDK's
}

// invalid returns the failure of arguments that violate a tool's input schema, or nil, and reports
// whether they are known to fit.
func invalid(tool *toolinfo.Tool, arguments json.RawMessage) (e *toolerr.Error, fits bool) {
	if len(arguments) == 0 || string(arguments) == "null" { // as the SDK reads them
		arguments = json.RawMessage("{}")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(arguments, &members) != nil {
		return misfit("", "").WithHint("Call again with the arguments as a JSON object."), false
	}
	v, fits := tool.Input().Validate(arguments)
	if v == nil {
		return nil, fits
	}
	e = violated(v)
	var more []string
	for _, name := range v.More {
		more = append(more, sanitize.Quote(redact.Mask(strings.TrimSuffix(v.Path, v.Name)+name), maxQuoted))
	}
	if len(more) > 0 {
		e = e.WithMessage(e.Message + " The same is true of " + strings.Join(more, ", ") + ".")
	}
	if string(members[v.Path]) == "null" {
		maps.DeleteFunc(members, func(_ string, raw json.RawMessage) bool { return string(raw) == "null" })
		rest, _ := json.Marshal(members)
		if _, fits := tool.Input().Validate(rest); fits {
			e = e.WithHint(strings.Replace(e.Hint, "Call", "Leave out what is null, or call", 1))
		}
	}
	return e, false
}

// mismatched returns the failure if a value of the arguments fits the schema but not its Go type, or nil.
func mismatched(m *json.UnmarshalTypeError, sent *evidence.Arguments) *toolerr.Error {
	path, kind, text, rest := sent.At(m.Field)
	raw := []byte(text)
	if kind == "string" {
		raw, _ = json.Marshal(text)
	}
	if rest != "" || kind == "" || !likely(m.Type, kind) || json.Unmarshal(raw, reflect.New(m.Type).Interface()) == nil {
		return nil // the handler decoded something else
	}
	want := schema.Schema{}.Wanted()
	if kind == "number" {
		want = "a number within the tool's range"
	} else if m.Type == reflect.TypeFor[time.Time]() { // which has one form, whatever the schema says
		want = "a time such as 2026-07-31T15:04:05Z"
	}
	return misfit(path, want)
}

// likely reports whether a value of this kind may belong to a field of Go type t: in JSON, the zero
// value of t has the same kind or is null.
func likely(t reflect.Type, kind string) bool {
	raw, _ := json.Marshal(reflect.Zero(t).Interface())
	_, zero, _, _ := (&evidence.Arguments{Raw: raw}).At("")
	return zero == "" || zero == kind
}

// misfit returns the failure for invalid arguments, with the field and the expected value if known.
func misfit(field, want string) *toolerr.Error {
	if field != "" {
		return toolerr.InvalidArgument(field, nil, want).WithField(field) // of any number of words
	}
	return toolerr.Validation("The arguments do not fit the tool's input schema.").WithCode(toolerr.CodeInvalidArgument).
		WithHint("Read the tool's input schema, and call again with arguments that fit it.")
}

// maxQuoted is the maximum length, in bytes, of a quoted name or value in a hint, chosen as in package toolerr.
const maxQuoted = 256

func violated(v *schema.Violation) *toolerr.Error {
	e := misfit(v.Path, v.Place.Wanted())
	message := sanitize.Name(v.Path) + " " + v.Rule() + "."
	switch v.Keyword {
	case "required":
		return toolerr.MissingArgument(v.Path, strings.TrimSuffix(v.Place.Wanted(), " or null")).WithField(v.Path)
	case "additionalProperties":
		known := slices.Sorted(maps.Keys(v.Place.Properties()))
		e = toolerr.NotFound("argument", v.Name, known...).WithCode(toolerr.CodeInvalidArgument).WithField(v.Path)
		if len(e.Suggestions) == 0 {
			e = e.WithHint(fmt.Sprintf("Leave %s out; the arguments are %s.", sanitize.Quote(v.Name, maxQuoted),
				cmp.Or(strings.Join(known, ", "), "none")))
		}
		return e
	}
	if v.Path == "" {
		return e
	}
	if slices.Contains([]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}, v.Keyword) {
		e = e.WithCode(toolerr.CodeOutOfRange)
	}
	if e = e.WithMessage(message); v.Keyword == "anyOf" || v.Keyword == "oneOf" {
		return e
	}
	e = e.WithHint("Call again: " + message)
	text, _ := v.Value.(string) // nothing is near an empty one
	if near := nearmiss.Find(text, schema.Texts(v.Place.Node["enum"])); v.Keyword == "enum" && len(near) > 0 {
		e = e.WithSuggestions(near...).
			WithHint(fmt.Sprintf("Call again with %s as %s.", sanitize.Name(v.Path), sanitize.Quote(near[0], maxQuoted)))
	}
	return e
}
