package ledger

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"strconv"
)

// A Proxy is an HTTP intermediary in front of a server: a reverse proxy that does to
// tool calls what its faults say. It is safe for concurrent use.
type Proxy struct {
	// Faults are what it does.
	Faults *Faults
	// Target is the scheme and host of the server, which may move.
	Target func() (scheme, host string)
	// Transport is the way to it.
	Transport http.RoundTripper
	// Between, if not nil, is called between the two of a request that is sent twice; if
	// it is nil, both are sent at the same time. After is called when the second was
	// answered.
	Between, After func()
}

// ServeHTTP implements [http.Handler].
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	seen := p.Faults.of(body)
	switch seen.fault {
	case Lose:
		hangUp()
	case KillBefore:
		p.Faults.Kill()
		hangUp()
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

// afterWork lets the server do the work, and then replaces its answer.
func (p *Proxy) afterWork(w http.ResponseWriter, r *http.Request, body []byte, seen sighting) {
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
		hangUp()
	case KillAfter:
		p.Faults.Kill()
		hangUp()
	case DropReply:
		hangUp()
	case Hang:
		p.Faults.lost(seen.args)
		<-r.Context().Done()
	case After502:
		answer(w, http.StatusBadGateway, false)
	case After503, After503In:
		answer(w, http.StatusServiceUnavailable, seen.fault == After503In)
	case After504:
		answer(w, http.StatusGatewayTimeout, false)
	}
}

// replay sends a request twice, and answers with what the second got.
func (p *Proxy) replay(w http.ResponseWriter, r *http.Request, body []byte) {
	first := make(chan struct{})
	go func() {
		defer close(first)
		_, _ = p.send(r, body)
	}()
	if p.Between != nil {
		p.Between()
	}
	got, err := p.send(r, body)
	if p.After != nil {
		p.After()
	}
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

// send sends a request to the server, and reads the answer to its end. It goes on when
// the client has gone.
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

// hangUp ends the connection without an answer, or with what was written of one.
func hangUp() { panic(http.ErrAbortHandler) }
