package classify

import (
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// methodRows are the methods that return types of their own library, so they are called by
// reflection. Each name is a constant: a variable would make the linker keep all exported methods
// of a program.
var methodRows = []struct {
	name string
	of   func(reflect.Type) (reflect.Method, bool)
}{
	{"Code", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Code") }},
	{"ErrorCode", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ErrorCode") }},
	{"GRPCStatus", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GRPCStatus") }},
	{"Status", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Status") }},
	{"Details", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Details") }},
	{"ExtendedCode", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ExtendedCode") }},
	{"Number", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Number") }},
	{"Type", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Type") }},
	{"TypeId", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("TypeId") }},
	{"Kind", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Kind") }},
	{"Reason", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Reason") }},
	{"GetCode", func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GetCode") }},
}

func (s *typeInfo) readMethods(t reflect.Type) {
	for _, row := range methodRows {
		if m, ok := row.of(t); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 {
			if s.methods == nil {
				s.methods = map[string]reflect.Value{}
			}
			s.methods[row.name] = m.Func
		}
	}
	if m, ok := t.MethodByName("Value"); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 2 && m.Type.Out(0).Kind() == reflect.Interface {
		s.valueOf = m.Func
	}
	for _, g := range statusGetters {
		if t.Implements(g.of) {
			s.statusOf = g.call
			break
		}
	}
	for _, d := range declarers {
		if t.Implements(d.of) {
			s.declarers = append(s.declarers, d.call)
			break
		}
	}
	usedUp := s.name == "Error" && strings.HasPrefix(s.pkg, "github.com/avast/retry-go") // its attempts
	if d, ok := declaredNames[codes.Fold(s.name)]; ok || usedUp {
		d.permanent = !d.retryable
		s.declarers = append(s.declarers, func(error) declaration { return d })
	}
}

// call calls a method of methodRows and returns its result.
func (l *link) call(name string) (reflect.Value, bool) {
	f, ok := l.methods[name]
	if !ok {
		return reflect.Value{}, false
	}
	return f.Call([]reflect.Value{l.value})[0], true
}

// A method is an interface's method and a function that calls it.
type method[T any] struct {
	of   reflect.Type
	call func(error) T
}

func methodOf[I, T any](call func(I) T) method[T] {
	return method[T]{reflect.TypeFor[I](), func(err error) (t T) {
		if e, ok := err.(I); ok {
			return call(e)
		}
		return t
	}}
}

// A declaration is what an error states about retrying.
type declaration struct{ retryable, permanent bool }

// declarers read what an error declares. Only the first that a type implements is called.
var declarers = []method[declaration]{
	methodOf(func(e interface{ Retryable() bool }) declaration { return either(e.Retryable()) }),
	methodOf(func(e interface{ IsRetryable() bool }) declaration { return either(e.IsRetryable()) }),
	methodOf(func(e interface{ RetryableError() bool }) declaration { return either(e.RetryableError()) }),
	methodOf(func(e interface{ ShouldRetry() bool }) declaration { return either(e.ShouldRetry()) }),
	methodOf(func(e interface{ IsTransient() bool }) declaration { return declaration{retryable: e.IsTransient()} }),
	methodOf(func(e interface{ Permanent() bool }) declaration { return declaration{permanent: e.Permanent()} }),
	methodOf(func(e interface{ IsPermanent() bool }) declaration { return declaration{permanent: e.IsPermanent()} }),
	methodOf(func(e interface{ NonRetryable() bool }) declaration { return declaration{permanent: e.NonRetryable()} }),
}

// either returns the declaration of a method that reports retryability: false means permanent.
func either(retryable bool) declaration { return declaration{retryable, !retryable} }

// declaredNames are the names of types that declare something about retrying.
var declaredNames = map[string]declaration{
	"permanent": {}, "unrecoverable": {}, "nonretryable": {}, "notretryable": {}, "nonretriable": {}, "terminal": {}, "withassertionfailure": {},
	"retryable": {retryable: true}, "retriable": {retryable: true},
}

// declared returns what an error's methods and type declare about retrying.
func (l *link) declared() (retryable, permanent bool) {
	for _, of := range l.declarers {
		d := of(l.err)
		retryable, permanent = retryable || d.retryable, permanent || d.permanent
	}
	return retryable, permanent
}

// statusGetters read an HTTP status. Only the first that a type implements is called. The results
// of Status and Code count only from 400 to 599.
var statusGetters = []method[int]{
	methodOf(func(e interface{ HTTPStatusCode() int }) int { return e.HTTPStatusCode() }),
	methodOf(func(e interface{ StatusCode() int }) int { return e.StatusCode() }),
	methodOf(func(e interface{ HTTPStatus() int }) int { return e.HTTPStatus() }),
	methodOf(func(e interface{ HTTPCode() int }) int { return e.HTTPCode() }),
	methodOf(func(e interface{ GetStatusCode() int }) int { return e.GetStatusCode() }),
	methodOf(func(e interface{ Status() int }) int { return failed(e.Status()) }),
	methodOf(func(e interface{ Code() int }) int { return failed(e.Code()) }),
}

// failed returns status if it is a failure's, otherwise 0.
func failed(status int) int {
	if status >= 400 && status < 600 {
		return status
	}
	return 0
}

// A marker is a method without a result, named for a kind of failure, as in Docker.
type marker struct {
	of    reflect.Type
	class class.Class
}

func is[I any](c class.Class) marker { return marker{reflect.TypeFor[I](), c} }

var markers = []marker{
	is[interface{ NotFound() }](class.NotFound),
	is[interface{ AlreadyExists() }](class.Exists),
	is[interface{ InvalidParameter() }](class.Invalid),
	is[interface{ InvalidArgument() }](class.Invalid),
	is[interface{ OutOfRange() }](class.OutOfRange),
	is[interface{ Conflict() }](class.Conflict),
	is[interface{ FailedPrecondition() }](class.Precondition),
	is[interface{ Unauthorized() }](class.Unauthenticated),
	is[interface{ Unauthenticated() }](class.Unauthenticated),
	is[interface{ Forbidden() }](class.Denied),
	is[interface{ PermissionDenied() }](class.Denied),
	is[interface{ ResourceExhausted() }](class.Throttled),
	is[interface{ Unavailable() }](class.ReplyLost),
	is[interface{ DataLoss() }](class.Internal),
}

// marked returns the class of the only marker of a type. If it has several, the class is unknown.
func marked(t reflect.Type) (c class.Class) {
	for _, m := range markers {
		switch {
		case !t.Implements(m.of):
		case c != class.Unknown:
			return class.Unknown
		default:
			c = m.class
		}
	}
	return c
}
