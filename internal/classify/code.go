package classify

import (
	"reflect"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// byCode returns the class of an error's code words, and whether there are any. The first word with
// a clear class wins.
func (l *link) byCode() (class.Class, bool) {
	r := &l.reader
	for _, read := range [...]func(*link, *codes.Reader) bool{
		readSQLState, readGRPC, readCodeMethods, readCodeFields, readReply,
	} {
		if read(l, r) {
			break
		}
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

// readCodeMethods reads the codes that methods return: words, enumerations, Connect codes and
// Kubernetes reasons.
func readCodeMethods(l *link, r *codes.Reader) bool {
	for _, name := range []string{"ErrorCode", "Code", "Type"} {
		code, ok := l.call(name)
		if !ok || !r.Read(named(code)) {
			continue
		}
		if code.Kind() == reflect.Uint32 { // the codes of gRPC and Connect
			r.Class = mayHaveArrived(r.Class)
		}
		return true
	}
	if status := l.kubernetes(); status.IsValid() {
		reason := status.FieldByName("Reason")
		return reason.IsValid() && r.Read(word(reason))
	}
	return false
}

// readCodeFields reads the codes in the fields of an error, and in the structs of its lists.
func readCodeFields(l *link, r *codes.Reader) bool {
	for f := range l.fields(words) {
		if r.Read(named(f)) {
			return true
		}
	}
	for object, paths := range l.listed() {
		for f := range paths.in(object, words) {
			if r.Read(word(f)) {
				return true
			}
		}
	}
	return false
}

// readReply reads the codes in the reply that an error keeps. If nothing shows that it is a reply,
// the codes never allow a retry.
func readReply(l *link, r *codes.Reader) bool {
	c, shown := l.reply().Class()
	if c == class.Unknown || !r.Class.IsVague() || c.Retryable() && !l.isAnswer {
		return false
	}
	r.HasWord = r.HasWord || shown
	return r.Override(c) && !c.IsVague()
}
