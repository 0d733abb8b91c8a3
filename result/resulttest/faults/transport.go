package faults

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"syscall"
	"testing/iotest"
)

// RoundTrip implements [http.RoundTripper]. Base sends requests with None, ResetAfter and HalfBody.
func (i *Injector) RoundTrip(req *http.Request) (*http.Response, error) {
	base := i.Base
	base = cmp.Or(base, http.DefaultTransport)
	return i.inject(i.next(), req, base, nil)
}

// inject answers a request with a fault.
func (i *Injector) inject(
	fault Fault, req *http.Request, base http.RoundTripper, testEnded <-chan struct{},
) (*http.Response, error) {
	if fault == None || fault == ResetAfter || fault == HalfBody {
		return execute(req, fault, base)
	}
	if req.Body != nil {
		_ = req.Body.Close()
	}
	switch r, replaced := replies[fault]; {
	case replaced:
		return i.reply(req, fault, r.status, r.body), nil
	case fault == ResetBefore:
		return nil, reset("write")
	case fault == Stall:
		i.stall(req.Context(), testEnded)
		return nil, cmp.Or(req.Context().Err(), reset("read"))
	}
	return i.reply(req, fault, http.StatusNotImplemented, fmt.Sprintf(`{"error":"unknown fault %s"}`, fault)), nil
}

// execute sends the request, and drops half of the reply, all of it, or nothing.
func execute(req *http.Request, fault Fault, base http.RoundTripper) (*http.Response, error) {
	resp, err := base.RoundTrip(req)
	if err != nil || fault == None {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	switch {
	case err != nil:
		return nil, err
	case fault == ResetAfter:
		return nil, reset("read")
	case len(body) < 2:
		body = []byte("{}") // a body that can be cut in two
	}
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)/2]), iotest.ErrReader(io.ErrUnexpectedEOF)))
	return resp, nil
}

// reply returns the reply for a fault.
func (i *Injector) reply(req *http.Request, fault Fault, status int, body string) *http.Response {
	recorder := httptest.NewRecorder()
	recorder.Header().Set("Content-Type", "application/json")
	recorder.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if i.RetryAfter > 0 && (fault == TooManyRequests || fault == Unavailable) {
		recorder.Header().Set("Retry-After", strconv.FormatFloat(math.Ceil(i.RetryAfter.Seconds()), 'f', 0, 64))
	}
	recorder.WriteHeader(status)
	_, _ = recorder.WriteString(body)
	resp := recorder.Result()
	resp.Request = req
	return resp
}

// reset returns the error for a connection that the peer has reset.
func reset(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, syscall.ECONNRESET)}
}
