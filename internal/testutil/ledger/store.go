package ledger

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// storeCall is a call of a method of [idempotency.Store] over HTTP.
type storeCall struct {
	Method      string `json:"method"`
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"`
	Answer      []byte `json:"answer"`
}

type storeReply struct {
	State       string `json:"state"`
	Fingerprint string `json:"fingerprint"`
	Answer      []byte `json:"answer"`
}

// Upstream serves a book, and at /store a store for [RemoteStore].
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
		var claim idempotency.Claim
		ctx := context.WithoutCancel(r.Context())
		switch {
		case err != nil:
		case c.Method == "claim":
			claim, err = store.Claim(ctx, c.ID, c.Fingerprint)
		case c.Method == "finish":
			err = store.Finish(ctx, c.ID, c.Answer)
		case c.Method == "reopen":
			err = store.Reopen(ctx, c.ID)
		default:
			err = store.Release(ctx, c.ID)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(storeReply{string(claim.State), claim.Fingerprint, claim.Answer})
	})
}

// A RemoteStore is an [idempotency.Store] behind HTTP, which outlives the servers. What
// a server had claimed that was killed stays claimed.
type RemoteStore struct {
	URL    string
	Client *http.Client
}

func (s *RemoteStore) call(ctx context.Context, c storeCall) (idempotency.Claim, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return idempotency.Claim{}, err
	}
	var got storeReply
	r := &Remote{Client: s.Client}
	err = r.do(ctx, http.MethodPost, s.URL, raw, &got)
	return idempotency.Claim{
		State: idempotency.State(got.State), Record: idempotency.Record{Fingerprint: got.Fingerprint, Answer: got.Answer},
	}, err
}

// Claim implements [idempotency.Store].
func (s *RemoteStore) Claim(ctx context.Context, id, fingerprint string) (idempotency.Claim, error) {
	return s.call(ctx, storeCall{Method: "claim", ID: id, Fingerprint: fingerprint})
}

// Finish implements [idempotency.Store].
func (s *RemoteStore) Finish(ctx context.Context, id string, answer []byte) error {
	_, err := s.call(ctx, storeCall{Method: "finish", ID: id, Answer: answer})
	return err
}

// Reopen implements [idempotency.Store].
func (s *RemoteStore) Reopen(ctx context.Context, id string) error {
	_, err := s.call(ctx, storeCall{Method: "reopen", ID: id})
	return err
}

// Release implements [idempotency.Store].
func (s *RemoteStore) Release(ctx context.Context, id string) error {
	_, err := s.call(ctx, storeCall{Method: "release", ID: id})
	return err
}
