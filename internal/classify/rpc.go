package classify

import (
	"iter"
	"reflect"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// status returns the status of a gRPC error, or nil. The status is read only once.
func (l *link) status() *link {
	if l.rpc != nil {
		return l.rpc
	}
	r, ok := l.call("GRPCStatus")
	if !ok { // Temporal's
		r, ok = l.call("Status")
		ok = ok && r.Kind() == reflect.Pointer
	}
	if ok {
		l.rpc = linkTo(r)
	}
	return l.rpc
}

// readGRPC reads the status of a gRPC error: a fixed text, the reason in the details, or the code.
func readGRPC(l *link, r *codes.Reader) {
	if status := l.status(); status != nil && !r.Override(codes.FromMessage(status.message())) {
		r.Read(status.reason())
		if l.statusOf == nil || l.statusOf(l.err) <= 0 { // gax derives the code from an HTTP status
			r.ReadClass(mayHaveArrived(codes.FromWord(status.rpcCode())))
		}
	}
}

// mayHaveArrived turns Unavailable, the class of the code Aborted, into ReplyLost: gRPC does not
// specify that an aborted call changed nothing.
func mayHaveArrived(c class.Class) class.Class {
	if c == class.Unavailable {
		return class.ReplyLost
	}
	return c
}

// rpcCode returns the name of the code of a gRPC status or a Connect error, or "".
func (l *link) rpcCode() string {
	code, _ := l.call("Code")
	if code.Kind() != reflect.Uint32 || code.Uint() >= uint64(len(rpcNames)) {
		return ""
	}
	return rpcNames[code.Uint()]
}

// rpcNames are the names of gRPC's codes in numerical order:
// https://grpc.io/docs/guides/status-codes/.
var rpcNames = strings.Fields("OK Canceled Unknown InvalidArgument DeadlineExceeded NotFound AlreadyExists PermissionDenied ResourceExhausted " +
	"FailedPrecondition Aborted OutOfRange Unimplemented Internal Unavailable DataLoss Unauthenticated")

// message returns the result of the Message method, or "".
func (l *link) message() string {
	if e, ok := reflect.TypeAssert[interface{ Message() string }](l.value); ok {
		return e.Message()
	}
	return ""
}

// details returns the decoded details of a gRPC status or a Connect error.
func (l *link) details() iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		list, _ := l.call("Details")
		if list.Kind() != reflect.Slice {
			return
		}
		for i := range min(list.Len(), answers.MaxItems) {
			item := list.Index(i)
			if item.Kind() == reflect.Interface {
				item = item.Elem()
			}
			if !item.IsValid() {
				continue
			}
			if value := typeInfoOf(item.Type()).valueOf; value.IsValid() { // a detail of Connect
				item = value.Call([]reflect.Value{item})[0].Elem()
			}
			if item.IsValid() && indirect(item).Kind() == reflect.Struct && !yield(item) {
				return
			}
		}
	}
}

// reason returns the reason of the first google.rpc.ErrorInfo in the details.
func (l *link) reason() string {
	for item := range l.details() {
		if e, ok := reflect.TypeAssert[interface {
			GetReason() string
			GetDomain() string
		}](item); ok {
			return e.GetReason()
		}
	}
	return ""
}

// retryInfo returns the delay of the google.rpc.RetryInfo in the details.
func (l *link) retryInfo() time.Duration {
	for item := range l.details() {
		wait := indirect(item).FieldByName("RetryDelay")
		if !wait.IsValid() || !wait.CanInterface() {
			continue
		}
		if p, ok := reflect.TypeAssert[interface{ AsDuration() time.Duration }](wait); ok {
			return class.ClampDelay(p.AsDuration())
		}
	}
	return 0
}

// violated returns the member that a google.rpc.BadRequest in the details names.
func (l *link) violated() string {
	for item := range l.details() {
		if list := indirect(item).FieldByName("FieldViolations"); list.Kind() == reflect.Slice && list.Len() > 0 {
			return word(indirect(list.Index(0)).FieldByName("Field"))
		}
	}
	return ""
}
