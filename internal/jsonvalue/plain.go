package jsonvalue

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

var plainTypes sync.Map // reflect.Type -> bool

// IsPlain reports whether every value of a type with valid UTF-8 is decoded unchanged from
// its encoding. This holds if neither the type nor one of its parts has methods for JSON or
// text, fields that are embedded, unexported or have the options string or omitzero,
// interfaces, or a recursive definition.
func IsPlain(t reflect.Type) bool {
	if known, ok := plainTypes.Load(t); ok {
		return known == true
	}
	is := isPlain(t, nil)
	plainTypes.Store(t, is)
	return is
}

// ownEncodings are the interfaces of types with their own encoding or decoding.
var ownEncodings = []reflect.Type{
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

// isPlain is [IsPlain] for a part of the types around it.
func isPlain(t reflect.Type, around []reflect.Type) bool {
	hasOwn := slices.ContainsFunc(ownEncodings, func(own reflect.Type) bool { return t.Implements(own) || reflect.PointerTo(t).Implements(own) })
	if hasOwn || slices.Contains(around, t) {
		return false
	}
	around = append(around, t)
	switch t.Kind() { //nolint:exhaustive // the others are numbers, texts and booleans
	case reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128, reflect.Array:
		return false
	case reflect.Map:
		return t.Key().Kind() == reflect.String && isPlain(t.Key(), around) && isPlain(t.Elem(), around)
	case reflect.Pointer, reflect.Slice:
		return isPlain(t.Elem(), around)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			tag := f.Tag.Get("json")
			if f.Anonymous || !f.IsExported() || strings.Contains(tag, ",string") || strings.Contains(tag, ",omitzero") || !isPlain(f.Type, around) {
				return false
			}
		}
	}
	return true
}
