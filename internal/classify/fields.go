package classify

import (
	"net/http"
	"reflect"
	"strings"
	"time"
)

// A role says what a field holds.
type role int

const (
	statuses    role = iota // an HTTP status, or a text that begins with one and a space
	codeNumbers             // a number named Code, which is a status only if it looks like one
	numbers                 // one of the library's own numbers
	words                   // a code word
	states                  // a SQLSTATE
	stateCodes              // a SQLSTATE in errors of PostgreSQL's protocol
	objects                 // decoded objects of a reply
	bodies                  // the body of a reply
	enhanced                // an enhanced mail code
	responses               // a response
	headers                 // a response's header
	delays                  // a delay
	resets                  // the time at which a limit ends
	messages                // a service's message
	notices                 // a list of a service's messages
	members                 // the member of the request that is at fault
	roles
)

// paths are the index paths to a struct's fields, also in embedded structs, by role.
type paths [roles][][]int

// A fieldRow assigns a role to fields with these names whose types fit, in the order of the names.
// Without names, it applies to every field.
type fieldRow struct {
	role  role
	names string
	fits  func(reflect.Type) bool
}

const (
	statusNames = "StatusCode HTTPStatusCode HTTPStatus HttpStatus HTTPCode HttpStatusCode HttpCode ResponseCode Status"
	wordNames   = "Code ErrorCode ErrCode Reason Type ErrorType Kind Status Name Err Issue " +
		"ErrorName ErrorReason ErrorSummary ErrorStatus FaultCode SubCode SubStatus APICode OriginalCode"
	// containerNames are the fields in which types keep a service's decoded reply.
	containerNames = "Message Error Err ErrorInfo ErrorBody ErrorCause ErrorResponse ErrorDetail ErrorDetails Body " +
		"Detail Details Fault Cause Status Info Data Payload Model Result Response Errors Issues Causes Violations Reasons Failures " +
		"WriteErrors WriteConcernError Rate RateLimit"
)

var fieldRows = []fieldRow{
	{statuses, statusNames, isNumber},
	{statuses, statusNames, isWord},
	{codeNumbers, "Code", isNumber},
	{numbers, "ExtendedCode Code Number ResultCode ErrorCode ErrCode", isNumber},
	{words, wordNames, isWord},
	{words, wordNames, isEnum},
	{states, "SQLState SqlState Sqlstate SQLSTATE SQLStateCode SqlStateCode", isState},
	{stateCodes, "Code", isState},
	{objects, "Extensions Metadata Extra " + containerNames, isObject},
	{bodies, "Body RawBody ResponseBody ErrorBody Content Raw RawResponse RawJSON JSON Response", isBody},
	{enhanced, "EnhancedStatusCode EnhancedCode EnhancedMailSystemStatusCode", isEnhanced},
	{responses, "", isA[*http.Response]},
	{headers, "", isA[http.Header]},
	{delays, "RetryAfter RetryAfterSeconds RetryIn RetryDelay", isDelay},
	{resets, "Reset ResetAt ResetTime RateLimitReset", isTime},
	{messages, "Message Msg ErrorMessage Detail Title", isWord},
	{notices, "ErrorMessages Errors", isA[[]string]},
	{notices, "Errors", isA[map[string]string]},
	{members, "Param Field", isWord},
}

// pathsOf returns the paths to the exported fields, including embedded ones, that rows select.
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
			if row.names == "" && row.fits(f.Type) {
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

// pointedTo returns the type that a pointer points to, or t.
func pointedTo(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func isA[T any](t reflect.Type) bool { return t == reflect.TypeFor[T]() }

// isState reports whether a type can hold a SQLSTATE.
func isState(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Array && t.Len() == 5 && t.Elem().Kind() == reflect.Uint8
}

func isEnum(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[interface{ String() string }]())
}

func isInt(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 && t != reflect.TypeFor[time.Duration]()
}

// isNumber reports whether a type is an integer other than [time.Duration], or a pointer to one.
func isNumber(t reflect.Type) bool { return isInt(pointedTo(t)) }

func isWord(t reflect.Type) bool {
	return pointedTo(t).Kind() == reflect.String || t.Kind() == reflect.Interface && t.NumMethod() == 0
}

func isDelay(t reflect.Type) bool {
	t = pointedTo(t)
	return t == reflect.TypeFor[time.Duration]() || isInt(t) || t.Kind() == reflect.Float64
}

// isTime reports whether a type may have the Unix method of [time.Time], and no nil value.
func isTime(t reflect.Type) bool { return t.Kind() == reflect.Struct }

// isBody reports whether a type can hold a raw body.
func isBody(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// isObject reports whether a type can hold a decoded JSON object or a list of them.
func isObject(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.ConvertibleTo(reflect.TypeFor[map[string]any]())
}

// isEnhanced reports whether a type can hold an enhanced mail code.
func isEnhanced(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Array && t.Len() == 3 && t.Elem().Kind() == reflect.Int
}
