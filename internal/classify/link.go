package classify

import (
	"iter"
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// A link is one error of a chain, without what it wraps. It reads the text and the gRPC status only once.
type link struct {
	*typeInfo

	err    error
	value  reflect.Value // the error
	object reflect.Value // what it points to, or the error itself

	said   *string // the text, once it was asked for
	remote rpc     // what an RPC error says
}

// link returns the link of an error. The members of a Kubernetes error are those of the status that it has.
func (t *typeInfo) link(err error) *link {
	l := linkTo(reflect.ValueOf(err))
	l.err = err
	if l.isNil() {
		return l
	}
	status := l // or that of a gRPC or Temporal error
	for _, inner := range l.called(spelling.Inners) {
		if inner.Kind() == reflect.Struct {
			l = linkTo(inner)
			l.err, status = err, l
			break
		}
		if inner.Kind() == reflect.Pointer { // that of GRPCStatus, which is last, counts
			status = linkTo(inner)
		}
	}
	l.remote = rpcOf(status)
	return l
}

// linkTo returns the link of a value that is not an error.
func linkTo(v reflect.Value) *link {
	return &link{typeInfo: typeInfoOf(v.Type()), value: v, object: reflect.Indirect(v)}
}

func (l *link) isNil() bool { return l.value.Kind() == reflect.Pointer && l.value.IsNil() }

// text returns the error's text. It calls Error only once.
func (l *link) text() string {
	if l.said == nil {
		text := l.err.Error()
		l.said = &text
	}
	return *l.said
}

func (l *link) called(m spelling.Meaning) (list []reflect.Value) {
	for _, f := range l.methods[m] {
		list = append(list, f.Call([]reflect.Value{l.value})[0])
	}
	return list
}

// members returns what the methods with a meaning return, and then the fields with it, without those
// behind nil pointers.
func (l *link) members(m spelling.Meaning) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		for _, v := range l.called(m) {
			if !yield(v) {
				return
			}
		}
		fieldsAt(l.object, l.paths[m])(yield)
	}
}

// firstOf returns the first result of read that is not zero, or zero.
func firstOf[T comparable](values iter.Seq[reflect.Value], read func(reflect.Value) T) (result T) {
	for v := range values {
		if result = read(v); result != *new(T) {
			break
		}
	}
	return result
}

// fieldsAt returns the fields of a struct, without those behind nil pointers.
func fieldsAt(object reflect.Value, paths [][]int) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		for _, path := range paths {
			f := object // a nil pointer is invalid, and an empty path is the object's own
			for i := 0; i < len(path) && f.IsValid(); i++ {
				if f = reflect.Indirect(f); f.IsValid() {
					f = f.Field(path[i])
				}
			}
			if f.IsValid() && !yield(f) {
				return
			}
		}
	}
}

// listed returns the structs of an error's lists, each with the paths of its fields.
func (l *link) listed() iter.Seq2[reflect.Value, *paths] {
	return func(yield func(reflect.Value, *paths) bool) {
		for _, it := range l.items {
			for list := range fieldsAt(l.object, [][]int{it.path}) {
				for i := range min(list.Len(), answers.MaxItems) {
					if object := reflect.Indirect(list.Index(i)); object.IsValid() && !yield(object, it.paths) {
						return
					}
				}
			}
		}
	}
}

// number returns the integer in v, or in what v points to, or 0.
func number(v reflect.Value) int64 {
	switch v = reflect.Indirect(v); {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint()) //nolint:gosec // what is over the range of an int64 is no code
	}
	return 0
}

// word returns the text in a string or in bytes, also behind a pointer or an interface.
func word(v reflect.Value) string {
	v = indirect(v)
	if v.Kind() == reflect.String {
		return v.String()
	}
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array || v.Type().Elem().Kind() != reflect.Uint8 {
		return ""
	}
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	return string(b)
}

// named returns the text in v, or the name of an enumeration's value, without a number behind it.
func named(v reflect.Value) string {
	if text := word(v); text != "" {
		return text
	}
	if n := reflect.Indirect(v); n.CanInt() || n.CanUint() || v.Kind() == reflect.Struct {
		if s, ok := reflect.TypeAssert[interface{ String() string }](v); ok {
			name, _, _ := strings.Cut(s.String(), " (")
			return name
		}
	}
	return ""
}

// indirect returns what pointers and interfaces hold.
func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}
