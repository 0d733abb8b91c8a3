package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/mcp-toolerr/toolerr-go/examples/compare/internal/measure"
)

// base is the first wait. It is short, so that the measurement covers the library and not its wait,
// but not zero, so that each library starts a timer. retry.Do's random waits may be zero; with a
// hint of this length, it starts a timer too.
const base = time.Nanosecond

// A situation describes the failures of a function that is called at most three times.
type situation struct {
	name        string
	err         error
	isRetryable func(error) bool // the predicate for libraries that do not classify errors
	fails       int              // how often in a row
	http        bool             // whether the function is an HTTP request
}

// situations lists the columns of the table.
var situations = []situation{
	{"first try", nil, isThrottled, 0, false},
	{"2 failures of ours", errBusy.WithRetryAfter(base), isRetryable, 2, false},
	{"2 structs", throttled(base), isThrottled, 2, false},
	{"gives up, ours", errBusy.WithRetryAfter(base), isRetryable, 3, false},
	{"gives up, structs", throttled(base), isThrottled, 3, false},
	{"HTTP, 2 times 429", nil, isThrottled, 2, true},
}

// ways prepares the libraries for a situation: each makes 3 attempts, with the same base delay,
// exponential backoff and a cancelable context.
func (s situation) ways(ctx context.Context) (all []measure.Way) {
	told := settings{attempts: 3, base: base, retryable: s.isRetryable}
	for _, l := range slices.Concat(libraries, []library{{"avast/retry-go, one context", prepareAvastOnce}}) {
		run, source := l.prepare(told), s.source()
		all = append(all, measure.Way{Name: l.name, Call: func() error {
			fn, err := source(ctx)
			if err != nil {
				return err
			}
			v, err := run(ctx, fn)
			return s.check(v, err)
		}})
	}
	if s.http {
		all = append(all, measure.Way{Name: "hashicorp/go-retryablehttp", Call: s.hashicorp(ctx)})
	}
	return all
}

// check returns an error if a call did not end as expected.
func (s situation) check(v string, err error) error {
	if gaveUp := s.fails >= 3; gaveUp == (err == nil) || !gaveUp && v != "done" {
		return fmt.Errorf("%s: %q, %w", s.name, v, err)
	}
	return nil
}

// source returns a constructor of the function that a library calls.
func (s situation) source() func(context.Context) (function, error) {
	if s.http {
		client := &http.Client{Transport: &refusing{fails: s.fails}}
		return func(ctx context.Context) (function, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
			return func(context.Context) (string, error) { return fetch(client.Do(req)) }, err
		}
	}
	calls := 0
	fn := func(context.Context) (string, error) {
		if s.fails > 0 {
			if calls++; calls%3 != 0 || s.fails >= 3 {
				return "", s.err
			}
		}
		return "done", nil
	}
	return func(context.Context) (function, error) { return fn, nil }
}

// hashicorp returns a way that uses go-retryablehttp, which supports only HTTP and classifies the
// responses itself.
func (s situation) hashicorp(ctx context.Context) func() error {
	client := retryablehttp.NewClient()
	client.HTTPClient = &http.Client{Transport: &refusing{fails: s.fails}}
	client.Logger, client.RetryMax, client.RetryWaitMin = nil, 2, base
	return func() error {
		req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		v, err := fetch(client.Do(req))
		return s.check(v, err)
	}
}

// address is the URL of an in-memory service.
const address = "http://service.example/"

// refusing is a service that repeatedly rejects a number of requests and then answers one.
type refusing struct{ fails, calls int }

// RoundTrip implements [http.RoundTripper].
func (r *refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	status, body := http.StatusOK, "done"
	if r.calls++; r.calls%(r.fails+1) != 0 {
		status, body = http.StatusTooManyRequests, "busy"
	}
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}, nil
}

// fetch reads a response, as an API's client would.
func fetch(resp *http.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", &apiError{StatusCode: resp.StatusCode, RetryAfter: base}
	}
	return string(body), nil
}

// costs measures all libraries in all situations.
func costs(ctx context.Context, rounds int, each time.Duration) (measure.Table, error) {
	head, rows := []string{"CPU TIME"}, map[string][]string{}
	var names []string
	for _, s := range situations {
		measured, err := measure.Interleaved(s.ways(ctx), rounds, each)
		if err != nil {
			return nil, err
		}
		bare := measured[slices.IndexFunc(measured, func(c measure.Cost) bool { return c.Way == "bare loop" })]
		for _, c := range measured {
			if rows[c.Way] == nil {
				names, rows[c.Way] = append(names, c.Way), []string{c.Way}
			}
			for len(rows[c.Way]) < len(head) {
				rows[c.Way] = append(rows[c.Way], "")
			}
			rows[c.Way] = append(rows[c.Way],
				fmt.Sprintf("%d ns (%+d), %d", c.CPU.Nanoseconds(), c.Over(bare).Nanoseconds(), c.Allocs))
		}
		head = append(head, s.name)
	}
	table := measure.Table{head}
	for _, name := range names {
		table = append(table, rows[name])
	}
	return table, nil
}
