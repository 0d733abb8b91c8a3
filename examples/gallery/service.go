package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A service is a real HTTP service, on loopback, that a tool uses.
type service struct {
	name   string // begins a sentence that the model may see
	url    string
	client *http.Client
	server *http.Server
}

// startService starts a service with this handler. Its call method waits up to limit for an answer.
func startService(name string, limit time.Duration, handler http.Handler) (*service, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot listen on loopback: %w", err)
	}
	s := &service{
		name: name, url: "http://" + listener.Addr().String(),
		client: &http.Client{Timeout: limit, Transport: new(http.Transport)},
		server: &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second},
	}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *service) close() {
	s.client.CloseIdleConnections()
	_ = s.server.Close()
}

// call sends in, if it is not nil, and decodes the answer into out. It returns failures of the
// service as envelopes, which state whether the work may have been done.
func (s *service) call(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, &body)
	if err != nil {
		return err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return toolerr.Wrap(err, s.name+" did not answer.")
	}
	if e := toolerr.FromResponse(resp); e != nil {
		return e.WithMessage(fmt.Sprintf("%s answered with status %d.", s.name, resp.StatusCode))
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		// This is not Wrap, which would blame a bug in the tool: the next answer may be readable.
		return toolerr.Transient(s.name + " sent an answer that cannot be read.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown).WithCause(err)
	}
	return nil
}

// answer writes a service's reply.
func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
