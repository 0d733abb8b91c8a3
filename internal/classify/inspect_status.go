package classify

import (
	"net/http"
	"reflect"
	"strconv"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
)

// httpStatus returns the HTTP status of err, its headers and the request's method, as far
// as they are known.
func (in *inspector) httpStatus(err error) (status int, header http.Header, method string) {
	if in.statusOf != nil {
		status = in.statusOf(err)
	}
	if in.mayHaveHeader {
		for f := range in.fields(in.response) {
			if resp, ok := reflect.TypeAssert[*http.Response](f); ok && resp != nil {
				status, header, method = resp.StatusCode, resp.Header, answers.RequestMethod(resp)
			}
		}
		for f := range in.fields(in.header) {
			if header == nil {
				header, _ = reflect.TypeAssert[http.Header](f)
			}
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
	if header == nil && in.mayHaveHeader {
		header = in.responseHeader()
	}
	return status, header, method
}

// asStatus returns the status of a failure: v itself, or the number at the beginning of a
// text such as "404 Not Found". It returns 0 if there is none.
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

// responseHeader returns the headers of an HTTPResponse method whose result embeds a
// response.
func (in *inspector) responseHeader() http.Header {
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
