package classify

import (
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A marker is a method whose name is a kind of failure. It has no result, as in containerd
// and Docker, or reports whether the error is of that kind.
type marker struct {
	class  class.Class
	index  int
	isBool bool
}

// markerNames are the names of markers, without the optional prefix Is.
var markerNames = []struct {
	class class.Class
	names string
}{
	{class.NotFound, "NotFound NotExist"},
	{class.Exists, "AlreadyExists Exists"},
	{class.Invalid, "InvalidParameter InvalidArgument BadRequest"},
	{class.OutOfRange, "OutOfRange"},
	{class.Conflict, "Conflict"},
	{class.Precondition, "FailedPrecondition PreconditionFailed"},
	{class.Unauthenticated, "Unauthorized Unauthenticated"},
	{class.Denied, "Forbidden PermissionDenied AccessDenied"},
	{class.Throttled, "RateLimited Throttled TooManyRequests"},
	{class.ReplyLost, "Unavailable"},
	{class.Internal, "DataLoss"},
}

// markersOf returns the markers of a type. Exists with a result is not one, because it asks
// about an object.
func markersOf(t reflect.Type) (markers []marker) {
	for _, row := range markerNames {
		for name := range strings.FieldsSeq(row.names) {
			for _, prefix := range []string{"", "Is"} {
				m, ok := t.MethodByName(prefix + name)
				if !ok || m.Type.NumIn() != 1 {
					continue
				}
				isBool := m.Type.NumOut() == 1 && m.Type.Out(0).Kind() == reflect.Bool
				if m.Type.NumOut() == 0 || isBool && prefix+name != "Exists" {
					markers = append(markers, marker{row.class, m.Index, isBool})
				}
			}
		}
	}
	return markers
}

// marked classifies by the marker that applies. If several apply, the class is unknown.
func (in *inspector) marked() (found class.Class) {
	for _, m := range in.markers {
		if m.isBool && !in.value.Method(m.index).Call(nil)[0].Bool() {
			continue
		}
		if found != class.Unknown {
			return class.Unknown
		}
		found = m.class
	}
	return found
}

// A statusGetter calls an interface's method that returns an HTTP status.
type statusGetter struct {
	of   reflect.Type
	call func(error) int
}

func getter[T any](call func(T) int) statusGetter {
	return statusGetter{reflect.TypeFor[T](), func(err error) int {
		e, ok := any(err).(T)
		if !ok {
			return 0
		}
		return call(e)
	}}
}

// statusGetters are tried in order. The result of a method named Code is a status only if
// it is in the range of one.
var statusGetters = []statusGetter{
	getter(func(e interface{ HTTPStatusCode() int }) int { return e.HTTPStatusCode() }),
	getter(func(e interface{ StatusCode() int }) int { return e.StatusCode() }),
	getter(func(e interface{ HTTPStatus() int }) int { return e.HTTPStatus() }),
	getter(func(e interface{ HTTPCode() int }) int { return e.HTTPCode() }),
	getter(func(e interface{ GetStatusCode() int }) int { return e.GetStatusCode() }),
	getter(func(e interface{ GetHTTPStatusCode() int }) int { return e.GetHTTPStatusCode() }),
	getter(func(e interface{ HttpStatus() int }) int { return e.HttpStatus() }),
	getter(func(e interface{ HttpStatusCode() int }) int { return e.HttpStatusCode() }),
	getter(func(e interface{ ResponseStatus() int }) int { return e.ResponseStatus() }),
	getter(func(e interface{ GetStatus() int }) int { return failed(e.GetStatus()) }),
	getter(func(e interface{ Status() int }) int { return failed(e.Status()) }),
	getter(func(e interface{ Code() int }) int { return failed(e.Code()) }),
	getter(func(e interface{ GetCode() int }) int { return failed(e.GetCode()) }),
}

// failed returns status if it is that of a failure, otherwise 0.
func failed(status int) int {
	if status >= 400 && status < 600 {
		return status
	}
	return 0
}

// statusMethod returns a function that calls the type's method that returns an HTTP status,
// or nil if there is none.
func statusMethod(t reflect.Type) func(error) int {
	for _, g := range statusGetters {
		if t.Implements(g.of) {
			return g.call
		}
	}
	return nil
}
