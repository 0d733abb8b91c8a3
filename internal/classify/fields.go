package classify

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// A role is what a field is read for.
type role int

const (
	statuses    role = iota // an HTTP status, or a text that begins with one
	codeNumbers             // a number named Code, which is a status only if it looks like one
	numbers                 // one of the library's own numbers
	words                   // a code word
	states                  // a SQLSTATE
	stateCodes              // a SQLSTATE in errors of PostgreSQL's protocol
	objects                 // decoded objects of a reply
	bodies                  // the body of a reply
	enhanced                // an enhanced code of mail
	responses               // a response
	headers                 // its header
	delays                  // a delay
	durations               // a delay in errors whose type says so
	resets                  // the time at which a limit ends
	messages                // a service's message
	notices                 // a list of such messages
	members                 // the member of the request that it is about
	roles
)

// paths lead to the fields of a struct by their role, through embedded structs.
type paths [roles][][]int

// any reports whether there is a field of one of the roles.
func (p *paths) any(roles ...role) bool {
	return slices.ContainsFunc(roles, func(r role) bool { return len(p[r]) > 0 })
}

// A fieldRow gives the fields with one of the names, in the order of the names, or with a
// fitting name, a role if their type fits.
type fieldRow struct {
	role  role
	names string
	named func(name string) bool
	fits  func(reflect.Type) bool
}

const (
	statusNames = "StatusCode HTTPStatusCode HTTPStatus HttpStatus HTTPCode HttpStatusCode HttpCode ResponseCode Status"
	wordNames   = "Code ErrorCode ErrCode Reason Type ErrorType Kind Status Name Err Issue"
	objectNames = "Extensions Metadata Extra Error Err ErrorInfo ErrorBody ErrorCause ErrorResponse ErrorDetail ErrorDetails Body Detail Details Fault " +
		"Cause Status Info Data Payload Model Result Response Errors Issues Causes Violations Reasons Failures"
)

var fieldRows = []fieldRow{
	{statuses, statusNames, nil, isNumber},
	{statuses, statusNames, nil, isWord},
	{codeNumbers, "Code", nil, isNumber},
	{numbers, "ExtendedCode Code Number ResultCode ErrorCode ErrCode", nil, isNumber},
	{words, wordNames, nil, isWord},
	{words, wordNames, nil, isEnum},
	{words, "", isCodeName, isWord},
	{words, "", isCodeName, isEnum},
	{states, "SQLState SqlState Sqlstate SQLSTATE SQLStateCode SqlStateCode", nil, isState},
	{stateCodes, "Code", nil, isState},
	{objects, objectNames, nil, isObject},
	{bodies, "Body RawBody ResponseBody ErrorBody Content Raw RawResponse RawJSON JSON Response", nil, isBody},
	{enhanced, "EnhancedStatusCode EnhancedCode EnhancedMailSystemStatusCode", nil, isEnhanced},
	{responses, "", anyName, isA[*http.Response]},
	{headers, "", anyName, isA[http.Header]},
	{delays, "RetryAfter RetryAfterSeconds RetryIn RetryDelay", nil, isDelay},
	{durations, "Duration", nil, isA[time.Duration]},
	{messages, "Message Msg ErrorMessage Detail Title", nil, isWord},
	{notices, "ErrorMessages Errors", nil, isA[[]string]},
	{notices, "Errors", nil, isA[map[string]string]},
	{members, "Param Field", nil, isWord},
}

// pathsOf returns the paths to a struct's exported fields, including those of embedded
// structs.
func pathsOf(t reflect.Type, rows []fieldRow) (p paths) {
	visible := map[string]reflect.StructField{}
	var order []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() {
			visible[f.Name] = f
			order = append(order, f)
		}
	}
	for _, row := range rows {
		for name := range strings.FieldsSeq(row.names) {
			if f, ok := visible[name]; ok && row.fits(f.Type) {
				p[row.role] = append(p[row.role], f.Index)
			}
		}
		for _, f := range order {
			if row.named != nil && row.named(f.Name) && row.fits(f.Type) {
				p[row.role] = append(p[row.role], f.Index)
			}
		}
	}
	return p
}

func exportedField(t reflect.Type, name string) (reflect.StructField, bool) {
	f, ok := t.FieldByName(name)
	return f, ok && f.IsExported()
}

// resetPaths returns the paths to the times in a struct's fields Reset and the like, and in
// those of its fields Rate and the like. Some types embed a [time.Time].
func resetPaths(t reflect.Type, deeper bool) (paths [][]int) {
	for _, f := range reflect.VisibleFields(t) {
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		isReset := f.IsExported() && slices.Contains([]string{"Reset", "ResetAt", "ResetTime", "RateLimitReset"}, f.Name)
		switch {
		case isReset && f.Type == reflect.TypeFor[time.Time]():
			paths = append(paths, f.Index)
		case inner.Kind() != reflect.Struct:
		case isReset:
			if at, ok := inner.FieldByName("Time"); ok && at.Anonymous && at.Type == reflect.TypeFor[time.Time]() {
				paths = append(paths, slices.Concat(f.Index, at.Index))
			}
		case deeper && f.IsExported() && (f.Name == "Rate" || f.Name == "RateLimit"):
			for _, path := range resetPaths(inner, false) {
				paths = append(paths, slices.Concat(f.Index, path))
			}
		}
	}
	return paths
}

func isIn(name, names string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }

func anyName(string) bool { return true }

// isCodeName reports whether the words of a field's name suggest a code: the last word
// means code, and the words before it refer to errors.
func isCodeName(name string) bool {
	words := codes.Words(name)
	if len(words) < 2 || isIn(name, wordNames) || !isIn(words[len(words)-1], codeNouns) {
		return false
	}
	return !slices.ContainsFunc(words[:len(words)-1], func(word string) bool { return !isIn(word, errorNouns) })
}

const (
	codeNouns  = "code reason type kind status name category key id issue summary"
	errorNouns = "error err fault failure exception problem issue api http grpc rpc status sub service inner original vendor native extended"
)

func isA[T any](t reflect.Type) bool { return t == reflect.TypeFor[T]() }

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

func isDelay(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == reflect.TypeFor[time.Duration]() || isInt(t) || t.Kind() == reflect.Float64
}

// isBody reports whether a type can hold a raw body.
func isBody(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// isObject reports whether a type can hold a decoded JSON object or a list of them.
func isObject(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && t.Elem() == reflect.TypeFor[any]()
}

// isEnhanced reports whether a type can hold an enhanced code of mail.
func isEnhanced(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Array && t.Len() == 3 && t.Elem().Kind() == reflect.Int
}
