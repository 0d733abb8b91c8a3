package classify

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// A typeInfo says where errors of one type hold codes, statuses, delays and replies. It is computed once for each type.
type typeInfo struct {
	pkg, name string
	named     class.Class // the class of the name
	class     class.Class // of a type of the standard library
	codes     *codes.Table
	paths     paths
	items     []item
	methods   [spelling.Meanings][]reflect.Value // functions, by what they return
	writes    writes
	causes    [][]int // errors, and lists or maps of them

	retryable bool // its name declares that a retry may help
	permanent bool // its name declares that no retry helps
	isWrapper bool // it only adds context to its inner error
	isPlain   bool // it holds a text and nothing else
	isForeign bool // its import path begins with a host, unlike those of the standard library
	isGraphQL bool // it, or the structs in its lists, may be GraphQL errors
	isAnswer  bool // it has a status, or is a GraphQL error
	unwraps   bool // a method returns what it wraps
	repeats   bool // it wraps the last of several attempts
}

var typeInfos sync.Map // reflect.Type -> *typeInfo

func typeInfoOf(t reflect.Type) *typeInfo {
	if s, ok := typeInfos.Load(t); ok {
		return s.(*typeInfo) //nolint:errcheck // nothing else is stored
	}
	s := newTypeInfo(t, pointedTo(t).PkgPath())
	typeInfos.Store(t, s)
	return s
}

func newTypeInfo(t reflect.Type, pkg string) *typeInfo {
	inner := pointedTo(t)
	s := &typeInfo{
		pkg: pkg, name: inner.Name(), named: codes.FromTypeName(inner.Name()), class: codes.FromType(pkg, inner.Name()),
		codes: codes.TableFor(pkg), isWrapper: slices.Contains(wrapperTypes, t), isPlain: slices.Contains(plainTypes, t),
		repeats: codes.IsLast(pkg, inner.Name()), unwraps: wraps(t), writes: writesOf(t, wraps(t)),
		causes: causePaths(t),
	}
	first, _, _ := strings.Cut(pkg, "/")
	s.isForeign = strings.Contains(first, ".") // unlike in any path of the standard library
	s.readMethods(t)
	if inner.Kind() == reflect.Struct {
		s.readFields(inner)
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		_, located := fieldNamed(t.Elem(), "locations")
		_, extended := fieldNamed(t.Elem(), "extensions")
		s.isGraphQL = located || extended
		s.items = []item{{nil, &paths{spelling.Said: pathsOf(t.Elem())[spelling.Said]}}} // only their messages are read
	}
	return s
}

func (s *typeInfo) readFields(t reflect.Type) {
	s.paths = pathsOf(t)
	if s.codes == nil || strings.HasPrefix(s.pkg, "github.com/nats-io/nats.go") { // a library's own numbers are no status
		s.paths[spelling.FieldStatus] = append(s.paths[spelling.FieldStatus], s.paths[spelling.FieldCode]...)
	}
	_, isPostgres := fieldNamed(t, "severity") // an ErrorResponse
	if code, ok := fieldNamed(t, "code"); ok && isPostgres {
		s.paths[spelling.SQLStates] = append(s.paths[spelling.SQLStates], code.Index)
	}
	s.readContainers(t, nil)
	_, extended := fieldNamed(t, "extensions")
	s.isGraphQL = extended || slices.ContainsFunc(s.items, func(i item) bool { return len(i.paths[spelling.Objects]) > 0 })
	s.isAnswer = s.isGraphQL || len(s.methods[spelling.FieldStatus]) > 0 ||
		len(s.paths[spelling.FieldStatus])+len(s.paths[spelling.Responses]) > 0
	if f, ok := fieldNamed(t, "duration"); ok && s.name == "RetryAfterError" {
		s.paths[spelling.Delays] = append(s.paths[spelling.Delays], f.Index)
	}
}

// An item is a list of structs in an error.
type item struct {
	path  []int  // nil if the error is the list
	paths *paths // in each struct
}

// readContainers adds the fields of structs in a struct at a path, and of structs in lists. Of structs in
// these structs, it adds only lists.
func (s *typeInfo) readContainers(t reflect.Type, path []int) {
	for _, name := range spelling.Names(spelling.Containers) {
		f, ok := fieldNamed(t, name)
		inner := f.Type
		if ok && (inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map) {
			inner = inner.Elem()
		}
		if !ok || f.Anonymous || pointedTo(inner).Kind() != reflect.Struct || pointedTo(inner).PkgPath() == "net/http" {
			continue
		}
		at, all := slices.Concat(path, f.Index), pathsOf(pointedTo(inner))
		switch {
		case f.Type.Kind() == reflect.Slice:
			s.items = append(s.items, item{at, &all})
		case path != nil || f.Type.Kind() == reflect.Map:
		default:
			all[spelling.FieldStatus] = append(all[spelling.FieldStatus], all[spelling.FieldCode]...)
			for m := spelling.FieldStatus; m <= spelling.Culprits; m++ {
				for _, path := range all[m] {
					s.paths[m] = append(s.paths[m], slices.Concat(at, path))
				}
			}
			s.readContainers(pointedTo(inner), at)
		}
	}
}
