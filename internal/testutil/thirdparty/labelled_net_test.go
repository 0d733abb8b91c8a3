package thirdparty

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// listen runs f for each connection to a loopback listener.
func listen(t *testing.T, f func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.SetDeadline(time.Now().Add(testutil.Patience))
			go func() { defer c.Close(); f(c) }()
		}
	}()
	return l.Addr().String()
}

// web answers every request with one status, content type and body.
func web(t *testing.T, status int, ctype, body string, headers ...string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", ctype)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const (
	js      = "application/json"
	html    = "text/html"
	html502 = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad " +
		"Gateway</h1></center><hr><center>nginx</center></body></html>"
	html503 = "<html><head><title>503 Service Temporarily Unavailable</title></head><body><center><h1>503 Service " +
		"Temporarily Unavailable</h1></center></body></html>"
)
