package toolerr

import (
	"net/http"
	"reflect"
	"strings"
	"time"
)

// looking is a look at one error by its shape.
type looking struct {
	*shape
	value  reflect.Value // as it is
	object reflect.Value // the struct, or invalid
}

// call calls a method without arguments and returns its one result.
func (l looking) call(name string) (reflect.Value, bool) {
	i, ok := l.methods[name]
	if !ok {
		return reflect.Value{}, false
	}
	return l.value.Method(i).Call(nil)[0], true
}

// verdict judges by the library's own numbers, then by a code in words, then by
// the HTTP status. A word that says no more than that something is wrong leaves
// it to the status.
func (l looking) verdict(err error) (verdict, weight) {
	if v := l.byNumber(); v.known() {
		return v, overridden
	}
	state, header := l.httpStatus(err)
	byStatus := fromStatus(state, header, time.Now())
	byWord, said := l.byWord(err)
	if said && state == http.StatusForbidden && !usedUp(header) {
		byStatus = vDenied // it says why, if in a word that is not known; Retry-After alone is no limit then
	}
	switch {
	case !byWord.known():
		return byStatus, status
	case byStatus.known() && (byWord == vInvalid || byWord == vInternal || byWord == vConflict && byStatus == vPrecondition):
		return byStatus, status
	}
	byWord.after = max(byWord.after, byStatus.after)
	return byWord, overridden
}

func (l looking) byNumber() verdict {
	if l.numbers == nil {
		return verdict{}
	}
	if strings.HasPrefix(l.pkg, "go.mongodb.org/") {
		if v := l.mongo(); v.known() {
			return v
		}
	}
	for _, name := range []string{"ExtendedCode", "Code", "ErrorCode", "Number"} {
		if r, ok := l.call(name); ok {
			if n, ok := number(r); ok {
				if v := l.numbers(n); v.known() {
					return v
				}
			}
		}
	}
	if !l.object.IsValid() {
		n, _ := number(l.value)
		return l.numbers(n)
	}
	for _, path := range l.number {
		if fv, ok := field(l.object, path); ok {
			if n, ok := number(fv); ok && n != 0 {
				if v := l.numbers(n); v.known() {
					return v
				}
			}
		}
	}
	return verdict{}
}

// byWord judges by the code that err shows as a word, and reports whether it
// shows any.
func (l looking) byWord(err error) (v verdict, said bool) {
	try := func(text string) bool {
		if text == "" {
			return false
		}
		said = true
		found := fromWord(text)
		if found.known() && (!v.known() || v == vInvalid || v == vInternal) {
			v = found
		}
		return v.known() && v != vInvalid && v != vInternal
	}
	if e, ok := err.(interface{ SQLState() string }); ok {
		if v := fromSQLState(e.SQLState(), err.Error()); v.known() {
			return v, said
		}
	}
	if r, ok := l.call("GRPCStatus"); ok {
		if r.Kind() == reflect.Pointer && r.IsNil() {
			return verdict{}, said
		}
		inner := looking{shape: shapeOf(r.Type()), value: r}
		if text, ok := inner.call("Message"); ok {
			if v := fromMessage(word(text)); v.known() {
				return v, said
			}
		}
		if try(detail(inner, "ErrorInfo", "GetReason")) {
			return v, said
		}
		if code, ok := inner.call("Code"); ok && try(named(code)) {
			return lostRPC(v, inner), said
		}
	}
	if strings.HasPrefix(l.pkg, "go.etcd.io/") {
		if v := fromMessage(err.Error()); v.known() {
			return v, said
		}
	}
	for _, name := range []string{"ErrorCode", "Code", "Type"} {
		if r, ok := l.call(name); ok && try(named(r)) {
			if r.Kind() == reflect.Uint32 { // gRPC's and Connect's codes
				v = lostRPC(v, l)
			}
			return v, said
		}
	}
	if r, ok := l.call("Status"); ok && r.Kind() == reflect.Struct {
		if reason := r.FieldByName("Reason"); reason.IsValid() && try(word(reason)) {
			return v, said
		}
	}
	if l.object.IsValid() {
		for _, path := range l.words {
			if fv, ok := field(l.object, path); ok && try(word(fv)) {
				return v, said
			}
		}
		if cause := l.object.FieldByName("ErrorCause"); cause.IsValid() && cause.Kind() == reflect.Struct { // Elasticsearch
			if t := cause.FieldByName("Type"); t.IsValid() && try(word(t)) {
				return v, said
			}
		}
		for _, it := range l.items {
			list, ok := field(l.object, it.path)
			for i := 0; ok && i < min(list.Len(), maxList); i++ {
				for _, path := range it.words {
					if fv, ok := field(list.Index(i), path); ok && try(word(fv)) {
						return v, said
					}
				}
			}
		}
	}
	if fault, ok := l.call("ErrorFault"); ok && !v.known() {
		switch named(fault) {
		case "client":
			return vInvalid, said
		case "server":
			return vBroken, said
		}
	}
	return v, said
}

// named returns the name of an enumeration's value, or the string itself.
func named(v reflect.Value) string {
	if text := word(v); text != "" {
		return text
	}
	if _, ok := number(v); ok && v.CanInterface() {
		if s, ok := reflect.TypeAssert[interface{ String() string }](v); ok {
			return s.String()
		}
	}
	return ""
}

// lostRPC takes into account that a call which ended as unavailable may have
// arrived: the specification of gRPC warns of repeating it, unless the connection
// was never made.
func lostRPC(v verdict, l looking) verdict {
	if v != vUnavailable {
		return v
	}
	text := ""
	if r, ok := l.call("Message"); ok {
		text = word(r)
	}
	for _, notSent := range []string{"rror while dialing", "name resolver error", "no healthy upstream", "connection refused"} {
		if strings.Contains(text, notSent) {
			return v
		}
	}
	return vBroken
}
