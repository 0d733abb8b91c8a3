package encodable

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Normalize returns v with empty slices and maps in place of nil ones at all levels, so
// that they are encoded as [] and {} instead of null. It copies shared parts of v before
// changing them. It does not change types that encode themselves.
func Normalize(v any) any {
	if v == nil {
		return nil
	}
	n := normalizer{left: maxValues}
	if normal, changed := n.value(reflect.ValueOf(v), 0); changed && n.left >= 0 {
		return normal.Interface()
	}
	return v
}

// NormalizeOutput is [Normalize] for the output of a typed handler. It replaces a nil
// pointer by a pointer to the zero value, as the SDK does.
func NormalizeOutput[Out any](out Out) Out {
	if t := reflect.TypeFor[Out](); t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && reflect.ValueOf(out).IsNil() {
		if zero, ok := reflect.TypeAssert[Out](reflect.New(t.Elem())); ok {
			out = zero
		}
	}
	if normal, ok := Normalize(out).(Out); ok {
		return normal
	}
	return out
}

// Cyclic values cannot be encoded. They are left to the encoder, which returns the error,
// and so are larger values than these limits. Chosen: far more than outputs have.
const (
	maxDepth  = 64
	maxValues = 1_000_000
)

// A normalizer normalizes one value. It stops after left parts.
type normalizer struct{ left int }

// value returns a normalized copy of v and true, or v and false if there is nothing to
// change.
func (n *normalizer) value(v reflect.Value, depth int) (reflect.Value, bool) {
	if n.left--; n.left < 0 || depth > maxDepth || !mayHoldNil(v.Type()) {
		return v, false
	}
	switch v.Kind() { //nolint:exhaustive // the other kinds have parts, or hold nothing
	case reflect.Slice:
		if v.IsNil() {
			return reflect.MakeSlice(v.Type(), 0, 0), true
		}
	case reflect.Map:
		if v.IsNil() {
			return reflect.MakeMap(v.Type()), true
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		elem, changed := n.value(v.Elem(), depth+1)
		if changed && v.Kind() == reflect.Pointer {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(elem)
			return p, true
		}
		return elem, changed
	}
	var out reflect.Value // a copy of v, made at the first change
	n.parts(v, depth, func() reflect.Value {
		if !out.IsValid() {
			out = copyOf(v)
		}
		return out
	})
	return out, out.IsValid()
}

// parts normalizes the parts of v in the copy that target returns.
func (n *normalizer) parts(v reflect.Value, depth int, target func() reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // the other kinds have no parts
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if item, changed := n.value(v.Index(i), depth+1); changed {
				target().Index(i).Set(item)
			}
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			if item, changed := n.value(iter.Value(), depth+1); changed {
				target().SetMapIndex(iter.Key(), item)
			}
		}
	case reflect.Struct:
		n.fields(v, depth, target)
	}
}

// copyOf returns a shallow copy of a slice, map, array or struct that can be changed.
func copyOf(v reflect.Value) reflect.Value {
	switch v.Kind() { //nolint:exhaustive // the other kinds are copied by Set
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		return out
	case reflect.Map:
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for iter := v.MapRange(); iter.Next(); {
			out.SetMapIndex(iter.Key(), iter.Value())
		}
		return out
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

// fields normalizes the fields of struct v in the copy that target returns. Unexported
// fields are not encoded and cannot be set. The exported fields of an unexported embedded
// struct are encoded, and can be set.
func (n *normalizer) fields(v reflect.Value, depth int, target func() reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			if f.Anonymous && f.Type.Kind() == reflect.Struct {
				n.fields(v.Field(i), depth, func() reflect.Value { return target().Field(i) })
			}
			continue
		}
		if v.Field(i).IsZero() && omitZero(f.Tag.Get("json")) {
			continue
		}
		if field, changed := n.value(v.Field(i), depth+1); changed {
			target().Field(i).Set(field)
		}
	}
}

func omitZero(tag string) bool {
	_, options, _ := strings.Cut(tag, ",")
	return slices.Contains(strings.Split(options, ","), "omitzero")
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	holders       sync.Map // reflect.Type -> bool
)

// mayHoldNil reports whether a value of type t may contain a slice or map that is encoded
// as null.
func mayHoldNil(t reflect.Type) bool {
	if known, ok := holders.Load(t); ok {
		return known.(bool) //nolint:errcheck // nothing else is stored
	}
	may := typeMayHoldNil(t, map[reflect.Type]bool{})
	holders.Store(t, may)
	return may
}

func typeMayHoldNil(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false // t is already being examined
	}
	seen[t] = true
	if p := reflect.PointerTo(t); p.Implements(jsonMarshaler) || p.Implements(textMarshaler) {
		return false // the method set of the pointer includes that of the value
	}
	switch t.Kind() { //nolint:exhaustive // the other kinds hold nothing
	case reflect.Slice, reflect.Map, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Array:
		return typeMayHoldNil(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && typeMayHoldNil(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
