package classify

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// httpStatus returns the HTTP status that err shows, its headers, and the method of
// the request, as far as they are known.
func (in inspector) httpStatus(err error) (status int, header http.Header, method string) {
	status = statusMethod(err)
	for f := range in.fields(in.response) {
		if resp, ok := reflect.TypeAssert[*http.Response](f); ok && resp != nil {
			status, header, method = resp.StatusCode, resp.Header, methodOf(resp)
		}
	}
	for f := range in.fields(in.header) {
		if header == nil {
			header, _ = reflect.TypeAssert[http.Header](f)
		}
	}
	paths := in.status
	// A library's own numbers are no status, even if they look like one.
	if in.codes == nil || strings.HasPrefix(in.pkg, "github.com/nats-io/nats.go") {
		paths = append(slices.Clip(paths), in.code...)
	}
	for f := range in.fields(paths) {
		if status == 0 {
			status = asStatus(f)
		}
	}
	if r, ok := in.callStruct("Status"); ok && status == 0 { // Kubernetes
		status = asStatus(r.FieldByName("Code"))
	}
	if header == nil {
		header = in.responseHeader()
	}
	return status, header, method
}

func statusMethod(err error) int {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ HTTPStatusCode() int }:
		return e.HTTPStatusCode()
	case interface{ StatusCode() int }:
		return e.StatusCode()
	case interface{ HTTPStatus() int }:
		return e.HTTPStatus()
	case interface{ HTTPCode() int }:
		return e.HTTPCode()
	case interface{ GetStatusCode() int }:
		return e.GetStatusCode()
	case interface { // the clients that go-swagger makes
		Code() int
		IsCode(code int) bool
	}:
		return e.Code()
	}
	return 0
}

// asStatus returns a number that is the status of a failure, or 0.
func asStatus(v reflect.Value) int {
	if !v.IsValid() {
		return 0
	}
	if n, ok := number(v); ok && n >= 400 && n < 600 {
		return int(n)
	}
	return 0
}

// responseHeader reads the headers of an HTTPResponse method whose type embeds a
// response.
func (in inspector) responseHeader() http.Header {
	r, ok := in.call("HTTPResponse")
	if !ok {
		return nil
	}
	for r.Kind() == reflect.Pointer && !r.IsNil() && r.Type() != reflect.TypeFor[*http.Response]() && r.Elem().Kind() == reflect.Struct {
		if r = r.Elem().FieldByName("Response"); !r.IsValid() {
			return nil
		}
	}
	if resp, ok := reflect.TypeAssert[*http.Response](r); ok && resp != nil {
		return resp.Header
	}
	return nil
}
