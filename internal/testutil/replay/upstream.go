package replay

import (
	"cmp"
	"io"
	"net/http"
	"strings"
)

// An Upstream holds the recorded answer, or answers, of a service that a server uses.
type Upstream struct {
	Status int               `json:"status,omitempty"` // 0 is 200
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
	// Fault is "reset" if the connection is closed without an answer, and "hang" if it stays open
	// without one.
	Fault string `json:"fault,omitempty"`
	// Paths holds the answers to requests whose method and address contain the key; if several keys
	// match, the longest wins.
	Paths map[string]*Upstream `json:"paths,omitempty"`
}

// ServeHTTP sends the answer. A nil Upstream sends 404.
func (u *Upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if u == nil {
		u = &Upstream{Status: http.StatusNotFound}
	}
	longest := ""
	for part := range u.Paths {
		if strings.Contains(r.Method+" "+r.URL.String(), part) && len(part) > len(longest) {
			longest = part
		}
	}
	if longest != "" {
		u = u.Paths[longest]
	}
	switch u.Fault {
	case "hang":
		<-r.Context().Done()
		return
	case "reset":
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close()
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range u.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(cmp.Or(u.Status, http.StatusOK))
	_, _ = io.WriteString(w, u.Body)
}
