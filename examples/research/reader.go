package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// pageSize is the maximum number of entries requested at once.
const pageSize = 5

// A reader reads the pages of a source, with retries.
type reader struct {
	name   string
	url    string
	client *http.Client
	policy retry.Policy
	log    *slog.Logger
}

// newReader returns a reader for the source at this URL. It makes only quick retries, as
// [retry.ToolPolicy] allows. The coordinator decides about longer waits.
func newReader(name, url string, attempts int, log *slog.Logger) *reader {
	policy := retry.ToolPolicy()
	policy.MaxAttempts, policy.AttemptTimeout, policy.Safety = attempts, 700*time.Millisecond, retry.SafetyReadOnly
	return &reader{
		name: name, url: url, log: log, policy: policy,
		// Each request has its own connection, so a broken one does not affect others.
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
}

// A request is a query for one page of a source.
type request struct {
	Query string `json:"query"`
	From  int    `json:"from"`
	Limit int    `json:"limit"`
}

// read returns a page. If the last attempt fails, the error lists the attempts.
func (r *reader) read(ctx context.Context, ask request) (page, error) {
	policy := r.policy
	policy.Logger = r.log.With("source", r.name, "from", ask.From)
	got, err := retry.Do(ctx, policy, func(ctx context.Context) (page, error) { return r.get(ctx, ask) })
	if err == nil {
		policy.Logger.Debug(logPage, "entries", len(got.Entries), "total", got.Total)
	}
	return got, err
}

// get makes one attempt. Wrap and FromResponse classify its failure; the messages are for the
// coordinator's model.
func (r *reader) get(ctx context.Context, ask request) (got page, err error) {
	query := url.Values{"query": {ask.Query}, "from": {strconv.Itoa(ask.From)}, "limit": {strconv.Itoa(ask.Limit)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/?"+query.Encode(), nil)
	if err != nil {
		return got, err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return got, toolerr.Wrap(err, r.says("did not answer"))
	}
	if e := toolerr.FromResponse(resp); e != nil {
		return got, e.WithMessage(r.says(fmt.Sprintf("answered with status %d", resp.StatusCode)))
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		// This is not Wrap, which would blame a bug in the tool: the next answer may be readable.
		return got, toolerr.Transient(r.says("sent an answer that cannot be read")).
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone).WithCause(err)
	}
	return got, nil
}

func (r *reader) says(what string) string { return "The source of " + r.name + " " + what + "." }
