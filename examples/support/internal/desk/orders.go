package desk

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// startOrders starts the order service, with customers, orders, and tickets for colleagues.
func startOrders() (*service, error) {
	type order struct {
		ID     string  `json:"id"`
		Amount float64 `json:"amount"`
		Age    int     `json:"age_days"`
	}
	customers := map[string][]order{
		"CUS-10001": {{"ORD-7", 40, 12}, {"ORD-8", 650, 30}},
		"CUS-48291": {{"ORD-1", 15, 400}}, // nothing within the last 90 days
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /customers/{id}", func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		if _, ok := customers[id]; !ok {
			http.NotFound(w, r)
			return
		}
		reply(w, map[string]any{"id": id, "name": "Customer " + id})
	})
	mux.HandleFunc("GET /customers/{id}/orders", func(w http.ResponseWriter, r *http.Request) {
		var days int
		_, _ = fmt.Sscan(r.URL.Query().Get("days"), &days)
		found := []order{}
		for _, o := range customers[r.PathValue("id")] {
			if o.Age <= days {
				found = append(found, o)
			}
		}
		reply(w, map[string]any{"orders": found})
	})
	var mu sync.Mutex
	tickets := []ticket{}
	mux.HandleFunc("POST /tickets", func(w http.ResponseWriter, r *http.Request) {
		var ask ticket
		if !read(w, r, &ask) {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		ask.ID = fmt.Sprintf("TICKET-%d", len(tickets)+1)
		tickets = append(tickets, ask)
		reply(w, ask)
	})
	mux.HandleFunc("GET /tickets", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		found := slices.DeleteFunc(slices.Clone(tickets),
			func(t ticket) bool { return t.Reason != r.URL.Query().Get("reason") })
		reply(w, map[string]any{"tickets": found})
	})
	return startService(mux)
}

// A ticket asks a colleague to take over a conversation.
type ticket struct {
	ID     string `json:"ticket"`
	Reason string `json:"reason"`
}
