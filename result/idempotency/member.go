package idempotency

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"reflect"
	"strconv"
)

// takesMembers reports whether In is a struct or a map that decodes as one.
func takesMembers[In any]() bool {
	t := reflect.TypeFor[In]()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return (t.Kind() == reflect.Struct || t.Kind() == reflect.Map) && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// setMember sets a member of the arguments if in has a place for it.
func setMember[In any](in *In, name, value string) error {
	raw, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(in)
}

// holdsMember reports whether In has a member with exactly this name. Decoding alone ignores
// case.
func holdsMember[In any](name string) bool {
	in, key := new(In), rand.Text()
	if setMember(in, name, key) != nil {
		return false
	}
	raw, err := json.Marshal(in)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal(raw, &members) != nil {
		return true // it has its own encoding, and the author's schema
	}
	return string(members[name]) == strconv.Quote(key)
}
