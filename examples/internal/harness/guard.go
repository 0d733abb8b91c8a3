package harness

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// bodyLimit is how long a request's body may take to arrive. It is the same as for the header,
// because clients have the body ready.
const bodyLimit = 5 * time.Second

// ownPages rejects requests that a browser sends for a page of another site: those whose headers
// declare another site and, on loopback, those whose host name is not a loopback one (DNS
// rebinding). Programs send neither. It protects every path, because the counts are private too.
func ownPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if local != nil && isLoopback(local.String()) && !isLoopback(r.Host) || isForeign(r) {
			http.Error(w, "refused: the request is of another site", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isForeign reports whether a browser declares that a request is from another origin.
func isForeign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site": // another port of this machine is another program
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}

func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// limitBodies ends requests whose body does not arrive within limit. The server's ReadTimeout would
// also end longer calls and event streams.
func limitBodies(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			control := http.NewResponseController(w)
			if control.SetReadDeadline(time.Now().Add(limit)) == nil {
				r.Body = &limitedBody{r.Body, control}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// A limitedBody removes the time limit once it has been read to the end.
type limitedBody struct {
	io.ReadCloser

	control *http.ResponseController
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
