// Package encodable replaces nil slices and maps in outputs, of which clients expect [] and {}.
package encodable

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// Normalize returns an output with empty slices and maps in place of nil ones at all levels, so that they
// are encoded as [] and {} instead of null. It copies values that may hold a nil slice or map,
// because calls may share them. It does not change values of types that encode themselves.
// If Out is a pointer to a struct, nil becomes one to the zero value, as in the SDK.
func Normalize[Out any](out Out) Out {
	if t := reflect.TypeFor[Out](); t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct &&
		reflect.ValueOf(out).IsNil() {
		if zero, ok := reflect.TypeAssert[Out](reflect.New(t.Elem())); ok {
			out = zero
		}
	}
	v, n := reflect.ValueOf(out), normalizer{left: maxValues}
	if !v.IsValid() { // a nil interface
		return out
	}
	if normal, ok := reflect.TypeAssert[Out](n.value(v, 0)); ok && n.left >= 0 {
		return normal
	}
	return out
}

// Values beyond these limits are not normalized; for cyclic ones the encoder returns an error.
// Outputs stay far below these limits.
const (
	maxDepth  = 64
	maxValues = 1_000_000
)

// A normalizer normalizes one value. Left is how many parts it may still visit.
type normalizer struct{ left int }

// value returns v, or a normalized copy of it if its type may hold nil. Depth is how many parts enclose it.
func (n *normalizer) value(v reflect.Value, depth int) reflect.Value {
	if n.left--; n.left < 0 || depth > maxDepth || !mayHoldNil(v.Type()) {
		return v
	}
	depth++ // of what is inside
	var out reflect.Value
	switch v.Kind() { //nolint:exhaustive // the other kinds hold nothing
	case reflect.Slice, reflect.Array:
		if !mayHoldNil(v.Type().Elem()) && !v.IsNil() { // no array, whose items may hold nil if it may
			return v
		}
		if v.Kind() == reflect.Slice {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		} else {
			out = reflect.New(v.Type()).Elem()
		}
		for i := range v.Len() {
			out.Index(i).Set(n.value(v.Index(i), depth))
		}
	case reflect.Map:
		out = reflect.MakeMapWithSize(v.Type(), v.Len())
		for iter := v.MapRange(); iter.Next(); {
			out.SetMapIndex(iter.Key(), n.value(iter.Value(), depth))
		}
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return v
		}
		if v.Kind() == reflect.Interface {
			return n.value(v.Elem(), depth)
		}
		out = reflect.New(v.Type().Elem())
		out.Elem().Set(n.value(v.Elem(), depth))
	default: // a struct
		out = reflect.New(v.Type()).Elem()
		out.Set(v)
		n.fields(out, depth)
	}
	return out
}

// fields normalizes the fields of a struct that can be set. Unexported fields are not
// encoded. The exported fields of an unexported embedded struct are encoded, and can be set.
func (n *normalizer) fields(v reflect.Value, depth int) {
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		switch {
		case !f.IsExported() && f.Anonymous && f.Type.Kind() == reflect.Struct:
			n.fields(field, depth)
		case f.IsExported() && (!field.IsZero() || !strings.Contains(f.Tag.Get("json")+",", ",omitzero,")):
			field.Set(n.value(field, depth))
		}
	}
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	holders       sync.Map // reflect.Type -> bool
)

// mayHoldNil reports whether a value of type t may contain a slice or map that is encoded as null.
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
