package classify

import (
	"cmp"
	"reflect"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// status returns the link of what a method returns as the status of an error: that of gRPC, of
// Temporal or of Kubernetes. Otherwise it is the error's own link, or nil if it has no methods to
// call. The method is called only once.
func (l *link) status() *link {
	if l.inner != nil || len(l.methods) == 0 {
		return l.inner
	}
	l.inner = l
	for _, name := range []string{"GRPCStatus", "Status"} {
		if s, ok := l.call(name); ok && (s.Kind() == reflect.Pointer || s.Kind() == reflect.Struct) {
			l.inner = linkTo(s)
			break
		}
	}
	return l.inner
}

// kubernetes returns the status of a Kubernetes error, or nil.
func (l *link) kubernetes() *link {
	if s := l.status(); s != nil && s != l && s.value.Kind() == reflect.Struct {
		return s
	}
	return nil
}

// An rpc is what a gRPC status or a Connect error says: the name of its code, its message, and, of
// its details, the reason of an ErrorInfo, the delay of a RetryInfo and the member that a BadRequest
// names.
type rpc struct {
	code, message, reason, field string
	after                        time.Duration
}

// rpc returns what an RPC error says. It is read only once.
func (l *link) rpc() *rpc {
	s := l.status()
	if s == nil {
		return noRPC
	}
	if l.remote == nil {
		l.remote = s.readRPC()
	}
	return l.remote
}

// noRPC is shared by the errors that are none. It is never changed.
var noRPC = new(rpc)

func (l *link) readRPC() *rpc {
	r := new(rpc)
	if code, _ := l.call("Code"); code.Kind() == reflect.Uint32 {
		r.code = named(code)
		if e, ok := reflect.TypeAssert[interface{ Message() string }](l.value); ok {
			r.message = e.Message()
		}
	}
	list, _ := l.call("Details")
	for i := 0; list.Kind() == reflect.Slice && i < min(list.Len(), answers.MaxItems); i++ {
		r.add(list.Index(i))
	}
	return r
}

// add adds a detail.
func (r *rpc) add(item reflect.Value) {
	if item.Kind() == reflect.Interface {
		item = item.Elem()
	}
	if !item.IsValid() {
		return
	}
	if value := typeInfoOf(item.Type()).valueOf; value.IsValid() { // a detail of Connect
		item = value.Call([]reflect.Value{item})[0].Elem()
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
