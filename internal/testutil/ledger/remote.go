package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ServeHTTP implements [http.Handler]: POST adds a booking, GET closes a round. For a booking in a
// closed round, the status is 409.
func (b *Book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		round, err := strconv.Atoi(r.FormValue("round"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(b.CloseRound(r.FormValue("order"), round))
		return
	}
	var n Booking
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := b.Add(n); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(n)
}

// A Remote calls a [Book] over HTTP. The Book outlives its callers.
type Remote struct {
	URL    string
	Client *http.Client
}

// Add calls [Book.Add]. It returns the errors of Client and of [toolerr.FromResponse].
func (r *Remote) Add(ctx context.Context, n Booking) error {
	raw, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return r.do(ctx, http.MethodPost, r.URL, raw, new(Booking))
}

// CloseRound calls [Book.CloseRound].
func (r *Remote) CloseRound(ctx context.Context, order string, round int) (found []Booking, err error) {
	query := url.Values{"order": {order}, "round": {strconv.Itoa(round)}}
	return found, r.do(ctx, http.MethodGet, r.URL+"?"+query.Encode(), nil, &found)
}

func (r *Remote) do(ctx context.Context, method, address string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := r.Client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= http.StatusBadRequest {
		return toolerr.FromResponse(resp)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}
