package resulttest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
)

// The test errors of a store that forgets every claim.
func ExampleTestStore() {
	t := &failures{} // in a test, its *testing.T
	resulttest.TestStore(t, func() idempotency.Store { return new(forgetful) })
	fmt.Println(t.first)
	// Output: a first call: While the first call runs, Claim returns "claimed", want "running"
}

// A forgetful store accepts every claim.
type forgetful struct{ idempotency.MemoryStore }

// Claim implements [idempotency.Store].
func (*forgetful) Claim(context.Context, idempotency.Request) (idempotency.Claim, error) {
	return idempotency.Claim{State: idempotency.StateClaimed}, nil
}

// Failures replaces the *testing.T, which an example does not have.
type failures struct {
	testing.TB

	first string
}

// Helper implements [testing.TB].
func (*failures) Helper() {}

// Context implements [testing.TB].
func (*failures) Context() context.Context { return context.Background() }

// Errorf implements [testing.TB].
func (f *failures) Errorf(format string, args ...any) {
	if f.first == "" {
		f.first = fmt.Sprintf(format, args...)
	}
}
