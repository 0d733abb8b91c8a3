package idempotency

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/schema"
)

// A tool holds what a handler knows about its tool. The zero value holds nothing.
type tool struct {
	isIdempotent bool          // as annotated
	input        schema.Schema // only if it has defaults
	types        string        // of the handler
}

// toolOf returns what a tool declares. It panics if clients would not send the tool a key.
func (o *Options) toolOf(t *mcp.Tool) (known tool) {
	hints := cmp.Or(t.Annotations, new(mcp.ToolAnnotations))
	if hints.ReadOnlyHint {
		panic(fmt.Sprintf("idempotency.AddTool: the tool %q has ReadOnlyHint, so that clients send no key and repeat every "+
			"call: remove the hint, or use result.AddTool", t.Name))
	}
	known.isIdempotent = hints.IdempotentHint
	root, err := jsonvalue.Recode(t.InputSchema) // with all digits; mcp.AddTool panics if the schema cannot be encoded
	if err != nil || t.InputSchema == nil {
		return known // a schema from a Go type has the key, and no defaults
	}
	s := schema.Read(root)
	if s.Properties()[o.argument()] == nil {
		panic(fmt.Sprintf("idempotency.AddTool: the input schema of the tool %q has no argument for the key: add the "+
			"property %q of type string", t.Name, o.argument()))
	}
	if s.Mentions("default") {
		known.input = s
	}
	return known
}

// fingerprint returns a hash of the arguments, equal for equal JSON values. It changes them.
func (t tool) fingerprint(arguments map[string]any) string {
	reduce(arguments, t.input, maxDefaults)
	if len(arguments) == 0 {
		return digest("")
	}
	raw, _ := jsonvalue.Canonical(arguments) // what was decoded can be encoded
	return digest(string(raw))
}

// maxDefaults limits the defaults that are looked for in a default, which may hold the member that it is the
// default of. It is chosen: schemas have one or two.
const maxDefaults = 4

// reduce changes v and returns it without members that make no difference: null, an empty object or the default.
func reduce(v any, s schema.Schema, defaults int) any {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			v[i] = reduce(item, s.Items(), defaults)
		}
	case map[string]any:
		for name, item := range v {
			of := s.Property(name)
			if v[name] = reduce(item, of, defaults); isDefault(v[name], of, defaults) {
				delete(v, name)
			}
		}
	}
	return v
}

// isDefault reports whether a reduced value is null, the default, or an empty object, which stands for defaults.
func isDefault(v any, s schema.Schema, defaults int) bool {
	if m, ok := v.(map[string]any); v == nil || ok && len(m) == 0 {
		return true
	}
	byDefault, ok := s.Node["default"]
	if !ok || defaults == 0 {
		return false
	}
	byDefault, err := jsonvalue.Recode(byDefault) // a copy
	return err == nil && jsonvalue.Same(v, reduce(byDefault, s, defaults-1))
}

// takesMembers reports whether In is a struct or a map, or points to one, and has no UnmarshalJSON.
func takesMembers[In any]() bool {
	t := reflect.TypeFor[In]()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return (t.Kind() == reflect.Struct || t.Kind() == reflect.Map) &&
		!reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// typeName returns the name of T with its package, the same in every server of the process.
func typeName[T any]() string {
	t := reflect.TypeFor[T]()
	return t.PkgPath() + " " + t.String()
}

// setMember sets a member of in, or returns an error if in cannot hold it.
func setMember[In any](in *In, name, value string) error {
	raw, _ := json.Marshal(map[string]string{name: value}) // cannot fail
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(in)
}

// holdsMember reports whether In has a member with exactly this name. Decoding alone ignores case.
func holdsMember[In any](name string) bool {
	in, key := new(In), rand.Text()
	if setMember(in, name, key) != nil {
		return false
	}
	raw, err := json.Marshal(in)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal(raw, &members) != nil {
		return true // In has its own encoding, and the author's schema
	}
	return string(members[name]) == strconv.Quote(key)
}
