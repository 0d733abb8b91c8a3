package classify

import (
	"cmp"
	"errors"
	"iter"
	"reflect"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// inspect classifies one error of a chain without what it wraps.
func (s *typeInfo) inspect(err error, at place) finding {
	if s.isWrapper {
		return finding{class: wrapped(err), confidence: low}
	}
	if !s.isForeign {
		if f, ok := sentinel(err, at.file); ok {
			return f
		}
		if c := standard(err, at.dialing); c == class.Internal || c.MayBeCallersFault() { // less specific than a timeout around it
			return finding{class: c, confidence: low}
		} else if c != class.Unknown {
			return finding{class: c, confidence: high}
		}
	}
	if x, ok := err.(interface{ Is(error) bool }); ok {
		if x.Is(ErrGuessed) {
			return finding{} // its cause is classified next
		}
		if c := alias(x, at.dialing); c != class.Unknown {
			return finding{class: c, confidence: high}
		}
	}
	return s.thirdParty(err, at.dialing)
}

// ErrGuessed matches, under [errors.Is], an error that this package classified and whose
// author did not change the classification. ErrGuessedEffect matches one whose author did
// not change the effect.
var (
	ErrGuessed       = errors.New("classify: a guessed kind")
	ErrGuessedEffect = errors.New("classify: a guessed effect")
	// ErrGuessedWords matches an error that was classified by the words of its text.
	ErrGuessedWords = errors.New("classify: a kind guessed from words")
)

// thirdParty classifies an error of another library by its methods, its fields, its type's
// name and, as the last resort, its text.
//
// If one of its methods panics, the error is unclassified and permanent.
func (s *typeInfo) thirdParty(err error, dialing bool) (f finding) {
	defer func() {
		if recover() != nil {
			f = finding{permanent: true}
		}
	}()
	if s.isPlain {
		text := err.Error()
		return finding{class: codes.FromText(text), confidence: low, permanent: codes.IsPermanentText(text)}
	}
	var in inspector
	in.read(s, reflect.ValueOf(err))
	if in.value.Kind() == reflect.Pointer && in.value.IsNil() {
		return finding{}
	}
	in.readStatus()
	f.retryable, f.permanent = in.declared(err)
	after := in.after(err)
	f.class, f.confidence, f.after = in.class(err)
	switch {
	case in.named == class.Throttled && f.confidence < high && (f.class == class.Unknown || f.class == class.Denied || f.class == class.Invalid): // a bare 403 is less specific
		f.class, f.confidence = class.Throttled, httpStatus
		after = cmp.Or(after, in.reset())
	case f.class == class.Unknown:
		f.class, f.confidence = in.guess(err, dialing), low
	}
	f.after = max(f.after, after)
	if f.class.IsThrottle() || f.class == class.Invalid && f.confidence == httpStatus {
		f.class, f.after = in.refined(err, f.class, f.after)
	}
	return f
}

// guess classifies by weak evidence: a method, the type's name, a text.
func (in *inspector) guess(err error, dialing bool) class.Class {
	c := byMethod(err, dialing)
	if p := codes.FromPackage(in.pkg); p != class.Unknown {
		c = p
	}
	if c == class.Unknown || c == class.ReplyLost && in.named != class.Unknown {
		c = in.named
	}
	if c == class.Unknown {
		c = in.marked()
	}
	if branches, inner := unwrap(err); c == class.Unknown && inner == nil && branches == nil {
		c = codes.FromLibraryText(in.pkg, err.Error())
	}
	return c
}

func byMethod(err error, dialing bool) class.Class {
	if e, ok := err.(interface{ Timeout() bool }); ok && e.Timeout() {
		return timeout(dialing)
	}
	if isTemporary(err) {
		if dialing {
			return class.Unavailable
		}
		return class.ReplyLost // the effect is unknown
	}
	return class.Unknown
}

func isTemporary(err error) bool {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ Temporary() bool }:
		return e.Temporary()
	case interface{ IsTemporary() bool }:
		return e.IsTemporary()
	case interface{ IsTemp() bool }:
		return e.IsTemp()
	}
	return false
}

// An inspector reads the methods and fields of one error.
type inspector struct {
	*typeInfo

	value   reflect.Value // the error itself
	object  reflect.Value // its struct, or the zero Value
	grpc    *inspector    // the status of a gRPC error; may be nil
	isGRPC  bool
	decoded []any // the details of a grpc-go status
}

func newInspector(v reflect.Value) (in inspector) {
	in.read(typeInfoOf(v.Type()), v)
	return in
}

// read sets the value of an inspector, whose type has the info s.
func (in *inspector) read(s *typeInfo, v reflect.Value) {
	in.typeInfo, in.value = s, v
	switch {
	case !s.isStruct:
	case v.Kind() == reflect.Pointer:
		in.object = v.Elem()
	default:
		in.object = v
	}
}

// call calls a method without arguments and returns its only result.
func (in *inspector) call(name string) (reflect.Value, bool) {
	i, ok := in.methods[name]
	if !ok {
		return reflect.Value{}, false
	}
	return in.value.Method(i).Call(nil)[0], true
}

// statusStruct returns the status of a Kubernetes error.
func (in *inspector) statusStruct() (reflect.Value, bool) {
	r, ok := in.call("Status")
	return r, ok && r.Kind() == reflect.Struct
}

// message returns the result of the Message method, or an empty string.
func (in *inspector) message() string {
	if e, ok := reflect.TypeAssert[interface{ Message() string }](in.value); ok {
		return e.Message()
	}
	text, _ := in.call("Message")
	return word(text)
}

// fields returns the values at the paths, without those behind nil pointers.
func (in *inspector) fields(paths [][]int) iter.Seq[reflect.Value] {
	object := in.object
	return func(yield func(reflect.Value) bool) {
		if !object.IsValid() {
			return
		}
		for _, path := range paths {
			if f, err := object.FieldByIndexErr(path); err == nil && !yield(f) {
				return
			}
		}
	}
}

func number(v reflect.Value) (int64, bool) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return v.Int(), true
	case v.CanUint() && v.Uint() <= 1<<62:
		return int64(v.Uint()), true
	}
	return 0, false
}

// word returns the text in a string, a pointer to a string, or an interface.
func word(v reflect.Value) string {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	return ""
}

// named returns a string, or the name of an enumeration's value.
func named(v reflect.Value) string {
	if text := word(v); text != "" {
		return text
	}
	if _, ok := number(v); ok && v.CanInterface() {
		if s, ok := reflect.TypeAssert[interface{ String() string }](v); ok {
			return s.String()
		}
	}
	return ""
}
