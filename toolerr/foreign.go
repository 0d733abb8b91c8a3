package toolerr

import (
	"net/http"
	"reflect"
	"strings"
	"time"
)

// foreign judges an error of another library by what it shows: methods, fields,
// its type's name, and its text as the last resort.
func foreign(err error, dialing bool) (f finding) {
	t := reflect.TypeOf(err)
	if plain[t] {
		text := err.Error()
		return finding{verdict: fromText(text), weight: weak, final: finalTexts[text]}
	}
	s := shapeOf(t)
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return finding{}
		}
	}
	f.vouched, f.final = flags(err, s)
	look := looking{shape: s, value: v, object: v}
	if v.Kind() == reflect.Pointer {
		look.object = v.Elem()
	}
	if look.object.Kind() != reflect.Struct {
		look.object = reflect.Value{}
	}
	after := look.after(err)
	switch verdict, weight := look.verdict(err); {
	case verdict.known():
		f.verdict, f.weight = verdict, weight
	default:
		f.verdict, f.weight = byMethod(err, dialing), weak
		if v, ok := packages[s.pkg]; ok {
			f.verdict = v
		}
		if named := byName(s); !f.verdict.known() || f.verdict == vUnavailable && named.known() {
			f.verdict = named
		}
		if !f.verdict.known() && isLeaf(err) {
			f.verdict = fromLibraryText(s, err.Error())
		}
	}
	f.verdict.after = max(f.verdict.after, after)
	return f
}

// plain are the types that hold a text and nothing else.
var plain = map[reflect.Type]bool{
	reflect.TypeOf(errNew):    true,
	reflect.TypeOf(errErrorf): true,
}

func isLeaf(err error) bool {
	switch err.(type) { //nolint:errorlint // one link of the chain
	case interface{ Unwrap() error }, interface{ Unwrap() []error }:
		return false
	}
	return true
}

// flags reads what an error says about retrying as such.
func flags(err error, s *shape) (vouched, final bool) {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ Retryable() bool }:
		vouched = e.Retryable()
		final = !vouched
	case interface{ IsRetryable() bool }:
		vouched = e.IsRetryable()
		final = !vouched
	case interface{ RetryableError() bool }:
		vouched = e.RetryableError()
		final = !vouched
	case interface{ Permanent() bool }:
		final = e.Permanent()
	case interface{ IsPermanent() bool }:
		final = e.IsPermanent()
	case interface{ NonRetryable() bool }:
		final = e.NonRetryable()
	}
	if s.pkg == "github.com/avast/retry-go" && s.name == "Error" {
		final = true // its attempts are used up
	}
	switch fold(s.name) {
	case "permanent", "unrecoverable", "nonretryable", "notretryable", "nonretriable", "terminal", "withassertionfailure":
		final = true
	case "retryable", "retriable":
		vouched = !final
	}
	return vouched, final
}

func byMethod(err error, dialing bool) verdict {
	if e, ok := err.(interface{ Timeout() bool }); ok && e.Timeout() {
		return timeout(dialing)
	}
	if e, ok := err.(interface{ Temporary() bool }); ok && e.Temporary() {
		return vUnavailable
	}
	return verdict{}
}

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
	if said && state == http.StatusForbidden && byStatus == (verdict{vThrottled.category, vThrottled.code, true, vThrottled.effect, byStatus.after}) && header.Get("Retry-After") != "" {
		byStatus = vDenied // a denial that says why, in a word that is not known
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

// httpStatus returns the HTTP status that err shows, and its headers.
func (l looking) httpStatus(err error) (int, http.Header) {
	code := 0
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ HTTPStatusCode() int }:
		code = e.HTTPStatusCode()
	case interface{ StatusCode() int }:
		code = e.StatusCode()
	case interface{ HTTPStatus() int }:
		code = e.HTTPStatus()
	case interface{ HTTPCode() int }:
		code = e.HTTPCode()
	case interface{ GetStatusCode() int }:
		code = e.GetStatusCode()
	}
	var header http.Header
	if l.object.IsValid() {
		for _, path := range l.response {
			if fv, ok := field(l.object, path); ok {
				if resp, ok := reflect.TypeAssert[*http.Response](fv); ok && resp != nil {
					code, header = resp.StatusCode, resp.Header
				}
			}
		}
		for _, path := range l.header {
			if fv, ok := field(l.object, path); ok && header == nil {
				header, _ = reflect.TypeAssert[http.Header](fv)
			}
		}
		paths := [][][]int{l.status}
		// A library's own numbers are no status, even where they look like one.
		if l.numbers == nil || l.pkg == "github.com/nats-io/nats.go/jetstream" || l.pkg == "github.com/nats-io/nats.go" {
			paths = append(paths, l.code)
		}
		for _, paths := range paths {
			for _, path := range paths {
				if fv, ok := field(l.object, path); ok && code == 0 {
					if n, ok := number(fv); ok && n >= 400 && n < 600 {
						code = int(n)
					}
				}
			}
		}
	}
	if r, ok := l.call("Status"); ok && r.Kind() == reflect.Struct && code == 0 { // Kubernetes
		if f := r.FieldByName("Code"); f.IsValid() {
			if n, ok := number(f); ok && n >= 400 && n < 600 {
				code = int(n)
			}
		}
	}
	if header == nil {
		header = responseHeader(l)
	}
	return code, header
}

// responseHeader reads the headers of an HTTPResponse method whose type embeds a
// response.
func responseHeader(l looking) http.Header {
	r, ok := l.call("HTTPResponse")
	if !ok {
		return nil
	}
	for r.Kind() == reflect.Pointer && !r.IsNil() && r.Type() != responseType && r.Elem().Kind() == reflect.Struct {
		if r = r.Elem().FieldByName("Response"); !r.IsValid() {
			return nil
		}
	}
	if resp, ok := reflect.TypeAssert[*http.Response](r); ok && resp != nil {
		return resp.Header
	}
	return nil
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
			return v, said
		}
	}
	if strings.HasPrefix(l.pkg, "go.etcd.io/") {
		if v := fromMessage(err.Error()); v.known() {
			return v, said
		}
	}
	for _, name := range []string{"ErrorCode", "Code", "Type"} {
		if r, ok := l.call(name); ok && try(named(r)) {
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

// mongo judges an error of MongoDB by its labels, then by the codes of the
// writes that failed.
func (l looking) mongo() verdict {
	if e, ok := reflect.TypeAssert[interface{ HasErrorLabel(string) bool }](l.value); ok {
		switch {
		case e.HasErrorLabel("SystemOverloadedError"):
			return vThrottled
		case e.HasErrorLabel("TransientTransactionError"):
			return vUnavailable
		case e.HasErrorLabel("NetworkError"):
			return vBroken
		}
	}
	if !l.object.IsValid() {
		if l.value.Kind() == reflect.Slice {
			return l.writes(l.value)
		}
		return verdict{}
	}
	if f := l.object.FieldByName("WriteErrors"); f.IsValid() {
		if v := l.writes(f); v.known() {
			return v
		}
	}
	if f := l.object.FieldByName("WriteConcernError"); f.IsValid() && f.Kind() == reflect.Pointer && !f.IsNil() {
		return l.write(f.Elem())
	}
	return verdict{}
}

// writes judges a list or map of failed writes: the first that forbids a retry,
// else the first.
func (l looking) writes(list reflect.Value) (first verdict) {
	var items []reflect.Value
	switch list.Kind() { //nolint:exhaustive // there are no other kinds
	case reflect.Slice:
		for i := range min(list.Len(), maxList) {
			items = append(items, list.Index(i))
		}
	case reflect.Map:
		for it := list.MapRange(); it.Next() && len(items) < maxList; {
			items = append(items, it.Value())
		}
	}
	for _, item := range items {
		v := l.write(item)
		if v.known() && (!first.known() || first.retryable && !v.retryable) {
			first = v
		}
	}
	return first
}

func (l looking) write(item reflect.Value) verdict {
	if item.Kind() != reflect.Struct {
		return verdict{}
	}
	code := item.FieldByName("Code")
	if !code.IsValid() {
		return verdict{}
	}
	n, _ := number(code)
	return l.numbers(n)
}
