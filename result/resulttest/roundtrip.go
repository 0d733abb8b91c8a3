package resulttest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// RoundTrip implements [http.RoundTripper]. What does not fail goes to Base, and
// so does what fails only after it was carried out.
func (f *Faults) RoundTrip(req *http.Request) (*http.Response, error) {
	fault := f.next()
	switch fault {
	case FaultNone:
		return f.base().RoundTrip(req)
	case FaultResetAfter, FaultHalfBody:
		return f.broken(req, fault)
	case FaultStall, FaultResetBefore, FaultTooManyRequests, FaultInternal, FaultUnavailable, FaultGarbage:
	}
	if req.Body != nil {
		_ = req.Body.Close()
	}
	switch fault {
	case FaultStall:
		timer := time.NewTimer(f.stall())
		defer timer.Stop()
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-timer.C:
			return nil, reset("read")
		}
	case FaultResetBefore:
		return nil, reset("write")
	case FaultGarbage:
		return response(req, http.StatusOK, f.header(FaultInternal), []byte(garbage)), nil
	case FaultNone, FaultResetAfter, FaultHalfBody, FaultTooManyRequests, FaultInternal, FaultUnavailable:
	}
	status, ok := statuses[fault]
	if !ok {
		return nil, fmt.Errorf("no fault is called %q", fault)
	}
	return response(req, status.code, f.header(fault), []byte(status.body)), nil
}

func (f *Faults) base() http.RoundTripper {
	if f.Base == nil {
		return http.DefaultTransport
	}
	return f.Base
}

// broken has the request carried out, and loses all or half of the answer.
func (f *Faults) broken(req *http.Request, fault Fault) (*http.Response, error) {
	resp, err := f.base().RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	if fault == FaultResetAfter {
		return nil, reset("read")
	}
	body = atLeastTwo(body)
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body[:len(body)/2]), cutOff{}), resp.Body}
	return resp, nil
}

// atLeastTwo makes a body one that can be cut in two.
func atLeastTwo(body []byte) []byte {
	if len(body) < 2 {
		return []byte("{}")
	}
	return body
}

// A cutOff is the end of a body that should have been longer.
type cutOff struct{}

// Read implements [io.Reader].
func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// reset is what a client sees of a connection that its peer has reset.
func reset(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, syscall.ECONNRESET)}
}

func response(req *http.Request, status int, header http.Header, body []byte) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(strings.NewReader(string(body))), ContentLength: int64(len(body)), Request: req,
	}
}

// seconds is a duration as a header has it.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}
