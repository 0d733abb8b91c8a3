package sqlstore_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/redis/go-redis/v9"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/redisstore"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// beServer is the environment variable that makes this program a server.
const beServer = "SQLSTORE_TEST_BE_A_SERVER"

// leases are short, so that those of killed processes end soon.
const leases = 900 * time.Millisecond

// A role configures a child process.
type role struct {
	Book, Driver, Name string
	Dialect            sqlstore.Dialect
	// KillOneIn is the mean number of points at which the process may kill itself until it does.
	KillOneIn int
}

// runChild serves in the role of this process, and reports whether the process has one.
func runChild() bool {
	raw := os.Getenv(beServer)
	if raw == "" {
		return false
	}
	var r role
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		panic(err)
	}
	store, err := r.store()
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	crashing := crashingStore{store, r}
	server := &ledger.Server{
		Book: &ledger.Remote{URL: r.Book, Client: &http.Client{Transport: crashingTransport{ledger.Loopback().Transport, r}}},
		Once: &idempotency.Options{Store: crashing, Lease: leases, Wait: 2 * leases, UpstreamDedupes: true},
		Kept: &idempotency.Options{Store: crashing, Lease: leases, Wait: 2 * leases},
		Running: func(ctx context.Context, args ledger.Args) {
			r.mayCrash("work")
			if len(args.Order)%2 == 0 && rand.IntN(20) == 0 { // long enough for the lease to be renewed
				select {
				case <-time.After(leases):
				case <-ctx.Done():
				}
			}
		},
	}
	fmt.Println(listener.Addr())
	get := server.MCP()
	idempotency.AddTool(get, &mcp.Tool{Name: "pay_parts"}, server.Once, payParts(server))
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return get },
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	go func() { panic(http.Serve(listener, handler)) }()
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent exits
	return true
}

// store returns the store of this process.
func (r role) store() (idempotency.Store, error) {
	if r.Driver == "redis" {
		return &redisstore.Store{Client: redis.NewClient(&redis.Options{Addr: r.Name, PoolSize: 40, MaxRetries: 10})}, nil
	}
	db, err := sql.Open(r.Driver, r.Name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(40)
	db.SetMaxIdleConns(40)
	store := &sqlstore.Store{DB: db, Dialect: r.Dialect}
	for store.CreateTable(context.Background()) != nil { // the database may still be restarting
		continue
	}
	return store, nil
}

// mayCrash kills this process at random, and prints where.
func (r role) mayCrash(where string) {
	if r.KillOneIn > 0 && rand.IntN(r.KillOneIn) == 0 {
		fmt.Println(where)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal takes a moment
	}
}

// A crashingTransport may kill the process after the work and before the answer.
type crashingTransport struct {
	http.RoundTripper

	role
}

// RoundTrip implements [http.RoundTripper].
func (t crashingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	t.mayCrash("work done")
	return resp, err
}

// A crashingStore may kill the process before a call of the store, or before its result is
// returned.
type crashingStore struct {
	idempotency.Store
	role
}

func (s crashingStore) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	s.mayCrash("claim")
	got, err := s.Store.Claim(ctx, r)
	if got.State == idempotency.StateClaimed {
		s.mayCrash("claimed")
	}
	return got, err
}

func (s crashingStore) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	s.mayCrashRarely("renewal")
	err := s.Store.Renew(ctx, id, owner, lease)
	s.mayCrashRarely("renewed")
	return err
}

// mayCrashRarely is mayCrash for points that are reached rarely.
func (s crashingStore) mayCrashRarely(where string) {
	s.KillOneIn = (s.KillOneIn + 9) / 10
	s.mayCrash(where)
}

func (s crashingStore) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	s.mayCrash("answer")
	err := s.Store.Finish(ctx, id, owner, end)
	s.mayCrash("answered")
	return err
}

// chainParts is the number of parts of an order of the tool pay_parts.
const chainParts = 3

type chainArgs struct {
	Order string `json:"order"`
	From  int    `json:"from,omitempty"`
	Key   string `json:"idempotency_key,omitempty"`
}

func part(order string, n int) string { return fmt.Sprintf("%s.%d", order, n) }

// payParts books one part of an order, and returns it as a partial result before the last. The
// book knows the key of each part.
func payParts(server *ledger.Server) mcp.ToolHandlerFor[chainArgs, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in chainArgs) (*mcp.CallToolResult, any, error) {
		server.Running(ctx, ledger.Args{Order: in.Order})
		if err := server.Book.Add(ctx,
			ledger.Booking{Tool: "pay_parts", Order: part(in.Order, in.From), Key: in.Key}); err != nil {
			return nil, nil, err
		}
		if in.From+1 < chainParts {
			return nil, nil, toolerr.Transient("More.").WithPartial(&toolerr.Partial{
				Processed: in.From + 1, Total: chainParts, ContinueFrom: in.From + 1,
				Results: json.RawMessage(fmt.Sprintf("[%d]", in.From)),
			})
		}
		return result.OK([]int{in.From}), nil, nil
	}
}
