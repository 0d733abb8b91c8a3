package classify

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// An rpc is what a gRPC status or a Connect error says: the name of its code, its message, and, of
// its details, the reason of an ErrorInfo, the delay of a RetryInfo and the member that a BadRequest
// names.
type rpc struct {
	code, message, reason, field string
	after                        time.Duration
}

func rpcOf(s *link) (r rpc) {
	for _, code := range s.called(spelling.RPCCodes) {
		r.code = named(code)
		if e, ok := reflect.TypeAssert[interface{ Message() string }](s.value); ok {
			r.message = e.Message()
		}
	}
	for _, list := range s.called(spelling.Details) {
		for i := range min(list.Len(), answers.MaxItems) {
			r.add(list.Index(i))
		}
	}
	return r
}

func (r *rpc) add(item reflect.Value) {
	if item.Kind() == reflect.Interface {
		item = item.Elem()
	}
	if !item.IsValid() {
		return
	}
	if value := item.MethodByName("Value"); value.IsValid() && value.Type().NumIn() == 0 &&
		value.Type().NumOut() == 2 && value.Type().Out(0).Kind() == reflect.Interface { // a detail of Connect
		item = value.Call(nil)[0].Elem()
	}
	object := indirect(item)
	if object.Kind() != reflect.Struct {
		return
	}
	if e, ok := reflect.TypeAssert[interface {
		GetReason() string
		GetDomain() string
	}](item); ok {
		r.reason = cmp.Or(r.reason, e.GetReason())
	}
	if wait := object.FieldByName("RetryDelay"); wait.IsValid() && wait.CanInterface() && !wait.IsZero() {
		if d, ok := reflect.TypeAssert[interface{ AsDuration() time.Duration }](wait); ok {
			r.after = cmp.Or(r.after, class.ClampDelay(d.AsDuration()))
		}
	}
	if list := object.FieldByName("FieldViolations"); list.Kind() == reflect.Slice && list.Len() > 0 {
		r.field = cmp.Or(r.field, word(indirect(list.Index(0)).FieldByName("Field")))
	}
}

// byCode returns the class of an error's code words, and whether there is one. The first clear class wins.
func (l *link) byCode(reply *answers.Claims) (class.Class, bool) {
	r := new(codes.Reader)
	if r.Class = cmp.Or(l.sqlState(), codes.FromMessage(l.remote.message)); r.Class == class.Unknown {
		readRPC(l, r)
		readCodes(l, r)
		// If nothing shows that what the error keeps is a reply, its codes never allow a retry.
		if c, shown := reply.Class(); shown && (l.isAnswer || !c.Retryable()) {
			r.ReadClass(c)
		}
	}
	if codes.IsOwnLogin(l.pkg) && (r.Class == class.Denied || r.Class == class.Unauthenticated) {
		return class.Internal, true
	}
	return r.Class, r.HasWord
}

func (l *link) sqlState() class.Class {
	state := ""
	if e, ok := l.err.(interface{ Field(k byte) string }); ok {
		state = e.Field('C')
	}
	return codes.FromSQLState(cmp.Or(state, firstOf(l.members(spelling.SQLStates), word)), l.text)
}

// readRPC reads the codes of an RPC error: the reason in the details, and the code.
func readRPC(l *link, r *codes.Reader) {
	if l.remote.code == "" {
		return
	}
	r.Read(l.remote.reason)
	if strings.EqualFold(l.remote.code, "unknown") { // no code of gRPC: the error's own take precedence
		readCodes(l, r)
	}
	// gax derives the code from an HTTP status
	if status := firstOf(slices.Values(l.called(spelling.FieldStatus)), asStatus); status == 0 {
		r.Read(l.remote.code)
	}
}

// readCodes reads the codes of an error, and in the structs of its lists.
func readCodes(l *link, r *codes.Reader) {
	for v := range l.members(spelling.Words) {
		code, _, isText := strings.Cut(named(v), " ")
		if !isText || !strings.Contains(code, "_") || code != strings.ToUpper(code) {
			code = named(v)
		} // otherwise a text follows: E_AUTH_FAILED AUTH failed
		r.Read(code)
	}
	for object, paths := range l.listed() {
		for f := range fieldsAt(object, paths[spelling.Words]) {
			r.Read(word(f))
		}
	}
}
