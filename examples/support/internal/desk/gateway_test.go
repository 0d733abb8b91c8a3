package desk

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

func refundRequest(ctx context.Context, t *testing.T, g *gateway) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL+"/refunds", strings.NewReader(`{"order_id":"ORD-7","amount":40,"idempotency_key":"k"}`))
	require.NoError(t, err)
	return r
}

func TestGateway_CompletedLookUp(t *testing.T) {
	t.Parallel()
	g, err := startGateway()
	require.NoError(t, err)
	defer g.close()
	g.misbehave(late)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended, request := make(chan error, 1), refundRequest(ctx, t, g)
	go func() {
		_, err := http.DefaultClient.Do(request) //nolint:bodyclose // there is none
		ended <- err
	}()
	require.Eventually(t, func() bool { return len(g.requests()) == 1 }, testutil.Patience, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)

	found, err := newLookUp(g.URL).completed(t.Context(), "ORD-7") // while the gateway is at work on it
	require.NoError(t, err)
	assert.Equal(t, []refund{{ID: "REF-1", OrderID: "ORD-7", Amount: 40, Key: "k"}}, found)
}

func TestGateway_HalfReply(t *testing.T) {
	t.Parallel()
	g, err := startGateway()
	require.NoError(t, err)
	defer g.close()
	g.misbehave(halfReply)
	resp, err := http.DefaultClient.Do(refundRequest(t.Context(), t, g))
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	half, err := io.ReadAll(resp.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Equal(t, resp.ContentLength/2, int64(len(half)))
	assert.Equal(t, 1, g.booked("ORD-7"))
}

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
