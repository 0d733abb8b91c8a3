package classify

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// methods are the methods that are called. They are called by reflection, because many return a type of their
// library. Each name is a constant: a variable would make the linker keep all exported methods of a program.
var methods = []func(reflect.Type) (reflect.Method, bool){
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("HTTPStatusCode") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("StatusCode") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("HTTPStatus") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("HTTPCode") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GetStatusCode") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Status") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GRPCStatus") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ExtendedCode") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ErrorCode") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Code") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Number") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GetCode") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("TypeId") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Type") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Reason") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Kind") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Details") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Retryable") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("IsRetryable") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("RetryableError") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ShouldRetry") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("IsTransient") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Permanent") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("IsPermanent") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("NonRetryable") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("NoRetry") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("RetryAfter") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("SQLState") },
	func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("EnhancedStatusCode") },
}

// returned select what methods with a meaning return, if it is no library's type.
var returned = map[spelling.Meaning]func(reflect.Type) bool{
	spelling.FieldStatus: isCode, spelling.FieldCode: isCode,
	spelling.Retries: isA[bool], spelling.Retryable: isA[bool], spelling.Refusals: isA[bool],
	spelling.Delays: isA[time.Duration], spelling.SQLStates: isA[string], spelling.MailCodes: isA[string],
	spelling.RPCCodes: func(t reflect.Type) bool { return t.Kind() == reflect.Uint32 },
	spelling.Details:  func(t reflect.Type) bool { return t.Kind() == reflect.Slice },
}

func isCode(t reflect.Type) bool { return isInt(t) && !isEnum(t) }

func (s *typeInfo) readMethods(t reflect.Type) {
	for _, method := range methods {
		m, ok := method(t)
		if !ok || m.Type.NumIn() != 1 || m.Type.NumOut() != 1 {
			continue
		}
		for meaning := range spelling.Meanings {
			fits := returned[meaning]
			if slices.Contains(spelling.Names(meaning), spelling.Fold(m.Name)) && (fits == nil || fits(m.Type.Out(0))) {
				s.methods[meaning] = append(s.methods[meaning], m.Func)
			}
		}
	}
	s.methods[spelling.FieldStatus] = append(s.methods[spelling.FieldStatus], s.methods[spelling.FieldCode]...)
	usedUp := s.name == "Error" && strings.HasPrefix(s.pkg, "github.com/avast/retry-go") // its attempts
	s.retryable, s.permanent = codes.Retryable.Has(codes.Fold(s.name)), usedUp || codes.Permanent.Has(codes.Fold(s.name))
}

// declared returns what an error's methods and type declare about retrying.
func (l *link) declared() (retryable, permanent bool) {
	retryable = firstOf(l.members(spelling.Retryable), reflect.Value.Bool) || l.retryable
	permanent = firstOf(l.members(spelling.Refusals), reflect.Value.Bool) || l.permanent
	for v := range l.members(spelling.Retries) {
		retryable, permanent = retryable || v.Bool(), permanent || !v.Bool()
	}
	return retryable, permanent
}
