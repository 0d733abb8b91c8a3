package toolerr

import (
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"
)

// A shape is what is worth looking at in errors of one type of another library:
// worked out once for each type. The paths lead to fields, over embedded ones.
type shape struct {
	pkg, name string // without the major version, and of the type pointed to
	numbers   func(int64) verdict
	number    [][]int // fields that may hold a code of the library's own numbers
	status    [][]int // ints that may hold an HTTP status
	code      [][]int // ints that hold one only if they look like it
	words     [][]int // strings that may hold a code
	items     []item  // lists of structs that have such strings
	response  [][]int // *http.Response
	header    [][]int // http.Header
	delays    [][]int
	methods   map[string]int
}

type item struct {
	path  []int
	words [][]int
}

var shapes sync.Map // reflect.Type -> *shape

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape) //nolint:errcheck // nothing else is stored
	}
	s := newShape(t)
	shapes.Store(t, s)
	return s
}

var (
	statusNames = []string{"StatusCode", "HTTPStatusCode", "HTTPStatus", "HttpStatus", "HTTPCode", "HttpStatusCode", "HttpCode", "ResponseCode", "Status"}
	wordNames   = []string{"Code", "ErrorCode", "ErrCode", "Reason", "Type", "ErrorType", "Kind", "Status", "Name", "Err"}
	numberNames = []string{"ExtendedCode", "Code", "Number", "ResultCode", "ErrorCode", "ErrCode"}
	afterNames  = []string{"RetryAfter", "RetryAfterSeconds", "RetryIn", "RetryDelay"}
	methodNames = []string{"Code", "ErrorCode", "ErrorFault", "GRPCStatus", "Status", "APIError", "Details", "ExtendedCode", "Number", "HTTPResponse", "Message", "Type"}

	responseType = reflect.TypeFor[*http.Response]()
	headerType   = reflect.TypeFor[http.Header]()
	durationType = reflect.TypeFor[time.Duration]()
)

func newShape(t reflect.Type) *shape {
	s := &shape{methods: map[string]int{}}
	for _, name := range methodNames {
		if m, ok := t.MethodByName(name); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 {
			s.methods[name] = m.Index
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s.pkg, s.name = unversioned(t.PkgPath()), t.Name()
	s.numbers = numbersOf(s.pkg)
	if t.Kind() != reflect.Struct {
		return s
	}
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() {
			continue
		}
		switch f.Type {
		case responseType:
			s.response = append(s.response, f.Index)
		case headerType:
			s.header = append(s.header, f.Index)
		}
		fields[f.Name] = f
	}
	pick := func(names []string, fits func(reflect.Type) bool) (paths [][]int) {
		for _, name := range names {
			if f, ok := fields[name]; ok && fits(f.Type) {
				paths = append(paths, f.Index)
			}
		}
		return paths
	}
	s.status = pick(statusNames, isInt)
	s.code = pick([]string{"Code"}, isInt)
	s.words = pick(wordNames, isWord)
	s.number = pick(numberNames, isInt)
	s.delays = pick(afterNames, isDelay)
	if d, ok := fields["Duration"]; ok && s.name == "RetryAfterError" && d.Type == durationType {
		s.delays = append(s.delays, d.Index)
	}
	if f, ok := fields["Errors"]; ok && f.Type.Kind() == reflect.Slice {
		if elem := f.Type.Elem(); elem.Kind() == reflect.Struct {
			it := item{path: f.Index}
			for _, name := range wordNames {
				if w, ok := elem.FieldByName(name); ok && w.IsExported() && isWord(w.Type) {
					it.words = append(it.words, w.Index)
				}
			}
			s.items = append(s.items, it)
		}
	}
	return s
}

// unversioned cuts a major version out of an import path.
func unversioned(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i > 0; i-- {
		if p := parts[i]; len(p) > 1 && p[0] == 'v' && strings.Trim(p[1:], "0123456789") == "" {
			parts = append(parts[:i], parts[i+1:]...)
		}
	}
	return strings.Join(parts, "/")
}

func isInt(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 && t != durationType
}

func isWord(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Interface && t.NumMethod() == 0 ||
		t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String
}

func isDelay(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == durationType || isInt(t) || t.Kind() == reflect.Float64
}

// field returns the value at path, and whether there is one.
func field(v reflect.Value, path []int) (reflect.Value, bool) {
	f, err := v.FieldByIndexErr(path)
	return f, err == nil
}

func number(v reflect.Value) (int64, bool) {
	switch {
	case v.CanInt():
		return v.Int(), true
	case v.CanUint() && v.Uint() <= 1<<62:
		return int64(v.Uint()), true
	}
	return 0, false
}

// word returns the text of a string, of a pointer to one, of an interface that
// holds one, or of an enumeration that names its values.
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

// delay reads a wait: a bare number is in seconds, as in every API that is known
// to have one.
func delay(v reflect.Value) time.Duration {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0
		}
		v = v.Elem()
	}
	switch {
	case v.Type() == durationType:
		return clamp(time.Duration(v.Int()))
	case v.CanFloat():
		return seconds(v.Float())
	}
	n, _ := number(v)
	return seconds(float64(n))
}

// seconds returns n seconds as a delay within bounds.
func seconds(n float64) time.Duration {
	if !(n > 0) {
		return 0
	}
	return time.Duration(min(n, maxRetryAfter.Seconds()) * float64(time.Second))
}

func clamp(d time.Duration) time.Duration { return min(max(d, 0), maxRetryAfter) }
