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

// paths are the index paths to a struct's fields, also in embedded structs, by what they hold.
type paths [spelling.Meanings][][]int

// fields are the meanings of fields whose types fit, in the order of their names.
var fields = []struct {
	spelling.Meaning

	fits func(reflect.Type) bool
}{
	{spelling.FieldStatus, isNumber},
	{spelling.FieldStatus, isWord},
	{spelling.FieldCode, isNumber},
	{spelling.OwnNumbers, isNumber},
	{spelling.Words, isWord},
	{spelling.Words, isEnum},
	{spelling.SQLStates, isTextOr(reflect.Array, reflect.Uint8, 5)},
	{spelling.Objects, isObject},
	{spelling.Containers, isObject},
	{spelling.Bodies, isTextOr(reflect.Slice, reflect.Uint8, 0)},
	{spelling.MailCodes, isTextOr(reflect.Array, reflect.Int, 3)},
	{spelling.Responses, isA[*http.Response]},
	{spelling.Headers, isA[http.Header]},
	{spelling.Delays, isDelay},
	{spelling.Resets, func(t reflect.Type) bool { return t.Kind() == reflect.Struct }}, // a time, and never nil
	{spelling.Said, isWord},
	{spelling.Notices, isA[[]string]},
	{spelling.Notices, isA[map[string]string]},
	{spelling.Culprits, isWord},
	{spelling.Retryable, isA[bool]},
	{spelling.Timeouts, isA[bool]},
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

// pathsOf returns the paths to the exported fields, including embedded ones, that have a meaning.
func pathsOf(t reflect.Type) (p paths) {
	for _, row := range fields {
		for _, name := range spelling.Names(row.Meaning) {
			for folded, f := range fieldsOf(t) {
				if isNamed(folded, name) && row.fits(f.Type) {
					p[row.Meaning] = append(p[row.Meaning], f.Index)
				}
			}
		}
	}
	p[spelling.Objects] = append(p[spelling.Objects], p[spelling.Containers]...)
	return p
}

func isNamed(folded, name string) bool {
	word, isPattern := strings.CutPrefix(name, "*")
	before, ok := strings.CutSuffix(folded, word)
	return folded == name || name == "-" || isPattern && ok && (before == "" || meansError(before))
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
