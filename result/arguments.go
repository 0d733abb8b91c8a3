package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The SDK's argument validation has no error type, so that its texts are read:
// the way to the schema at fault, then the keyword. Values follow only behind
// the keyword and are not looked at; a test pins the texts.
const (
	argumentsText  = `validating "arguments": `
	rootText       = `validating root: `
	stepText       = `validating /`
	requiredText   = `required: missing properties: [`
	additionalText = `unexpected additional properties [`
	notObjectText  = `unmarshaling arguments: `
)

// errArguments stands for the SDK's text in the log, because that text quotes the
// arguments.
var errArguments = errors.New("the arguments do not fit the input schema")

// fromArgumentError reads the SDK's complaint about the arguments of a call, or
// returns nil for any other error. The handler did not run. Where the complaint
// is not true of the schema and the arguments, it is some other text that looks
// like one.
func fromArgumentError(cause error, tool *mcp.Tool, arguments json.RawMessage) *toolerr.Error {
	var mismatch *json.UnmarshalTypeError
	if m, ok := cause.(*json.UnmarshalTypeError); ok { //nolint:errorlint // the SDK returns it bare; a handler wraps or means its own
		mismatch = m
	}
	text, ok := strings.CutPrefix(safeText(cause), argumentsText)
	switch {
	case mismatch != nil && strings.HasPrefix(safeText(cause), "json: cannot unmarshal"):
		return mismatched(mismatch, tool, arguments)
	case !ok:
		return nil
	case strings.HasPrefix(text, notObjectText):
		if json.Unmarshal(arguments, new(map[string]any)) == nil {
			return nil
		}
		return misfit("", nil).WithHint("Call again with the arguments as a JSON object.")
	}
	if text, ok = strings.CutPrefix(text, rootText); !ok {
		return unread()
	}
	way := ""
	for strings.HasPrefix(text, stepText) {
		step, rest, ok := strings.Cut(text[len("validating "):], ": ")
		if !ok || !strings.HasPrefix(step, way) {
			return unread()
		}
		way, text = step, rest
	}
	s := schemaOf(tool)
	for _, step := range steps(way) {
		if s = s.step(step); s.node == nil {
			return unread()
		}
	}
	values, ok := valuesAt(arguments, steps(way))
	if !ok {
		return unread()
	}
	return s.complaint(text, values)
}

// unread is a complaint that is not recognised. It may be no complaint at all, but
// a handler's error that quotes an argument, so that nothing is said of its effect.
func unread() *toolerr.Error { return misfit("", nil).WithEffect("") }

// mismatched reads that a value of the arguments does not fit the Go type of a
// field. Where it is not so, the handler has decoded something else.
func mismatched(m *json.UnmarshalTypeError, tool *mcp.Tool, arguments json.RawMessage) *toolerr.Error {
	s, path := schemaOf(tool), []string(nil)
	for name := range strings.SplitSeq(m.Field, ".") {
		path = append(path, "properties", name)
		s = s.step("properties").step(name)
	}
	values, _ := valuesAt(arguments, path)
	for _, v := range values {
		raw, err := json.Marshal(v)
		if err == nil && s.node != nil && couldBe(m.Type, s.node["type"]) && json.Unmarshal(raw, reflect.New(m.Type).Interface()) != nil {
			return misfit(m.Field, nil)
		}
	}
	return nil
}

// couldBe reports whether a field of Go type t may have a schema of these types.
// Types that decode themselves may have any.
func couldBe(t reflect.Type, types any) bool {
	var sample any
	switch t.Kind() { //nolint:exhaustive // the others are no plain values
	case reflect.String:
		sample = ""
	case reflect.Bool:
		sample = false
	case reflect.Float32, reflect.Float64:
		sample = 0.5
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		sample = 1.0
	default:
		return true
	}
	return types == nil || ofType(types, sample)
}

// misfit is a failure of the arguments of which no more is known than the field.
func misfit(field string, s map[string]any) *toolerr.Error {
	e := toolerr.Validation("The arguments do not fit the tool's input schema.").
		WithCode(toolerr.CodeInvalidArgument).WithEffect(toolerr.EffectNone).
		WithHint("Read the tool's input schema, and call again with arguments that fit it.")
	if field != "" {
		want := wanted(s)
		e = e.WithField(field).WithMessage(fmt.Sprintf("%s must be %s.", field, want)).
			WithHint(fmt.Sprintf("Call again with %s as %s.", field, want))
	}
	return e
}

// complaint reads what a keyword complains about at one place of the schema, and
// returns nil where that is not so.
func (s schema) complaint(text string, values []any) *toolerr.Error {
	if names, ok := strings.CutPrefix(text, requiredText); ok {
		return s.missing(names, values)
	}
	if names, ok := strings.CutPrefix(text, additionalText); ok {
		return s.unexpected(names, values)
	}
	keyword, _, ok := strings.Cut(text, ":")
	if !ok {
		return unread()
	}
	check, known := keywords[keyword]
	switch {
	case !known && s.node[keyword] == nil:
		return unread()
	case !known:
		return misfit(s.field, nil).WithEffect("")
	}
	for _, v := range values {
		if check.breaks(s.node, v) {
			e := misfit(s.field, s.node).WithCode(check.code)
			message := fmt.Sprintf("%s %s.", s.field, check.says(s.node))
			e = e.WithMessage(message).WithHint("Call again: " + message)
			if text, ok := v.(string); ok && keyword == "enum" {
				if near := toolerr.NotFound("value", text, texts(s.node["enum"])...).Suggestions; near != nil {
					e = e.WithSuggestions(near...).WithHint(fmt.Sprintf("Call again with %s as %q.", s.field, near[0]))
				}
			}
			return e
		}
	}
	return nil
}

// missing reads the names of a complaint about properties that are required.
func (s schema) missing(names string, values []any) *toolerr.Error {
	name, ok := firstName(names)
	if !ok || !slices.Contains(texts(s.node["required"]), name) {
		return nil
	}
	for _, v := range values {
		if object, ok := v.(map[string]any); ok {
			if _, there := object[name]; !there {
				inner := s.step("properties").step(name)
				return toolerr.Validation("The argument " + inner.field + " is missing.").
					WithCode(toolerr.CodeMissingArgument).WithField(inner.field).WithEffect(toolerr.EffectNone).
					WithHint(fmt.Sprintf("Call again with %s as %s.", inner.field, wanted(inner.node)))
			}
		}
	}
	return nil
}

// unexpected reads the names of a complaint about properties that the schema
// does not have.
func (s schema) unexpected(names string, values []any) *toolerr.Error {
	name, ok := firstName(names)
	if !ok {
		return nil
	}
	properties, _ := s.node["properties"].(map[string]any)
	if _, known := properties[name]; known || !refuses(s.node["additionalProperties"]) && !refuses(s.node["unevaluatedProperties"]) {
		return nil
	}
	for _, v := range values {
		object, ok := v.(map[string]any)
		if _, there := object[name]; !ok || !there {
			continue
		}
		known := slices.Sorted(maps.Keys(properties))
		e := toolerr.NotFound("argument", name, known...).WithCode(toolerr.CodeInvalidArgument).WithField(join(s.field, name))
		if len(e.Suggestions) == 0 {
			e = e.WithHint(fmt.Sprintf("Leave %q out; the arguments are %s.", name, strings.Join(known, ", ")))
		}
		return e
	}
	return nil
}

// refuses reports whether a schema is one that nothing fits.
func refuses(node any) bool {
	allowed, ok := node.(bool)
	return ok && !allowed
}

// firstName reads the first of a list of quoted names.
func firstName(list string) (string, bool) {
	quoted, err := strconv.QuotedPrefix(list)
	if err != nil {
		return "", false
	}
	name, err := strconv.Unquote(quoted)
	return name, err == nil
}
