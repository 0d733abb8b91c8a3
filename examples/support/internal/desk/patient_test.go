package desk

import (
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// patient is the program without a time limit that a slow machine exceeds.
var patient = Program{newClient: patientClient}

// patientClient returns a client that has no time limit in place of the default one. The
// deadline of a request to a service that stalls passes immediately.
func patientClient(transport http.RoundTripper, timeout time.Duration) *http.Client {
	if timeout != upstreamTimeout {
		return &http.Client{Transport: transport, Timeout: timeout}
	}
	return &http.Client{Transport: untilStalled{transport}}
}

// endWait ends the wait of an untilStalled client in another process.
func endWait(w http.ResponseWriter) { w.WriteHeader(http.StatusEarlyHints) }

type untilStalled struct{ next http.RoundTripper }

func (u untilStalled) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, pass := testutil.Deadline(r.Context())
	return u.next.RoundTrip(r.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			pass()
			return nil
		},
	})))
}
