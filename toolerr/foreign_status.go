package toolerr

import (
	"net/http"
	"reflect"
)

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
