package classify

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// A typeInfo describes where errors of one type of another library hold codes, statuses,
// delays and replies. It is computed once for each type. Paths lead to fields, through
// embedded structs.
type typeInfo struct {
	pkg, name string      // of the type pointed to; pkg is without the major version
	folded    string      // the folded name
	named     class.Class // the class of the name
	codes     *codes.Table
	number    [][]int // fields that may hold one of the library's own numbers
	status    [][]int // ints, or texts that begin with one, that may hold an HTTP status
	code      [][]int // ints that hold a status only if they look like one
	words     [][]int // strings and enumerations that may hold a code
	sentences [][]int // fields that may hold a service's message
	elastic   [][]int // the type of the cause in an Elasticsearch error
	others    [][]int // strings and enumerations that may hold a code, though their names do not suggest it
	sqlState  [][]int // strings and arrays of bytes that may hold a SQLSTATE
	items     []item  // lists of structs with fields that may hold a code
	objects   [][]int // maps, and lists of them, that may hold a reply
	periods   [][]int // strings and enumerations that hold the period of a limit
	bodies    [][]int // strings and bytes that may hold a raw body
	enhanced  [][]int // enhanced codes of mail
	isMail    bool    // there is a field or a method with an enhanced code
	causes    [][]int // errors, and lists of them, in a type that does not unwrap
	response  [][]int // *http.Response
	header    [][]int // http.Header
	delays    [][]int
	resets    [][]int // time.Time at which a limit ends
	methods   map[string]int
	signed    []int // methods whose result may be a JSON-RPC number
	markers   []marker
	statusOf  func(error) int // calls the method that returns an HTTP status, or nil
	opens     int             // the index of the method Value that decodes a detail, or negative
	rpc       rpcFields

	isStruct  bool // it is a struct, or a pointer to one
	isWrapper bool // it only adds the name of an operation to its inner error
	isPlain   bool // it holds a text and nothing else
	unwraps   bool // a method returns what it wraps
	hides     bool // it holds errors that no method returns
	byName    declaration
	declares  func(error) declaration // calls the method that states whether a retry may help, or nil

	mayHaveNumber bool // byNumber may find a number
	mayHaveCode   bool // one of the readers of byCode may find a code
	mayHaveHeader bool // there is a response, a header, or a method that returns one
	mayHaveLimit  bool // there is an answer, a header or a period that may name a plan's limit
	isForeign     bool // it is not of the standard library
	keepsAnswer   bool // it has objects, bodies or the method RawJSON
	isAnswer      bool // it has a status, or is a GraphQL error
}

type item struct {
	path    []int
	words   [][]int
	objects [][]int
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
	methodNames = []string{"Code", "ErrorCode", "ErrorFault", "GRPCStatus", "Status", "APIError", "Details", "ExtendedCode", "Number", "HTTPResponse", "Message", "Type", "EnhancedStatusCode", "EnhancedCode", "EnhancedMailSystemStatusCode"}
)

func newTypeInfo(t reflect.Type) *typeInfo {
	s := &typeInfo{methods: map[string]int{}, opens: -1}
	if m, ok := t.MethodByName("Value"); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 2 {
		s.opens = m.Index
	}
	for _, name := range methodNames {
		if m, ok := t.MethodByName(name); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 {
			s.methods[name] = m.Index
			if kind := m.Type.Out(0).Kind(); reflect.Int <= kind && kind <= reflect.Int64 {
				s.signed = append(s.signed, m.Index)
			}
		}
	}
	s.markers, s.statusOf = markersOf(t), statusMethod(t)
	s.isMail = slices.ContainsFunc(enhancedNames, func(name string) bool { _, ok := s.methods[name]; return ok })
	s.isWrapper, s.isPlain = slices.Contains(wrapperTypes, t), slices.Contains(plainTypes, t)
	s.unwraps = wraps(t)
	s.hides = !s.unwraps && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map)
	hasState := t.Implements(reflect.TypeFor[interface{ SQLState() string }]()) || t.Implements(reflect.TypeFor[interface{ Field(k byte) string }]())
	s.keepsAnswer = t.Implements(reflect.TypeFor[interface{ RawJSON() string }]())
	errorType := t
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s.pkg, s.name = unversioned(t.PkgPath()), t.Name()
	s.folded, s.rpc = codes.Fold(s.name), rpcFieldsOf(t)
	s.readDeclarations(errorType)
	s.codes, s.named = codes.TableFor(s.pkg), codes.FromTypeName(s.name)
	if s.isStruct = t.Kind() == reflect.Struct; s.isStruct {
		s.readFields(t)
		// A library's own numbers are no status, even if they look like one.
		if s.codes == nil || strings.HasPrefix(s.pkg, "github.com/nats-io/nats.go") {
			s.status = append(s.status, s.code...)
		}
		if !s.unwraps {
			s.causes = causePaths(t)
			s.hides = len(s.causes) > 0
		}
	}
	s.mayHaveNumber = s.isMail || s.codes != nil || len(s.code)+len(s.signed) > 0
	s.mayHaveCode = hasState || len(s.methods) > 0 || len(s.sqlState)+len(s.words)+len(s.elastic)+len(s.items)+len(s.others) > 0 ||
		s.keepsAnswer || s.rpc.status != nil || strings.HasPrefix(s.pkg, "go.etcd.io/") || strings.HasPrefix(s.pkg, "github.com/prometheus/client_golang/")
	_, returnsResponse := s.methods["HTTPResponse"]
	s.isForeign = isForeign(s.pkg)
	s.mayHaveHeader = returnsResponse || len(s.response) > 0 || len(s.header) > 0
	s.mayHaveLimit = s.keepsAnswer || s.mayHaveHeader || len(s.periods) > 0
	return s
}

func (s *typeInfo) readFields(t reflect.Type) {
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
	}
	fields := fieldsOf(t)
	s.status = slices.Concat(fields.pick(statusNames, isNumber), fields.find(isStatusName, isNumber), fields.pick(statusNames, isWord))
	s.code = fields.pick([]string{"Code"}, isNumber)
	s.words = slices.Concat(fields.pick(wordNames, isWord), fields.pick(wordNames, isEnum), fields.find(isCodeName, isWord), fields.find(isCodeName, isEnum))
	s.others = slices.Concat(fields.find(isOtherName, isWord), fields.find(isOtherName, isEnum))
	s.periods = slices.Concat(fields.find(codes.IsPeriodMember, isWord), fields.find(codes.IsPeriodMember, isEnum))
	s.number = fields.pick(numberNames, isNumber)
	s.sentences = fields.pick(messageNames, isWordBehind)
	if f, ok := fields["ErrorCause"]; ok && f.Type.Kind() == reflect.Struct {
		for _, path := range fieldsOf(f.Type).pick([]string{"Type"}, isWordBehind) {
			s.elastic = append(s.elastic, slices.Concat(f.Index, path))
		}
	}
	s.enhanced = fields.pick(enhancedNames, isEnhanced)
	s.isMail = s.isMail || len(s.enhanced) > 0
	s.delays = fields.pick(afterNames, isDelay)
	s.resets = resetPaths(t, true)
	if s.name == "RetryAfterError" {
		s.delays = append(s.delays, fields.pick([]string{"Duration"}, func(t reflect.Type) bool { return t == reflect.TypeFor[time.Duration]() })...)
	}
	s.sqlState = fields.pick(sqlStateNames, isState)
	if _, ok := fields["Severity"]; ok { // an ErrorResponse of PostgreSQL
		s.sqlState = append(s.sqlState, fields.pick([]string{"Code"}, isState)...)
	}
	for _, name := range containerNames {
		if f, ok := fields[name]; ok {
			s.readContainer(f, 1)
		}
	}
	s.objects = append(s.objects, fields.pick(objectNames, isObject)...)
	s.isAnswer = len(s.status) > 0 || len(s.response) > 0 || s.statusOf != nil
	if s.isAnswer { // otherwise the body is not that of a reply
		s.bodies = fields.pick(bodyNames, isBody)
	}
	_, graphQL := fields["Extensions"]
	for _, it := range s.items {
		graphQL = graphQL || len(it.objects) > 0
	}
	s.isAnswer = s.isAnswer || graphQL
	s.keepsAnswer = s.keepsAnswer || graphQL || len(s.objects) > 0 || len(s.bodies) > 0
}

// resetPaths returns the paths to the times in a struct's fields Reset and the like, and in
// those of its fields Rate and the like. Some types embed a [time.Time].
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

// isForeign reports whether an import path cannot be that of a package of the standard
// library, whose first element has no dot.
func isForeign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// unversioned removes the major version from an import path.
func unversioned(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i > 0; i-- {
		if p := parts[i]; len(p) > 1 && p[0] == 'v' && strings.Trim(p[1:], "0123456789") == "" {
			parts = append(parts[:i], parts[i+1:]...)
		}
	}
	return strings.Join(parts, "/")
}
