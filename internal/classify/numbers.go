package classify

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// readNumbers classifies by the library's own numbers: the error itself, the result of a
// method, a field, or the fields of listed errors. Of a list the first that forbids a retry
// takes precedence.
func readNumbers(l *link) (finding, bool) {
	if n, ok := number(l.value); ok {
		return found(l.codes.Class(n), definitive)
	}
	for _, name := range numberMethods {
		if r, ok := l.call(name); ok {
			if n, ok := number(r); ok && l.codes.Class(n) != class.Unknown {
				return found(l.codes.Class(n), definitive)
			}
		}
	}
	var first class.Class
	add := func(c class.Class) {
		if first == class.Unknown || first.Retryable() && c != class.Unknown && !c.Retryable() {
			first = c
		}
	}
	for f := range l.fields(numbers) {
		if n, ok := number(f); ok && n != 0 && first == class.Unknown {
			add(l.codes.Class(n))
		}
	}
	if first != class.Unknown {
		return found(first, definitive)
	}
	for object, paths := range l.listed() {
		for f := range paths.in(object, numbers) {
			n, _ := number(f)
			add(l.codes.Class(n))
		}
	}
	return found(first, definitive)
}

var numberMethods = []string{"ExtendedCode", "Code", "ErrorCode", "Number"}

// readLabels classifies by the labels of MongoDB, and by those alone.
func readLabels(l *link) (finding, bool) {
	e, ok := l.err.(interface{ HasErrorLabel(label string) bool })
	if !ok {
		return finding{}, false
	}
	for _, row := range codes.Labels {
		if e.HasErrorLabel(row.Label) {
			return found(row.Class, definitive)
		}
	}
	return finding{}, false
}

// mayHoldJSONRPC reports whether errors of a type may have a number of JSON-RPC. Numbers of
// libraries with a table of their own are others.
func mayHoldJSONRPC(t reflect.Type, info *typeInfo) bool {
	return info.codes == nil && (len(info.paths[codeNumbers]) > 0 || has[interface{ Code() int }](t, nil) || has[interface{ ErrorCode() int }](t, nil))
}

// readJSONRPC classifies by the numbers that JSON-RPC 2.0 defines. The others differ
// between servers.
func readJSONRPC(l *link) (finding, bool) {
	var list []int64
	for f := range l.fields(codeNumbers) {
		n, _ := number(f)
		list = append(list, n)
	}
	if e, ok := l.err.(interface{ Code() int }); ok {
		list = append(list, int64(e.Code()))
	}
	if e, ok := l.err.(interface{ ErrorCode() int }); ok {
		list = append(list, int64(e.ErrorCode()))
	}
	if i := slices.IndexFunc(list, func(n int64) bool { return -32700 <= n && n <= -32600 }); i >= 0 {
		return found(codes.TableFor(codes.JSONRPCPackage).Class(list[i]), definitive)
	}
	return finding{}, false
}

// isMail reports whether errors of a type have an enhanced status code. Only those of mail
// do, whatever the library.
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
	if e, ok := l.err.(interface{ ErrorCode() int }); ok {
		reply = int64(e.ErrorCode())
	}
	for f := range l.fields(numbers) {
		if n, ok := number(f); ok && reply == 0 {
			reply = n
		}
	}
	return found(codes.FromReply(reply, detail), definitive)
}
