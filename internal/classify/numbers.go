package classify

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// readNumbers classifies an error by its library's numbers, or else by those of JSON-RPC 2.0. Of
// the numbers in the error's lists, the first that forbids a retry takes precedence.
func readNumbers(l *link) (finding, bool) {
	table := cmp.Or(l.codes, codes.TableFor("jsonrpc"))
	for n := range l.numbers(numbers) {
		if c := table.Class(n); c != class.Unknown {
			return found(c, definitive)
		}
	}
	var first class.Class
	for object, paths := range l.listed() {
		for f := range fieldsAt(object, paths[numbers]) {
			n, _ := number(f)
			if c := table.Class(n); first == class.Unknown || first.Retryable() && c != class.Unknown && !c.Retryable() {
				first = c
			}
		}
	}
	return found(first, definitive)
}

// numbers returns an error's numbers: its value, its methods' results, its fields with role r.
func (l *link) numbers(r role) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if n, ok := number(l.value); ok && !yield(n) {
			return
		}
		for _, name := range []string{"ExtendedCode", "Code", "ErrorCode", "Number", "GetCode", "TypeId"} {
			if r, ok := l.call(name); ok {
				if n, ok := number(r); ok && !yield(n) {
					return
				}
			}
		}
		for f := range l.fields(r) {
			if n, ok := number(f); ok && !yield(n) {
				return
			}
		}
	}
}

// isMail reports whether errors of a type have an enhanced status code. Only mail errors do.
func isMail(t reflect.Type, info *typeInfo) bool {
	return len(info.paths[enhanced]) > 0 || has[interface{ EnhancedStatusCode() string }](t, nil)
}

// readMail classifies a mail error by its enhanced code and its reply code.
func readMail(l *link) (finding, bool) {
	detail, reply := "", int64(0)
	if e, ok := l.err.(interface{ EnhancedStatusCode() string }); ok {
		detail = e.EnhancedStatusCode()
	}
	for f := range l.fields(enhanced) {
		if f.Kind() == reflect.String {
			detail = f.String()
			continue
		}
		detail = fmt.Sprintf("%d.%d.%d", f.Index(0).Int(), f.Index(1).Int(), f.Index(2).Int())
	}
	for n := range l.numbers(numbers) {
		reply = cmp.Or(reply, n)
	}
	return found(codes.FromReply(reply, detail), definitive)
}
