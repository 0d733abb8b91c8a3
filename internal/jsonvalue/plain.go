package jsonvalue

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

var openTypes, plainTypes sync.Map // reflect.Type -> bool

// leavesOpen reports whether a value of a type may hold an interface, so that JSON decides
// what is decoded into it.
func leavesOpen(t reflect.Type) bool {
	return cached(&openTypes, t, func() bool { return walkType(t, map[reflect.Type]bool{}, isInterface) })
}

func isInterface(t reflect.Type) bool { return t.Kind() == reflect.Interface }

// IsPlain reports whether what [Marshal] makes of a value of a type is decoded into the same
// JSON value, whatever it is, as long as all of its texts are valid UTF-8: the type and those
// of its parts have neither methods for JSON or text, nor fields that are embedded, not
// exported or of the options string and omitzero, nor interfaces, and do not hold themselves.
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

// walkType reports whether a type or one of its parts is found, or holds itself.
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

// ownEncodings are the interfaces of types that encode or decode themselves.
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
