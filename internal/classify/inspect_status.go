package classify

import (
	"net/http"
	"reflect"
	"strconv"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
)

// httpStatus returns the HTTP status that err shows, its headers, and the method of
// the request, as far as they are known.
func (in inspector) httpStatus(err error) (status int, header http.Header, method string) {
	if in.statusOf != nil {
		status = in.statusOf(err)
	}
	for f := range in.fields(in.response) {
		if resp, ok := reflect.TypeAssert[*http.Response](f); ok && resp != nil {
			status, header, method = resp.StatusCode, resp.Header, answers.MethodOf(resp)
		}
	}
	for f := range in.fields(in.header) {
		if header == nil {
			header, _ = reflect.TypeAssert[http.Header](f)
		}
	}
	if status == 0 {
		for f := range in.fields(in.status) {
			if status = asStatus(f); status != 0 {
				break
			}
		}
	}
	if r, ok := in.statusStruct(); ok && status == 0 { // Kubernetes
		status = asStatus(r.FieldByName("Code"))
	}
	if header == nil {
		header = in.responseHeader()
	}
	return status, header, method
}

// asStatus returns a number, or the one at the beginning of a text such as "404 Not
// Found", that is the status of a failure, or 0.
func asStatus(v reflect.Value) int {
	if !v.IsValid() {
		return 0
	}
	n, ok := number(v)
	if text := word(v); len(text) > 3 && text[3] == ' ' {
		n, _ = strconv.ParseInt(text[:3], 10, 64)
		ok = true
	}
	if !ok {
		return 0
	}
	return failed(int(n))
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
