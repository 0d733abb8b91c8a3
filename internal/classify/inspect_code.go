package classify

import (
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// class classifies by the library's own numbers, then by a code word, then by the HTTP
// status.
func (in *inspector) class(err error) (class.Class, confidence, time.Duration) {
	if in.mayHaveNumber {
		if c := in.byNumber(); c != class.Unknown {
			return c, definitive, 0
		}
	}
	status, header, method := in.httpStatus(err)
	c, shown := in.byCode(err)
	var now time.Time // only headers have times
	if header != nil {
		now = time.Now()
	}
	return weigh(c, shown, status, header, method, now)
}

// weigh combines the class of a code word with an HTTP status. A vague word leaves the
// class to the status. Shown means that there is a code word, known or not.
func weigh(code class.Class, shown bool, status int, header http.Header, method string, now time.Time) (class.Class, confidence, time.Duration) {
	byStatus, after := codes.FromHTTP(status, header, method, now)
	code = codes.UnderStatus(code, status)
	if shown && status == http.StatusForbidden && !codes.IsLimitUsedUp(header) {
		byStatus, after = class.Denied, 0 // the word has the reason; Retry-After alone is not a rate limit then
	}
	vague := code.IsVague() || code == class.Conflict && byStatus == class.Precondition || code.Retryable() && code != class.Throttled && codes.IsRefusal(status)
	if code == class.Unknown || byStatus != class.Unknown && vague {
		return byStatus, httpStatus, after
	}
	return code, definitive, after
}

// byCode classifies by the code words in err, and reports whether there are any.
func (in *inspector) byCode(err error) (class.Class, bool) {
	var r codes.Reader
	if !in.mayHaveCode {
		return class.Unknown, false
	}
	if in.readSQLState(err, &r) || in.readGRPC(err, &r) || in.readEtcd(err, &r) || in.readPrometheus(err, &r) || in.readMethods(err, &r) ||
		in.readKubernetes(err, &r) || in.readFields(err, &r) || in.readElastic(err, &r) || in.readItems(err, &r) || in.readAnswer(err, &r) ||
		in.readOthers(err, &r) {
		return r.Class, r.HasWord
	}
	if fault, ok := in.call("ErrorFault"); ok && r.Class == class.Unknown { // the AWS SDK
		switch named(fault) {
		case "client":
			r.Class = class.Invalid
		case "server":
			r.Class = class.ReplyLost
		}
	}
	return r.Class, r.HasWord
}

func (in *inspector) readGRPC(_ error, r *codes.Reader) bool {
	status := in.grpc
	switch {
	case !in.isGRPC:
		return false
	case status == nil: // a nil status is no failure
		return true
	}
	if r.Override(codes.FromMessage(status.message())) {
		return true
	}
	if r.Read(status.reason()) {
		return true
	}
	if status.readRPCCode(r) {
		r.Class = status.mayHaveArrived(r.Class)
		return true
	}
	return false
}

func (in *inspector) readEtcd(err error, r *codes.Reader) bool {
	return strings.HasPrefix(in.pkg, "go.etcd.io/") && r.Override(codes.FromMessage(err.Error()))
}

func (in *inspector) readMethods(_ error, r *codes.Reader) bool {
	for _, name := range []string{"ErrorCode", "Code", "Type"} {
		code, ok := in.call(name)
		if !ok || !r.Read(named(code)) {
			continue
		}
		if code.Kind() == reflect.Uint32 { // the codes of gRPC and Connect
			r.Class = in.mayHaveArrived(r.Class)
		}
		return true
	}
	return false
}

func (in *inspector) readKubernetes(_ error, r *codes.Reader) bool {
	status, ok := in.statusStruct()
	if !ok {
		return false
	}
	reason := status.FieldByName("Reason")
	return reason.IsValid() && r.Read(word(reason))
}

func (in *inspector) readFields(_ error, r *codes.Reader) bool {
	for f := range in.fields(in.words) {
		if r.Read(named(f)) {
			return true
		}
	}
	return false
}

// readOthers reads the fields whose names do not suggest a code. A code in one may forbid a
// retry.
func (in *inspector) readOthers(_ error, r *codes.Reader) bool {
	if !r.Class.IsVague() {
		return false
	}
	for f := range in.fields(in.others) {
		if text := named(f); codes.LooksLikeCode(text) {
			if c := codes.FromWord(text); !c.IsVague() && !c.Retryable() {
				return r.Override(c)
			}
		}
	}
	return false
}

func (in *inspector) readElastic(_ error, r *codes.Reader) bool {
	for f := range in.fields(in.elastic) {
		return r.Read(word(f))
	}
	return false
}

func (in *inspector) readItems(_ error, r *codes.Reader) bool {
	for _, it := range in.items {
		for list := range in.fields([][]int{it.path}) {
			for i := range min(list.Len(), answers.MaxItems) {
				for f := range (&inspector{object: reflect.Indirect(list.Index(i))}).fields(it.words) {
					if r.Read(word(f)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// mayHaveArrived accounts for calls that may have arrived although they ended as
// unavailable: gRPC's specification warns against repeating them unless the connection was
// never made.
func (in *inspector) mayHaveArrived(c class.Class) class.Class {
	if c != class.Unavailable {
		return c
	}
	text := in.message()
	for _, unsent := range []string{"rror while dialing", "name resolver error", "no healthy upstream", "connection refused"} {
		if strings.Contains(text, unsent) {
			return c
		}
	}
	return class.ReplyLost
}
