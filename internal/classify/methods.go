package classify

import (
	"reflect"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// methodRows are the methods that are called, with what they return. They are called by reflection,
// because many return a type of their library. Each name is a constant: a variable would make the
// linker keep all exported methods of a program.
var methodRows = []struct {
	of    func(reflect.Type) (reflect.Method, bool)
	roles []role
}{
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("HTTPStatusCode") }, []role{statuses}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("StatusCode") }, []role{statuses}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("HTTPStatus") }, []role{statuses}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("HTTPCode") }, []role{statuses}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GetStatusCode") }, []role{statuses}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Status") }, []role{statuses, inners}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GRPCStatus") }, []role{inners}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ExtendedCode") }, []role{numbers}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ErrorCode") }, []role{numbers, words}},
	{
		func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Code") },
		[]role{statuses, numbers, words, rpcCodes},
	},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Number") }, []role{numbers}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("GetCode") }, []role{numbers, words}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("TypeId") }, []role{numbers}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Type") }, []role{words}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Reason") }, []role{words}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Kind") }, []role{words}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Details") }, []role{details}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Retryable") }, []role{retries}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("IsRetryable") }, []role{retries}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("RetryableError") }, []role{retries}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ShouldRetry") }, []role{retries}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("IsTransient") }, []role{transients}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("Permanent") }, []role{refusals}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("IsPermanent") }, []role{refusals}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("NonRetryable") }, []role{refusals}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("NoRetry") }, []role{refusals}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("RetryAfter") }, []role{delays}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("SQLState") }, []role{states}},
	{func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("EnhancedStatusCode") }, []role{enhanced}},
}

// returned select what methods with a role return, if it is no library's type.
var returned = map[role]func(reflect.Type) bool{
	statuses: func(t reflect.Type) bool { return isInt(t) && !isEnum(t) },
	retries:  isA[bool], transients: isA[bool], refusals: isA[bool],
	delays: isA[time.Duration], states: isA[string], enhanced: isA[string],
	rpcCodes: func(t reflect.Type) bool { return t.Kind() == reflect.Uint32 },
	details:  func(t reflect.Type) bool { return t.Kind() == reflect.Slice },
}

func (s *typeInfo) readMethods(t reflect.Type) {
	for _, row := range methodRows {
		m, ok := row.of(t)
		if !ok || m.Type.NumIn() != 1 || m.Type.NumOut() != 1 {
			continue
		}
		for _, r := range row.roles {
			if fits := returned[r]; fits == nil || fits(m.Type.Out(0)) {
				s.methods[r] = append(s.methods[r], m.Func)
			}
		}
	}
	usedUp := s.name == "Error" && strings.HasPrefix(s.pkg, "github.com/avast/retry-go") // its attempts
	s.retryable, s.permanent = codes.Retryable.Has(codes.Fold(s.name)), usedUp || codes.Permanent.Has(codes.Fold(s.name))
}

// declared returns what an error's methods and type declare about retrying.
func (l *link) declared() (retryable, permanent bool) {
	retryable = firstOf(l.members(transients), reflect.Value.Bool) || l.retryable
	permanent = firstOf(l.members(refusals), reflect.Value.Bool) || l.permanent
	for v := range l.members(retries) {
		retryable, permanent = retryable || v.Bool(), permanent || !v.Bool()
	}
	return retryable, permanent
}
