package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A lookUp asks the gateway for its book.
type lookUp struct {
	url    string
	client *http.Client
}

func newLookUp(gateway string) lookUp {
	return lookUp{gateway + "/refunds", &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
}

// withKey returns the refund with a key, if there is one by now.
func (l lookUp) withKey(ctx context.Context, key string) ([]refund, error) {
	return l.get(ctx, url.Values{"idempotency_key": {key}})
}

// completed returns the refunds of an order once all is done that has reached the
// gateway before.
func (l lookUp) completed(ctx context.Context, orderID string) ([]refund, error) {
	return l.get(ctx, url.Values{"order_id": {orderID}, "completed": {"true"}})
}

func (l lookUp) get(ctx context.Context, query url.Values) ([]refund, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := l.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var found struct {
		Refunds []refund `json:"refunds"`
	}
	err = json.NewDecoder(resp.Body).Decode(&found)
	return found.Refunds, err
}

func (g *gateway) all() []refund {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.book)
}

// findings are what the book says to what the agents believe.
type findings struct {
	booked, refused, doubled, lost, unfinished int
	wrong                                      []string
}

// compare holds what the agents believe against the book.
func compare(told []belief, book []refund) findings {
	f := findings{booked: len(book)}
	of := map[string][]refund{}
	for _, r := range book {
		of[r.OrderID] = append(of[r.OrderID], r)
	}
	for _, b := range told {
		booked := of[b.want.OrderID]
		delete(of, b.want.OrderID)
		if len(booked) > 1 {
			f.doubled++
		}
		var right bool
		switch b.word {
		case done:
			if len(booked) == 0 {
				f.lost++
			}
			right = len(booked) > 0 && b.got == booked[0] && b.got.OrderID == b.want.OrderID && b.got.Amount == b.want.Amount
		case refused:
			f.refused++
			right = len(booked) == 0 && b.want.Amount > refundLimit
		case unfinished:
			f.unfinished++
			right = true
		}
		if !right {
			f.wrong = append(f.wrong, fmt.Sprintf("%+v, booked %+v", b, booked))
		}
	}
	for order, booked := range of {
		f.wrong = append(f.wrong, fmt.Sprintf("nobody wanted %s, booked %+v", order, booked))
	}
	return f
}

func (r *rush) report(f findings) string {
	r.tally.mu.Lock()
	defer r.tally.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "asked %d: booked %d, refused %d, doubled %d, lost %d, told wrongly %d, unfinished %d\n",
		len(r.wanted), f.booked, f.refused, f.doubled, f.lost, len(f.wrong)+len(r.tally.wrong), f.unfinished)
	fmt.Fprintf(&b, "calls %d, attempts %d, told to verify %d (%d were booked), told that nothing was done %d, out of budget %d, in %v\n",
		r.tally.calls, r.tally.attempts, r.tally.verified, r.tally.found, r.tally.propagated, r.tally.broke, r.took.Round(time.Millisecond))
	fmt.Fprintf(&b, "survived: %s", r.trouble.survived())
	return b.String()
}
