package classify

import (
	"net/http"
	"reflect"
	"strings"
	"time"
)

// class classifies by the library's own numbers, then by a code in words, then by
// the HTTP status.
func (in inspector) class(err error) (class, confidence, time.Duration) {
	if c := in.byNumber(); c != unknown {
		return c, definitive, 0
	}
	status, header, method := in.httpStatus(err)
	c, shown := in.byCode(err)
	return weigh(c, shown, status, header, method, time.Now())
}

// weigh returns what a code in words and an HTTP status say together. A word that
// says no more than that something is wrong leaves it to the status. Shown reports
// that there is a word, if not a known one.
func weigh(code class, shown bool, status int, header http.Header, method string, now time.Time) (class, confidence, time.Duration) {
	byStatus, after := statusClass(status, header, method, now)
	code = code.under(status)
	if shown && status == http.StatusForbidden && !usedUp(header) {
		byStatus, after = denied, 0 // it says why; Retry-After alone is no limit then
	}
	vague := code.isVague() || code == conflict && byStatus == precondition || code.retryable() && code != throttled && isRefusal(status)
	if code == unknown || byStatus != unknown && vague {
		return byStatus, httpStatus, after
	}
	return code, definitive, after
}

// isRefusal reports whether a status says that the request was refused for good, which
// no code that speaks of trouble takes back; 400 is what some services send all codes
// with.
func isRefusal(status int) bool {
	return status > http.StatusBadRequest && status < 500 && !ofStatus(status).retryable()
}

// A codeReader takes the words that an error shows in turn, until one is a known
// code that is not vague.
type codeReader struct {
	class class
	shown bool // there is a word
}

// read reports whether the class is clear.
func (r *codeReader) read(word string) bool {
	return word != "" && r.take(fromWord(word))
}

// take is read for a word that is known already.
func (r *codeReader) take(c class) bool {
	r.shown = true
	if c != unknown && r.class.isVague() {
		r.class = c
	}
	return !r.class.isVague()
}

// settle takes a class that no word has to confirm.
func (r *codeReader) settle(c class) bool {
	if c != unknown {
		r.class = c
	}
	return c != unknown
}

// byCode classifies by the code that err shows as a word, and reports whether it
// shows any.
func (in inspector) byCode(err error) (class, bool) {
	var r codeReader
	for _, read := range []func(inspector, error, *codeReader) bool{
		inspector.readSQLState, inspector.readGRPC, inspector.readEtcd, inspector.readPrometheus, inspector.readMethods, inspector.readKubernetes,
		inspector.readFields, inspector.readElastic, inspector.readItems, inspector.readAnswer, inspector.readOthers,
	} {
		if read(in, err, &r) {
			return r.class, r.shown
		}
	}
	if fault, ok := in.call("ErrorFault"); ok && r.class == unknown { // the AWS SDK
		switch named(fault) {
		case "client":
			r.class = invalid
		case "server":
			r.class = replyLost
		}
	}
	return r.class, r.shown
}

func (in inspector) readGRPC(_ error, r *codeReader) bool {
	status := in.grpc
	switch {
	case !in.isGRPC:
		return false
	case status == nil: // which is no failure
		return true
	}
	if r.settle(fromMessage(status.message())) {
		return true
	}
	if r.read(status.reason()) {
		return true
	}
	if status.readRPCCode(r) {
		r.class = status.mayHaveArrived(r.class)
		return true
	}
	return false
}

func (in inspector) readEtcd(err error, r *codeReader) bool {
	return strings.HasPrefix(in.pkg, "go.etcd.io/") && r.settle(fromMessage(err.Error()))
}

func (in inspector) readMethods(_ error, r *codeReader) bool {
	for _, name := range []string{"ErrorCode", "Code", "Type"} {
		code, ok := in.call(name)
		if !ok || !r.read(named(code)) {
			continue
		}
		if code.Kind() == reflect.Uint32 { // gRPC's and Connect's codes
			r.class = in.mayHaveArrived(r.class)
		}
		return true
	}
	return false
}

func (in inspector) readKubernetes(_ error, r *codeReader) bool {
	status, ok := in.statusStruct()
	if !ok {
		return false
	}
	reason := status.FieldByName("Reason")
	return reason.IsValid() && r.read(word(reason))
}

func (in inspector) readFields(_ error, r *codeReader) bool {
	for f := range in.fields(in.words) {
		if r.read(named(f)) {
			return true
		}
	}
	return false
}

// readOthers reads the fields that are not there for a code: one that holds one may
// forbid a retry.
func (in inspector) readOthers(_ error, r *codeReader) bool {
	if !r.class.isVague() {
		return false
	}
	for f := range in.fields(in.others) {
		if text := named(f); looksLikeCode(text) {
			if c := fromWord(text); !c.isVague() && !c.retryable() {
				return r.settle(c)
			}
		}
	}
	return false
}

func (in inspector) readElastic(_ error, r *codeReader) bool {
	if !in.object.IsValid() {
		return false
	}
	cause := in.object.FieldByName("ErrorCause")
	if !cause.IsValid() || cause.Kind() != reflect.Struct {
		return false
	}
	kind := cause.FieldByName("Type")
	return kind.IsValid() && r.read(word(kind))
}

func (in inspector) readItems(_ error, r *codeReader) bool {
	for _, it := range in.items {
		for list := range in.fields([][]int{it.path}) {
			for i := range min(list.Len(), maxItems) {
				for f := range (inspector{object: reflect.Indirect(list.Index(i))}).fields(it.words) {
					if r.read(word(f)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// maxItems is how many items of a list in an error are looked at. Chosen: errors
// have a few.
const maxItems = 20

// mayHaveArrived takes into account that a call which ended as unavailable may have
// arrived: the specification of gRPC warns of repeating it, unless the connection
// was never made.
func (in inspector) mayHaveArrived(c class) class {
	if c != unavailable {
		return c
	}
	text := in.message()
	for _, unsent := range []string{"rror while dialing", "name resolver error", "no healthy upstream", "connection refused"} {
		if strings.Contains(text, unsent) {
			return c
		}
	}
	return replyLost
}
