package classify

import (
	"cmp"
	"reflect"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// status returns the link of what a method returns as the status of an error: that of gRPC, of
// Temporal or of Kubernetes. Otherwise it is the error's own link, or nil if it has no methods to
// call. The method is called only once.
func (l *link) status() *link {
	if l.inner == nil && len(l.methods[inners])+len(l.methods[rpcCodes])+len(l.methods[details]) > 0 {
		l.inner = l
		for _, s := range l.called(inners) {
			if l.inner == l && (s.Kind() == reflect.Pointer || s.Kind() == reflect.Struct) {
				l.inner = linkTo(s)
			}
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
	if s := l.status(); s != nil && !l.isRemoteRead {
		l.isRemoteRead = true
		s.readRPC(&l.remote)
	}
	return &l.remote
}

func (l *link) readRPC(r *rpc) {
	code, list := first(l.called(rpcCodes)), first(l.called(details))
	if code.Kind() == reflect.Uint32 {
		r.code = named(code)
		if e, ok := reflect.TypeAssert[interface{ Message() string }](l.value); ok {
			r.message = e.Message()
		}
	}
	for i := 0; list.Kind() == reflect.Slice && i < min(list.Len(), answers.MaxItems); i++ {
		r.add(list.Index(i))
	}
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

// byCode returns the class of an error's code words, if any. The first one with a clear class wins.
func (l *link) byCode() (class.Class, bool) {
	r := &l.reader
	if r.Class = cmp.Or(l.sqlState(), codes.FromMessage(l.rpc().message)); r.Class == class.Unknown {
		readRPC(l, r)
		readCodes(l, r)
		readReply(l, r)
	}
	if l.ownLogin && (r.Class == class.Denied || r.Class == class.Unauthenticated) {
		return class.Internal, true
	}
	return r.Class, r.HasWord
}

// sqlState returns the class of the SQLSTATE that a method or a field has.
func (l *link) sqlState() class.Class {
	state := ""
	if e, ok := l.err.(interface{ Field(k byte) string }); ok {
		state = e.Field('C')
	}
	for v := range l.members(states) {
		if state == "" {
			state = characters(v)
		}
	}
	return codes.FromSQLState(state, l.text)
}

// readRPC reads the codes of an RPC error: the reason in the details, and the code.
func readRPC(l *link, r *codes.Reader) {
	rpc := l.rpc()
	if rpc.code == "" {
		return
	}
	r.Read(rpc.reason)
	c := codes.FromWord(rpc.code)
	if c == class.Unavailable {
		c = class.ReplyLost // gRPC does not specify that an aborted call changed nothing
	}
	if strings.EqualFold(rpc.code, "unknown") { // no code of gRPC: the error's own take precedence
		readCodes(l, r)
	}
	if status := asStatus(first(l.called(statuses))); status == 0 { // gax derives the code from an HTTP status
		r.ReadClass(c)
	}
}

// readCodes reads the codes of an error, of its Kubernetes status, and in the structs of its lists.
func readCodes(l *link, r *codes.Reader) {
	for v := range l.members(words) {
		code, _, isText := strings.Cut(named(v), " ")
		if !isText || !strings.Contains(code, "_") || code != strings.ToUpper(code) {
			code = named(v)
		} // otherwise a text follows: E_AUTH_FAILED AUTH failed
		r.Read(code)
	}
	if status := l.kubernetes(); status != nil {
		readCodes(status, r)
	}
	for object, paths := range l.listed() {
		for f := range fieldsAt(object, paths[words]) {
			r.Read(word(f))
		}
	}
}

// readReply reads the codes in the reply that an error keeps. If nothing shows that it is a reply,
// the codes never allow a retry.
func readReply(l *link, r *codes.Reader) {
	if c, shown := l.reply().Class(); shown && (l.isAnswer || !c.Retryable()) {
		r.ReadClass(c)
	}
}
