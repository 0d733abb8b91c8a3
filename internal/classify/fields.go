package classify

import (
	"iter"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// A role says what a field holds, or a method returns.
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
	culprits                // the member of the request that is at fault
	rpcCodes                // a code of gRPC or Connect
	details                 // its details
	inners                  // a status with methods or fields of its own
	retries                 // whether a retry may help
	transients              // whether the cause is temporary
	refusals                // whether no retry helps
	timeouts                // whether it is a timeout
	roles
)

// paths are the index paths to a struct's fields, also in embedded structs, by role.
type paths [roles][][]int

// A fieldRow assigns a role to the fields with a name of its meaning whose types fit, in the order of the names.
// Without a meaning, it applies to every field.
type fieldRow struct {
	role  role
	names spelling.Meaning
	fits  func(reflect.Type) bool
}

var fieldRows = []fieldRow{
	{statuses, spelling.FieldStatus, isNumber},
	{statuses, spelling.FieldStatus, isWord},
	{codeNumbers, spelling.FieldCode, isNumber},
	{numbers, spelling.OwnNumbers, isNumber},
	{words, spelling.Words, isWord},
	{words, spelling.Words, isEnum},
	{states, spelling.SQLStates, isTextOr(reflect.Array, reflect.Uint8, 5)},
	{stateCodes, spelling.FieldCode, isTextOr(reflect.Array, reflect.Uint8, 5)},
	{objects, spelling.Objects, isObject},
	{objects, spelling.Containers, isObject},
	{bodies, spelling.Bodies, isTextOr(reflect.Slice, reflect.Uint8, 0)},
	{enhanced, spelling.MailCodes, isTextOr(reflect.Array, reflect.Int, 3)},
	{responses, spelling.None, isA[*http.Response]},
	{headers, spelling.None, isA[http.Header]},
	{delays, spelling.Delays, isDelay},
	{resets, spelling.Resets, func(t reflect.Type) bool { return t.Kind() == reflect.Struct }}, // a time, and never nil
	{messages, spelling.Said, isWord},
	{notices, spelling.Notices, isA[[]string]},
	{notices, spelling.Notices, isA[map[string]string]},
	{culprits, spelling.Culprits, isWord},
	{transients, spelling.Retryable, isA[bool]},
	{timeouts, spelling.Timeouts, isA[bool]},
}

// fieldsOf returns the exported fields of a struct, including embedded ones, by their folded names.
func fieldsOf(t reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !yield(spelling.Fold(f.Name), f) {
				return
			}
		}
	}
}

// pathsOf returns the paths to the exported fields, including embedded ones, that fieldRows select.
func pathsOf(t reflect.Type) (p paths) {
	for _, row := range fieldRows {
		names := spelling.Names(row.names)
		if row.names == spelling.None {
			names = []string{""}
		}
		for _, name := range names {
			for folded, f := range fieldsOf(t) {
				if isNamed(folded, name) && row.fits(f.Type) {
					p[row.role] = append(p[row.role], f.Index)
				}
			}
		}
	}
	return p
}

func isNamed(folded, name string) bool {
	word, isPattern := strings.CutPrefix(name, "*")
	before, ok := strings.CutSuffix(folded, word)
	return folded == name || name == "" || isPattern && ok && (before == "" || meansError(before))
}

func meansError(folded string) bool {
	words := []string{"error", "err", "fault", "exception", "problem", "failure", "reject", "decline"}
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(folded, word) })
}

func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
	for folded, f := range fieldsOf(t) {
		if folded == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// pointedTo returns the type that a pointer points to, or t.
func pointedTo(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func isA[T any](t reflect.Type) bool { return t == reflect.TypeFor[T]() }

// isTextOr returns a predicate of types that are a text, or an array or slice of a kind. An array has n items.
func isTextOr(list, item reflect.Kind, n int) func(reflect.Type) bool {
	return func(t reflect.Type) bool {
		return t.Kind() == reflect.String ||
			t.Kind() == list && t.Elem().Kind() == item && (list == reflect.Slice || t.Len() == n)
	}
}

func isEnum(t reflect.Type) bool { return has[interface{ String() string }](t) }

func isInt(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 && t != reflect.TypeFor[time.Duration]()
}

func isNumber(t reflect.Type) bool { return isInt(pointedTo(t)) }

func isWord(t reflect.Type) bool {
	return pointedTo(t).Kind() == reflect.String || t.Kind() == reflect.Interface && t.NumMethod() == 0
}

func isDelay(t reflect.Type) bool {
	t = pointedTo(t)
	return t == reflect.TypeFor[time.Duration]() || isInt(t) || t.Kind() == reflect.Float64
}

// isObject reports whether a type can hold a decoded JSON object or a list of them.
func isObject(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.ConvertibleTo(reflect.TypeFor[map[string]any]())
}
