package classify

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// byCode returns the class of an error's code words, if any. The first one with a clear class wins.
func (l *link) byCode() (class.Class, bool) {
	r := &l.reader
	if !readSQLState(l, r) {
		readRPC(l, r)
		readCodeMethods(l, r)
		readCodeFields(l, r)
		readReply(l, r)
	}
	if l.ownLogin && (r.Class == class.Denied || r.Class == class.Unauthenticated) {
		return class.Internal, true
	}
	return r.Class, r.HasWord
}

// readSQLState reads the SQLSTATE from a method or a field.
func readSQLState(l *link, r *codes.Reader) bool {
	state := ""
	switch e := l.err.(type) { //nolint:errorlint // one link of the chain
	case interface{ SQLState() string }:
		state = e.SQLState()
	case interface{ Field(k byte) string }:
		state = e.Field('C')
	}
	for f := range l.fields(states) {
		if state == "" {
			state = characters(f)
		}
	}
	return r.Override(codes.FromSQLState(state, l.text))
}

// readRPC reads what an RPC error says: a fixed text, the reason in the details, or the code.
func readRPC(l *link, r *codes.Reader) {
	rpc := l.rpc()
	if rpc.code == "" || r.Override(codes.FromMessage(rpc.message)) {
		return
	}
	r.Read(rpc.reason)
	if l.statusOf == nil || l.statusOf(l.err) <= 0 { // gax derives the code from an HTTP status
		r.ReadClass(mayHaveArrived(codes.FromWord(rpc.code)))
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

// readCodeMethods reads the codes that methods return: words, enumerations and Kubernetes reasons.
func readCodeMethods(l *link, r *codes.Reader) {
	for _, name := range []string{"ErrorCode", "Code", "Type", "GetCode", "Reason", "Kind"} {
		if code, ok := l.call(name); ok {
			r.Read(named(code))
		}
	}
	if status := l.kubernetes(); status != nil {
		readCodeFields(status, r)
	}
}

// readCodeFields reads the codes in the fields of an error, and in the structs of its lists.
func readCodeFields(l *link, r *codes.Reader) {
	for f := range l.fields(words) {
		r.Read(named(f))
	}
	for object, paths := range l.listed() {
		for f := range paths.in(object, words) {
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
