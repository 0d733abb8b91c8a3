package redisstore_test

import (
	"context"
	"fmt"
	"time"

	redis "github.com/redis/go-redis/v9"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency/redisstore"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The client is missing. It is one of github.com/redis/go-redis/v9.
func Example() {
	store := new(redisstore.Store)
	fmt.Println(store.Check(context.Background()))
	// Output: redisstore: set Store.Client
}

// A store for a week, whose server is away. Without retries it says so at once.
func ExampleStore() {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	store := &redisstore.Store{Client: client, Prefix: "payments:", MaxAge: 7 * 24 * time.Hour}
	err := store.Check(context.Background())
	fmt.Println(toolerr.From(err).Code, toolerr.From(err).RetryAfter)
	// Output: unavailable 1s
}
