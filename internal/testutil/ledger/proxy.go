package ledger

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"strconv"
)

// A Proxy is an HTTP reverse proxy that applies faults to tool calls and bookings. It is safe for
// concurrent use if its functions are.
type Proxy struct {
	Faults *Faults
	// Target returns the current scheme and host of the server: they may change.
	Target func() (scheme, host string)
	// Transport sends the requests.
	Transport http.RoundTripper
}

// ServeHTTP implements [http.Handler].
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has disconnected
	}
	seen := p.Faults.of(body)
	switch seen.fault {
	case Lose:
		abort()
	case KillBefore:
		p.Faults.Kill()
		abort()
	case Before503In:
		answer(w, http.StatusServiceUnavailable, true)
		return
	case Before429:
		answer(w, http.StatusTooManyRequests, true)
		return
	case Replay:
		p.replay(w, r, body)
		return
	case Pass, RepeatReply, Delay, Garble:
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy := &httputil.ReverseProxy{
			Rewrite: func(pr *httputil.ProxyRequest) {
				pr.Out.URL.Scheme, pr.Out.URL.Host = p.Target()
				pr.Out.Host = ""
			},
			Transport: p.Transport, FlushInterval: -1, ErrorLog: discard,
			ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { answer(w, http.StatusBadGateway, false) },
		}
		proxy.ServeHTTP(w, r)
		return
	case DropReply, CutReply, Hang, KillAfter, After502, After503, After503In, After504:
	}
	p.afterWork(w, r, body, seen)
}

// afterWork sends a request, waits for the response, and replaces, cuts or drops it.
func (p *Proxy) afterWork(w http.ResponseWriter, r *http.Request, body []byte, seen delivery) {
	got, err := p.send(r, body)
	if err != nil {
		answer(w, http.StatusBadGateway, false)
		return
	}
	switch seen.fault { //nolint:exhaustive // the others come before the work
	case CutReply:
		header(w, got)
		_, _ = w.Write(got.body[:len(got.body)/2])
		_ = http.NewResponseController(w).Flush()
		abort()
	case KillAfter:
		p.Faults.Kill()
		abort()
	case DropReply:
		abort()
	case Hang:
		<-r.Context().Done()
	case After502:
		answer(w, http.StatusBadGateway, false)
	case After503, After503In:
		answer(w, http.StatusServiceUnavailable, seen.fault == After503In)
	case After504:
		answer(w, http.StatusGatewayTimeout, false)
	}
}

// replay sends a request twice, and passes the second response to the client.
func (p *Proxy) replay(w http.ResponseWriter, r *http.Request, body []byte) {
	first := make(chan struct{})
	go func() {
		defer close(first)
		_, _ = p.send(r, body)
	}()
	got, err := p.send(r, body)
	<-first
	if err != nil {
		answer(w, http.StatusBadGateway, false)
		return
	}
	header(w, got)
	_, _ = w.Write(got.body)
}

type reply struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request to the server, and returns the whole response. It goes on if the client
// disconnects.
func (p *Proxy) send(r *http.Request, body []byte) (*reply, error) {
	out, err := http.NewRequest(r.Method, r.URL.String(), bytes.NewReader(body)) //nolint:noctx // see above
	if err != nil {
		return nil, err
	}
	out.Header = r.Header.Clone()
	out.URL.Scheme, out.URL.Host = p.Target()
	resp, err := p.Transport.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	return &reply{resp.StatusCode, resp.Header, got}, err
}

func header(w http.ResponseWriter, got *reply) {
	maps.Copy(w.Header(), got.header)
	w.Header().Set("Content-Length", strconv.Itoa(len(got.body)))
	w.WriteHeader(got.status)
}

func answer(w http.ResponseWriter, status int, retryAfter bool) {
	if retryAfter {
		w.Header().Set("Retry-After", "0")
	}
	http.Error(w, http.StatusText(status), status)
}

// abort closes the connection without completing the response.
func abort() { panic(http.ErrAbortHandler) }
