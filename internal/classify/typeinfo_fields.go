package classify

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// visibleFields maps the names of a struct's exported fields, including those of embedded
// structs, to the fields.
type visibleFields map[string]reflect.StructField

func fieldsOf(t reflect.Type) visibleFields {
	fields := visibleFields{}
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() {
			fields[f.Name] = f
		}
	}
	return fields
}

// pick returns the paths of the fields with these names and a fitting type, in the order of
// names.
func (fields visibleFields) pick(names []string, fits func(reflect.Type) bool) (paths [][]int) {
	for _, name := range names {
		if f, ok := fields[name]; ok && fits(f.Type) {
			paths = append(paths, f.Index)
		}
	}
	return paths
}

// find returns the paths of the fields with a fitting name and type, in the order of the
// struct.
func (fields visibleFields) find(named func(string) bool, fits func(reflect.Type) bool) (paths [][]int) {
	for _, f := range fields {
		if named(f.Name) && fits(f.Type) {
			paths = append(paths, f.Index)
		}
	}
	slices.SortFunc(paths, slices.Compare)
	return paths
}

// isStatusName reports whether the words of a field's name suggest an HTTP status. The
// names in statusNames are read separately.
func isStatusName(name string) bool {
	var words codes.Stems
	words.Split(name)
	return !slices.Contains(statusNames, name) && (words.Has(" status ") || words.Has(" code ") && words.Has(" http response "))
}

// isCodeName reports whether the words of a field's name suggest a code: the last word
// means code, and the words before it refer to errors.
func isCodeName(name string) bool {
	words := strings.Fields(strings.ToLower(spaced(name)))
	if len(words) < 2 || slices.Contains(wordNames, name) || !strings.Contains(codeNouns, " "+words[len(words)-1]+" ") {
		return false
	}
	for _, word := range words[:len(words)-1] {
		if !strings.Contains(errorNouns, " "+word+" ") {
			return false
		}
	}
	return true
}

const (
	codeNouns  = " code reason type kind status name category key id issue "
	errorNouns = " error err fault failure exception problem issue api http grpc rpc status sub service inner original vendor native extended "
)

// isOtherName reports whether a field's name does not suggest a code.
func isOtherName(name string) bool {
	return !slices.Contains(wordNames, name) && !isCodeName(name)
}

// spaced puts spaces between the words of a Go name.
func spaced(name string) string {
	b := make([]byte, 0, len(name)+4)
	for i := range len(name) {
		if i > 0 && codes.StartsWord(name, i) {
			b = append(b, ' ')
		}
		b = append(b, name[i])
	}
	return string(b)
}

// containerNames are the fields in which types keep a service's decoded reply.
var containerNames = []string{
	"Error", "Err", "ErrorInfo", "ErrorBody", "ErrorCause", "ErrorResponse", "ErrorDetail", "ErrorDetails", "Body", "Detail", "Details", "Fault",
	"Cause", "Status", "Info", "Data", "Payload", "Model", "Result", "Response", "Errors", "Issues", "Causes", "Violations", "Reasons", "Failures",
}

// objectNames are the fields in which types keep untyped objects of a reply.
var objectNames = append([]string{"Extensions", "Metadata", "Extra"}, containerNames...)

// readContainer adds the fields of a struct in an error, or of the structs of a list. For a
// struct it also adds its lists.
func (s *typeInfo) readContainer(f reflect.StructField, deeper int) {
	t := f.Type
	isList := t.Kind() == reflect.Slice
	if isList {
		t = t.Elem()
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || f.Anonymous || t == reflect.TypeFor[http.Response]() {
		return
	}
	fields := fieldsOf(t)
	words := slices.Concat(fields.pick(wordNames, isWord), fields.pick([]string{"Issue"}, isWord), fields.find(isCodeName, isWord))
	objects := fields.pick(objectNames, isObject)
	if isList {
		s.items = append(s.items, item{f.Index, words, objects})
		return
	}
	within := func(paths [][]int) (out [][]int) {
		for _, path := range paths {
			out = append(out, slices.Concat(f.Index, path))
		}
		return out
	}
	s.words = append(s.words, within(words)...)
	s.objects = append(s.objects, within(objects)...)
	s.status = append(s.status, within(fields.pick(statusNames, isNumber))...)
	s.code = append(s.code, within(fields.pick([]string{"Code"}, isNumber))...)
	s.delays = append(s.delays, within(fields.pick(afterNames, isDelay))...)
	for _, name := range containerNames {
		if inner, ok := fields[name]; ok && deeper > 0 && inner.Type.Kind() == reflect.Slice {
			inner.Index = slices.Concat(f.Index, inner.Index)
			s.readContainer(inner, deeper-1)
		}
	}
}

// sqlStateNames are the fields that hold a SQLSTATE.
var sqlStateNames = []string{"SQLState", "SqlState", "Sqlstate", "SQLSTATE", "SQLStateCode", "SqlStateCode"}

// isState reports whether a type can hold a SQLSTATE.
func isState(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Array && t.Len() == 5 && t.Elem().Kind() == reflect.Uint8
}

func isEnum(t reflect.Type) bool {
	return isInt(t) && t.Implements(reflect.TypeFor[interface{ String() string }]())
}

func isInt(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 && t != reflect.TypeFor[time.Duration]()
}

// isNumber reports whether a type can hold a number: an int or a pointer to one.
func isNumber(t reflect.Type) bool {
	return isInt(t) || t.Kind() == reflect.Pointer && isInt(t.Elem())
}

func isWord(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Interface && t.NumMethod() == 0 ||
		t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String
}

// isWordBehind reports whether a field of a type can hold what [word] reads.
func isWordBehind(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.String || t.Kind() == reflect.Interface
}

func isDelay(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == reflect.TypeFor[time.Duration]() || isInt(t) || t.Kind() == reflect.Float64
}
