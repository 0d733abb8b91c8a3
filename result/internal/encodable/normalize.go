package encodable

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Normalize returns v with empty slices and maps in place of nil ones, all the way
// down, so that they go out as [] and {} instead of null. What v shares with
// others is copied before it is changed. Types that encode themselves are left
// alone.
func Normalize(v any) any {
	if v == nil {
		return nil
	}
	n := normalizer{left: maxValues}
	normal, changed := n.value(reflect.ValueOf(v), 0)
	if !changed || n.left < 0 {
		return v
	}
	return normal.Interface()
}

// NormalizeOutput is [Normalize] for a typed handler's output. A nil pointer goes out
// as what it would point to, as the SDK has it.
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

// What holds itself cannot be encoded, and is left to the encoder to complain
// about; so is what is larger than any answer. Chosen: more than answers have by
// far.
const (
	maxDepth  = 64
	maxValues = 1_000_000
)

// A normalizer normalizes one value. It gives up after so many parts of it.
type normalizer struct{ left int }

func (n *normalizer) value(v reflect.Value, depth int) (reflect.Value, bool) {
	if n.left--; n.left < 0 || depth > maxDepth || !mayHoldNil(v.Type()) {
		return v, false
	}
	switch v.Kind() { //nolint:exhaustive // the other kinds hold nothing
	case reflect.Slice:
		if v.IsNil() {
			return reflect.MakeSlice(v.Type(), 0, 0), true
		}
		return n.items(v, depth)
	case reflect.Array:
		return n.items(v, depth)
	case reflect.Map:
		return n.object(v, depth)
	case reflect.Struct:
		return n.structure(v, depth)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		elem, changed := n.value(v.Elem(), depth+1)
		if !changed {
			return v, false
		}
		if v.Kind() == reflect.Interface {
			return elem, true
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(elem)
		return p, true
	}
	return v, false
}

// items normalizes the items of a slice or array.
func (n *normalizer) items(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	for i := range v.Len() {
		item, changed := n.value(v.Index(i), depth+1)
		if !changed {
			continue
		}
		if !out.IsValid() {
			if v.Kind() == reflect.Slice {
				out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			} else {
				out = reflect.New(v.Type()).Elem()
			}
			reflect.Copy(out, v)
		}
		out.Index(i).Set(item)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

func (n *normalizer) object(v reflect.Value, depth int) (reflect.Value, bool) {
	if v.IsNil() {
		return reflect.MakeMap(v.Type()), true
	}
	var out reflect.Value
	for iter := v.MapRange(); iter.Next(); {
		item, changed := n.value(iter.Value(), depth+1)
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeMapWithSize(v.Type(), v.Len())
			for all := v.MapRange(); all.Next(); {
				out.SetMapIndex(all.Key(), all.Value())
			}
		}
		out.SetMapIndex(iter.Key(), item)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

func (n *normalizer) structure(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	n.fields(v, depth, func() reflect.Value {
		if !out.IsValid() {
			out = reflect.New(v.Type()).Elem()
			out.Set(v)
		}
		return out
	})
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

// fields normalizes the fields of struct v in the copy that target returns.
// Unexported fields are not encoded, and cannot be set; but the exported fields
// of an unexported embedded struct are and can.
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

// mayHoldNil reports whether a value of type t can hold a slice or map that is
// encoded as null.
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
		return false // whatever makes it true is found where t was met first
	}
	seen[t] = true
	if p := reflect.PointerTo(t); p.Implements(jsonMarshaler) || p.Implements(textMarshaler) {
		return false // the pointer's methods include the value's
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
