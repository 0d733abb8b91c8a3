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

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
)

// beServer is the variable that makes this program a server.
const beServer = "SQLSTORE_TEST_BE_A_SERVER"

// leases are short, so that those of the dead end soon.
const leases = 900 * time.Millisecond

// A role is what a child process is to be.
type role struct {
	Book, Driver, Name string
	Dialect            sqlstore.Dialect
	// Deadly is in how many of the points at which it may kill itself it does, on average.
	Deadly int
}

// play plays the role that this process was started in, and reports whether there was one.
func play() bool {
	raw := os.Getenv(beServer)
	if raw == "" {
		return false
	}
	var r role
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		panic(err)
	}
	db, err := sql.Open(r.Driver, r.Name)
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(40)
	db.SetMaxIdleConns(40)
	store := &sqlstore.Store{DB: db, Dialect: r.Dialect}
	for store.CreateTable(context.Background()) != nil { // nor is a database that is slow to come back the end
		continue
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	deadly := deadlyStore{store, r}
	server := &ledger.Server{
		Book: &ledger.Remote{URL: r.Book, Client: &http.Client{Transport: deadlyTransport{ledger.Loopback().Transport, r}}},
		Once: &idempotency.Options{Store: deadly, Lease: leases, Wait: 2 * leases, Rerun: true},
		Kept: &idempotency.Options{Store: deadly, Lease: leases, Wait: 2 * leases},
		Running: func(ctx context.Context, args ledger.Args) {
			r.mayDie("work")
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
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return get }, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	go func() { panic(http.Serve(listener, handler)) }()
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent has gone
	return true
}

// mayDie kills this process now and then, and says where.
func (r role) mayDie(where string) {
	if r.Deadly > 0 && rand.IntN(r.Deadly) == 0 {
		fmt.Println(where)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // it takes a moment
	}
}

// A deadlyTransport kills the process when the work is done and before anybody is told.
type deadlyTransport struct {
	http.RoundTripper

	role
}

// RoundTrip implements [http.RoundTripper].
func (t deadlyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	t.mayDie("work done")
	return resp, err
}

// A deadlyStore kills the process before it asks the store, or before it says what it was
// told.
type deadlyStore struct {
	idempotency.Store
	role
}

func (s deadlyStore) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	s.mayDie("claim")
	got, err := s.Store.Claim(ctx, r)
	if got.State == idempotency.StateClaimed {
		s.mayDie("claimed")
	}
	return got, err
}

func (s deadlyStore) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	s.mayRenewAndDie("renewal")
	err := s.Store.Renew(ctx, id, owner, lease)
	s.mayRenewAndDie("renewed")
	return err
}

// mayRenewAndDie is mayDie for what is rarer by far.
func (s deadlyStore) mayRenewAndDie(where string) {
	s.Deadly = (s.Deadly + 9) / 10
	s.mayDie(where)
}

func (s deadlyStore) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	s.mayDie("answer")
	err := s.Store.Finish(ctx, id, owner, end)
	s.mayDie("answered")
	return err
}
