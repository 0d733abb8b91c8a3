package ledger_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// A site is a server behind an intermediary. Its process is killed and restarted.
type site struct {
	name    string
	role    ledger.Role
	version string // of the protocol
	reader  bool   // the client uses a result.RoundTripper
	faults  *ledger.Faults
	callers map[string]ledger.Caller

	mu     sync.Mutex
	child  *ledger.Child
	stdin  io.Closer // open while the process runs
	host   string
	kills  int
	closed bool
	proxy  *httptest.Server
}

// sitesOf returns the sites of a soak test: with and without the middleware, over stdio and
// both kinds of HTTP.
func sitesOf(book string) []*site {
	return []*site{
		{name: "stdio, ours", role: ledger.Role{Book: book}},
		{name: "stdio, SDK alone", role: ledger.Role{Book: book, Plain: true}},
		{name: "http, ours", role: ledger.Role{Book: book, HTTP: true}, reader: true},
		{name: "http, SDK alone", role: ledger.Role{Book: book, HTTP: true, Plain: true}},
		{name: "http with sessions, ours", role: ledger.Role{Book: book, HTTP: true}, version: "2025-11-25"},
	}
}

// open starts the dependencies of a site before the first connection.
func (s *site) open(seed uint64) error {
	s.faults = &ledger.Faults{Choose: func(r ledger.Request) ledger.Fault { return s.choose(seed, r) }, Kill: s.kill}
	connect := connectTo(func() (mcp.Transport, error) {
		command, err := s.role.Command()
		if err != nil {
			return nil, err
		}
		transport, _, err := ledger.OverStdio(s.faults, command)
		return transport, err
	})
	if s.role.HTTP {
		if err := s.start(); err != nil {
			return err
		}
		s.proxy = httptest.NewServer(&ledger.Proxy{
			Faults: s.faults, Transport: ledger.Loopback().Transport,
			Target: func() (string, string) {
				s.mu.Lock()
				defer s.mu.Unlock()
				return "http", s.host
			},
		})
		connect = s.http
	}
	s.callers = map[string]ledger.Caller{}
	for kind, newCaller := range ledger.Callers {
		p := ledger.TestPolicy()
		p.AttemptTimeout, p.MaxRetryAfter = attemptTimeout, -1
		if kind == "Client" {
			p = patient(p)
		}
		s.callers[kind] = newCaller(connect, p)
	}
	return nil
}

// attemptTimeout is how long a caller waits for a reply. It influences how calls end, but
// not whether a statement is correct.
const attemptTimeout = time.Second

func (s *site) http(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
	client := ledger.Loopback()
	if s.reader {
		client.Transport = result.RoundTripper(client.Transport)
	}
	transport := &mcp.StreamableClientTransport{Endpoint: s.proxy.URL, HTTPClient: client, MaxRetries: -1}
	return c.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: s.version})
}

// start starts the process of a site over HTTP, and waits for its address.
func (s *site) start() error {
	command, err := s.role.Command()
	if err != nil {
		return err
	}
	child, stdin, stdout, err := ledger.Start(command)
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return err
	}
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.child, s.stdin, s.host = child, stdin, strings.TrimSpace(line)
	return nil
}

// kill kills the process of a site over HTTP, and starts the next one.
func (s *site) kill() {
	s.mu.Lock()
	child := s.child
	s.kills++
	closed := s.closed
	s.mu.Unlock()
	child.Kill()
	if closed {
		return
	}
	if err := s.start(); err != nil {
		panic(fmt.Sprint("a server does not come back: ", err))
	}
}

func (s *site) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	var closing sync.WaitGroup
	for _, caller := range s.callers {
		closing.Go(caller.Close)
	}
	closing.Wait()
	if s.role.HTTP {
		s.child.Kill()
		s.proxy.CloseClientConnections()
		go s.proxy.Close() // waits for hanging requests
	}
}

// shares are how many of a thousand requests have a fault, over pipes and over HTTP.
var shares = []struct {
	fault       ledger.Fault
	pipes, http int
}{
	{ledger.Lose, 4, 10},
	{ledger.DropReply, 4, 15},
	{ledger.CutReply, 8, 15},
	{ledger.Hang, 0, 4},
	{ledger.Garble, 4, 0},
	{ledger.RepeatReply, 20, 0},
	{ledger.Delay, 30, 0},
	{ledger.Replay, 20, 20},
	{ledger.KillBefore, 4, 2},
	{ledger.KillAfter, 6, 3},
	{ledger.After502, 0, 12},
	{ledger.After503, 0, 12},
	{ledger.After503In, 0, 8},
	{ledger.After504, 0, 12},
	{ledger.Before503In, 0, 12},
	{ledger.Before429, 0, 12},
}

// choose returns the fault of a request. It depends on the seed, the order, and the number
// of earlier requests.
func (s *site) choose(seed uint64, r ledger.Request) ledger.Fault {
	dice := diceOf(seed, r.Args.Order, uint64(r.Seen)+1)
	safe := r.Keyed || r.Tool == ledger.Look || r.Tool == ledger.Set
	if safe && r.Seen < 10 && diceOf(seed, r.Args.Order, 0).IntN(100) == 7 {
		return ledger.CutReply // ten times in a row
	}
	n := dice.IntN(1000)
	for _, share := range shares {
		if n -= map[bool]int{false: share.pipes, true: share.http}[s.role.HTTP]; n >= 0 {
			continue
		}
		switch {
		case share.fault == ledger.Replay && !safe:
			return ledger.Pass // the intermediary itself would book twice
		case share.fault == ledger.Replay && ledger.Fates[r.Args.Fate].Before && !ledger.Fates[r.Args.Fate].Always:
			return ledger.Pass // it might pass on the refusal of one copy only, and the other books
		case share.fault == ledger.Replay && r.Tool == ledger.PayKept:
			return ledger.Pass // the same, if the store was away for one copy only
		case share.fault == ledger.After503In && s.reader:
			return ledger.After503 // RFC 9110 defines the header for a service that has not accepted the request
		}
		return share.fault
	}
	return ledger.Pass
}

// diceOf returns the random numbers for one decision about an order.
func diceOf(seed uint64, order string, decision uint64) *rand.Rand {
	var n uint64
	_, _ = fmt.Sscanf(order, "ORD-%d", &n)
	return rand.New(rand.NewPCG(seed, n<<16|decision))
}

func TestMain(m *testing.M) {
	if ledger.ServeRole() {
		return
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	_ = flag.Set("test.parallel", "8") // most of these tests is waiting
	os.Exit(m.Run())
}

// connectTo connects over new transports.
func connectTo(newTransport func() (mcp.Transport, error)) ledger.Connect {
	return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
		transport, err := newTransport()
		if err != nil {
			return nil, err
		}
		return c.Connect(ctx, transport, nil)
	}
}

// maxRepeats is how often a host repeats a retryable call.
const maxRepeats = 3
