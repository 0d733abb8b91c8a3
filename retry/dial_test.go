package retry_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Connect that ends its goroutine, as FailNow of a test does, fails the calls
// that wait for it, and no others.
func TestClient_ConnectEndsGoroutine(t *testing.T) {
	t.Parallel()
	w := newWorld(done)
	c := w.client(t)
	ends := true
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		if ends {
			runtime.Goexit()
		}
		return w.connect(ctx)
	}
	out, d := call(t, c, "write")
	assert.Equal(t, retry.ActionPropagate, d.Action)
	assert.Equal(t, 1, d.Attempt)
	if assert.NotNil(t, out.Err) {
		assert.Equal(t, "The connection to the server could not be made.", out.Err.Message)
		assert.Equal(t, toolerr.EffectNone, out.Err.Effect)
	}
	ends = false
	_, d = call(t, c, "write")
	assert.Equal(t, retry.ActionAccept, d.Action)
	assert.NoError(t, c.Close())
}
