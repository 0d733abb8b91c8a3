package classify

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// A typeInfo is what is worth looking at in errors of one type of another library:
// worked out once for each type. The paths lead to fields, over embedded ones.
type typeInfo struct {
	pkg, name string // without the major version, and of the type pointed to
	codes     *codeTable
	number    [][]int // fields that may hold a code of the library's own numbers
	status    [][]int // ints that may hold an HTTP status
	code      [][]int // ints that hold one only if they look like it
	words     [][]int // strings that may hold a code
	items     []item  // lists of structs that have such strings
	response  [][]int // *http.Response
	header    [][]int // http.Header
	delays    [][]int
	limits    bool    // the type says rate limit by its name
	resets    [][]int // time.Time at which a limit ends
	methods   map[string]int
}

type item struct {
	path  []int
	words [][]int
}

var typeInfos sync.Map // reflect.Type -> *typeInfo

func typeInfoOf(t reflect.Type) *typeInfo {
	if s, ok := typeInfos.Load(t); ok {
		return s.(*typeInfo) //nolint:errcheck // nothing else is stored
	}
	s := newTypeInfo(t)
	typeInfos.Store(t, s)
	return s
}

var (
	statusNames = []string{"StatusCode", "HTTPStatusCode", "HTTPStatus", "HttpStatus", "HTTPCode", "HttpStatusCode", "HttpCode", "ResponseCode", "Status"}
	wordNames   = []string{"Code", "ErrorCode", "ErrCode", "Reason", "Type", "ErrorType", "Kind", "Status", "Name", "Err"}
	numberNames = []string{"ExtendedCode", "Code", "Number", "ResultCode", "ErrorCode", "ErrCode"}
	resetNames  = []string{"Reset", "ResetAt", "ResetTime", "RateLimitReset"}
	rateNames   = []string{"Rate", "RateLimit"}
	afterNames  = []string{"RetryAfter", "RetryAfterSeconds", "RetryIn", "RetryDelay"}
	methodNames = []string{"Code", "ErrorCode", "ErrorFault", "GRPCStatus", "Status", "APIError", "Details", "ExtendedCode", "Number", "HTTPResponse", "Message", "Type"}
)

func newTypeInfo(t reflect.Type) *typeInfo {
	s := &typeInfo{methods: map[string]int{}}
	for _, name := range methodNames {
		if m, ok := t.MethodByName(name); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 {
			s.methods[name] = m.Index
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s.pkg, s.name = unversioned(t.PkgPath()), t.Name()
	s.codes, s.limits = codesOf(s.pkg), byName(s.name) == throttled
	if t.Kind() == reflect.Struct {
		s.readFields(t)
	}
	return s
}

func (s *typeInfo) readFields(t reflect.Type) {
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() {
			continue
		}
		switch f.Type {
		case reflect.TypeFor[*http.Response]():
			s.response = append(s.response, f.Index)
		case reflect.TypeFor[http.Header]():
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
	s.resets = resetPaths(t, true)
	if s.name == "RetryAfterError" {
		s.delays = append(s.delays, pick([]string{"Duration"}, func(t reflect.Type) bool { return t == reflect.TypeFor[time.Duration]() })...)
	}
	if f, ok := fields["Errors"]; ok && f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
		it := item{path: f.Index}
		for _, name := range wordNames {
			if w, ok := f.Type.Elem().FieldByName(name); ok && w.IsExported() && isWord(w.Type) {
				it.words = append(it.words, w.Index)
			}
		}
		s.items = append(s.items, it)
	}
}

// resetPaths returns the paths to the points in time of the fields Reset and the like
// of a struct, and of its fields Rate and the like. Some types embed a [time.Time].
func resetPaths(t reflect.Type, deeper bool) (paths [][]int) {
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() {
			continue
		}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		var below [][]int
		switch {
		case f.Type == reflect.TypeFor[time.Time]() && slices.Contains(resetNames, f.Name):
			below = [][]int{nil}
		case inner.Kind() != reflect.Struct:
		case slices.Contains(resetNames, f.Name):
			if embedded, ok := inner.FieldByName("Time"); ok && embedded.Anonymous && embedded.Type == reflect.TypeFor[time.Time]() {
				below = [][]int{embedded.Index}
			}
		case deeper && slices.Contains(rateNames, f.Name):
			below = resetPaths(inner, false)
		}
		for _, path := range below {
			paths = append(paths, slices.Concat(f.Index, path))
		}
	}
	return paths
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
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 && t != reflect.TypeFor[time.Duration]()
}

func isWord(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Interface && t.NumMethod() == 0 ||
		t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String
}

func isDelay(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == reflect.TypeFor[time.Duration]() || isInt(t) || t.Kind() == reflect.Float64
}
