package result_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// What a store is asked, by a first call and its repeat. A store in a database
// does the same.
func ExampleMemoryStore() {
	ctx := context.Background()
	store := &result.MemoryStore{MaxAge: time.Hour}
	known, err := store.Claim(ctx, "call-1", "arguments")
	fmt.Println(known == nil, err) // the call is ours to make
	fmt.Println(store.Finish(ctx, "call-1", []byte(`{"out":{"number":1}}`)))

	known, err = store.Claim(ctx, "call-1", "arguments")
	fmt.Println(string(known.Answer), known.Fingerprint, err)
	// Output:
	// true <nil>
	// <nil>
	// {"out":{"number":1}} arguments <nil>
}
