package jsonvalue

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

var openTypes, plainTypes sync.Map // reflect.Type -> bool

// leavesOpen reports whether a value of a type may contain an interface, so that the JSON
// text determines the types that are decoded.
func leavesOpen(t reflect.Type) bool {
	return cached(&openTypes, t, func() bool { return walkType(t, map[reflect.Type]bool{}, isInterface) })
}

func isInterface(t reflect.Type) bool { return t.Kind() == reflect.Interface }

// IsPlain reports whether every value of a type with valid UTF-8 is decoded unchanged from
// its encoding. This holds if neither the type nor one of its parts has methods for JSON or
// text, fields that are embedded, unexported or have the options string or omitzero,
// interfaces, or a recursive definition.
func IsPlain(t reflect.Type) bool {
	return cached(&plainTypes, t, func() bool { return !walkType(t, map[reflect.Type]bool{}, isIntricate) })
}

func cached(known *sync.Map, t reflect.Type, is func() bool) bool {
	if v, ok := known.Load(t); ok {
		return v == true
	}
	v := is()
	known.Store(t, v)
	return v
}

// walkType reports whether found accepts a type or one of its parts, or the type is
// recursive.
func walkType(t reflect.Type, around map[reflect.Type]bool, found func(reflect.Type) bool) bool {
	if found(t) || around[t] {
		return true
	}
	around[t] = true
	defer delete(around, t)
	switch t.Kind() { //nolint:exhaustive // the others have no parts
	case reflect.Map:
		return walkType(t.Key(), around, found) || walkType(t.Elem(), around, found)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return walkType(t.Elem(), around, found)
	case reflect.Struct:
		for i := range t.NumField() {
			if walkType(t.Field(i).Type, around, found) {
				return true
			}
		}
	}
	return false
}

// ownEncodings are the interfaces of types with their own encoding or decoding.
var ownEncodings = []reflect.Type{
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

func isIntricate(t reflect.Type) bool {
	for _, own := range ownEncodings {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	switch t.Kind() { //nolint:exhaustive // the others are looked into
	case reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128, reflect.Array:
		return true
	case reflect.Map:
		return t.Key().Kind() != reflect.String
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			tag := f.Tag.Get("json")
			if f.Anonymous || !f.IsExported() || strings.Contains(tag, ",string") || strings.Contains(tag, ",omitzero") {
				return true
			}
		}
	}
	return false
}
