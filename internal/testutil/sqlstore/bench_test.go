package sqlstore_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// benchmarked returns the stores whose times are compared.
func benchmarked(b *testing.B) map[string]idempotency.Store {
	b.Helper()
	stores := map[string]idempotency.Store{"memory": new(idempotency.MemoryStore)}
	for name, d := range databases(b) {
		stores[name] = d.store(b, "keys")
	}
	return stores
}

var answer = []byte(`{"call":"0123456789abcdef0123456789abcdef","out":{"receipt":"R-7","order":"ORD-7"}}`)

func newRequest() idempotency.Request {
	r := request()
	r.Lease, r.Principal = time.Minute, "p"
	return r
}

// BenchmarkFirstCall measures a claim and its answer.
func BenchmarkFirstCall(b *testing.B) {
	for name, store := range benchmarked(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := newRequest()
				got, err := store.Claim(b.Context(), r)
				require.NoError(b, err)
				require.Equal(b, idempotency.StateClaimed, got.State)
				require.NoError(b, store.Finish(b.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer}))
			}
		})
	}
}

// BenchmarkReplay measures a claim with a stored answer.
func BenchmarkReplay(b *testing.B) {
	for name, store := range benchmarked(b) {
		b.Run(name, func(b *testing.B) {
			r := newRequest()
			_, err := store.Claim(b.Context(), r)
			require.NoError(b, err)
			require.NoError(b, store.Finish(b.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer}))
			for b.Loop() {
				r.Owner = rand.Text()
				got, err := store.Claim(b.Context(), r)
				require.NoError(b, err)
				require.Equal(b, idempotency.StateAnswered, got.State)
			}
		})
	}
}

// BenchmarkFirstCalls measures concurrent first calls of sixteen callers.
func BenchmarkFirstCalls(b *testing.B) {
	for name, store := range benchmarked(b) {
		b.Run(name, func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r := newRequest()
					_, err := store.Claim(b.Context(), r)
					require.NoError(b, err)
					require.NoError(b, store.Finish(b.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer}))
				}
			})
		})
	}
}
