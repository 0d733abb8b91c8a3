package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// A storeCall calls a method of an [idempotency.Store] over HTTP.
type storeCall struct {
	Method  string              `json:"method"`
	Request idempotency.Request `json:"request"` // complete, or only ID, Owner and Lease
	Ending  idempotency.Ending  `json:"ending"`
}

type storeReply struct {
	Claim idempotency.Claim `json:"claim"`
	Lost  bool              `json:"lost"`
}

// Upstream returns a handler that serves a book and, at /store, a store for [RemoteStore].
func Upstream(book *Book, store idempotency.Store) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", book)
	mux.Handle("/store", storeHandler(store))
	return mux
}

func storeHandler(store idempotency.Store) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c storeCall
		err := json.NewDecoder(r.Body).Decode(&c)
		var reply storeReply
		ctx := context.WithoutCancel(r.Context())
		switch {
		case err != nil:
		case c.Method == "claim":
			reply.Claim, err = store.Claim(ctx, c.Request)
		case c.Method == "renew":
			err = store.Renew(ctx, c.Request.ID, c.Request.Owner, c.Request.Lease)
		default:
			err = store.Finish(ctx, c.Request.ID, c.Request.Owner, c.Ending)
		}
		if reply.Lost = errors.Is(err, idempotency.ErrLost); err != nil && !reply.Lost {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(reply)
	})
}

// A Flaky is an [idempotency.Store] that fails regularly: in every 500 calls, 20 in a row do
// nothing, and the next 20 lose their replies.
type Flaky struct {
	idempotency.Store

	calls atomic.Int64
}

var errAway = errors.New("the store is away")

// do runs call, but may simulate a store that is away or a reply that is lost.
func (s *Flaky) do(call func() error) error {
	n := s.calls.Add(1) % 500
	if n < 20 {
		return errAway
	}
	err := call()
	if n < 40 {
		return errAway
	}
	return err
}

// Claim implements [idempotency.Store].
func (s *Flaky) Claim(ctx context.Context, r idempotency.Request) (got idempotency.Claim, err error) {
	err = s.do(func() error { got, err = s.Store.Claim(ctx, r); return err })
	return got, err
}

// Renew implements [idempotency.Store].
func (s *Flaky) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	return s.do(func() error { return s.Store.Renew(ctx, id, owner, lease) })
}

// Finish implements [idempotency.Store].
func (s *Flaky) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	return s.do(func() error { return s.Store.Finish(ctx, id, owner, end) })
}

// A RemoteStore calls an [idempotency.Store] over HTTP. The Store outlives its callers.
type RemoteStore struct {
	URL    string
	Client *http.Client
}

func (s *RemoteStore) call(ctx context.Context, c storeCall) (got storeReply, err error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return got, err
	}
	r := &Remote{Client: s.Client}
	err = r.do(ctx, http.MethodPost, s.URL, raw, &got)
	if err == nil && got.Lost {
		err = idempotency.ErrLost
	}
	return got, err
}

// Claim implements [idempotency.Store].
func (s *RemoteStore) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	got, err := s.call(ctx, storeCall{Method: "claim", Request: r})
	return got.Claim, err
}

// Renew implements [idempotency.Store].
func (s *RemoteStore) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	_, err := s.call(ctx, storeCall{Method: "renew", Request: idempotency.Request{ID: id, Owner: owner, Lease: lease}})
	return err
}

// Finish implements [idempotency.Store].
func (s *RemoteStore) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	_, err := s.call(ctx, storeCall{Method: "finish", Request: idempotency.Request{ID: id, Owner: owner}, Ending: end})
	return err
}
