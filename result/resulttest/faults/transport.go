package faults

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
)

// RoundTrip implements [http.RoundTripper]. Requests with None, ResetAfter and HalfBody are
// sent with Base.
func (i *Injector) RoundTrip(req *http.Request) (*http.Response, error) {
	fault := i.next()
	if fault == None || fault == ResetAfter || fault == HalfBody {
		return i.execute(req, fault)
	}
	if req.Body != nil {
		_ = req.Body.Close()
	}
	if fault == ResetBefore {
		return nil, reset("write")
	}
	if fault == Stall {
		i.stall(req.Context(), nil)
		if err := req.Context().Err(); err != nil {
			return nil, err
		}
		return nil, reset("read")
	}
	recorder := httptest.NewRecorder()
	if !i.reply(recorder, fault) {
		return nil, fmt.Errorf("unknown fault %q", fault)
	}
	resp := recorder.Result()
	resp.Request = req
	return resp, nil
}

// execute sends the request, and drops all or half of the reply.
func (i *Injector) execute(req *http.Request, fault Fault) (*http.Response, error) {
	base := i.Base
	if base == nil {
		base = http.DefaultTransport
	}
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
	}
	body = atLeastTwo(body)
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)/2]), cutOff{}))
	return resp, nil
}

// A cutOff is the end of a truncated body.
type cutOff struct{}

// Read implements [io.Reader].
func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// reset returns the error of a connection that the peer has reset.
func reset(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, errReset)}
}
