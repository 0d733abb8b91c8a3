package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// These environment variables turn a child process into a server.
const (
	envServer = "ADOPT_SERVER"
	envLedger = "ADOPT_LEDGER"
)

// serveChild runs a server process and returns its exit status.
func serveChild(name string) int {
	if err := serve(context.Background(), name, ledger(os.Getenv(envLedger))); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "adopt:", err)
		return 1
	}
	return 0
}

// A program is a transport that runs this executable as each session's server.
type program struct {
	path   string
	server string
	ledger ledger

	mu    sync.Mutex
	conns []mcp.Connection
}

// environment returns the variables that turn this program into a server.
func (p *program) environment() map[string]string {
	return map[string]string{envServer: p.server, envLedger: string(p.ledger)}
}

// Connect implements [mcp.Transport].
func (p *program) Connect(ctx context.Context) (mcp.Connection, error) {
	command := exec.Command(p.path)
	command.Env = os.Environ()
	for name, value := range p.environment() {
		command.Env = append(command.Env, name+"="+value)
	}
	conn, err := (&mcp.CommandTransport{Command: command}).Connect(ctx)
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.conns = append(p.conns, conn)
	}
	return conn, err
}

// close ends the servers, which an adk-go toolset leaves running.
func (p *program) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		_ = conn.Close() // some have ended
	}
}

// policy returns the policy for one conversation. Its guard stops a model from repeating calls that
// may have taken effect. The delays are short because these servers restart at once.
func policy() retry.Policy {
	p := retry.AgentPolicy()
	p.BaseDelay, p.ThrottledDelay = 20*time.Millisecond, 20*time.Millisecond
	p.Guard = new(retry.Guard)
	p.Key = replayKey
	p.Logger = slog.New(slog.DiscardHandler)
	return p
}

// A runID is the key of a run's id in a context, which adk-go and eino pass on to the calls.
type runID struct{}

// replayKey derives a call's key from its run: a framework that replays the run after a crash makes
// the same calls again, and gets their answers. A conversation that may refund the same order twice
// would need the number of the step, too.
func replayKey(ctx context.Context, params *mcp.CallToolParams) string {
	run, ok := ctx.Value(runID{}).(string)
	if !ok {
		return "" // a random one
	}
	arguments, err := json.Marshal(params.Arguments)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s-%x", run, sha256.Sum256([]byte(params.Name+string(arguments))))
}

// newClient returns a client whose AsSession replaces an agent's session.
func newClient(p *program) *retry.Client {
	client := &retry.Client{Safety: retry.SafetyOf, Policy: policy()}
	client.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, client.Options(nil)).Connect(ctx, p, nil)
	}
	return client
}

// A conversation records an agent's run in a situation.
type conversation struct {
	*script

	err   error // that ended the agent's run
	calls int   // the number that reached the server
	done  []string
}

// converse runs an agent in a situation.
func converse(
	ctx context.Context, run func(context.Context, *script, *program) error, server string, s situation, path ledger,
) (conversation, error) {
	self, err := os.Executable()
	if err != nil {
		return conversation{}, fmt.Errorf("cannot find this program to start it again: %w", err)
	}
	p := &program{path: self, server: server, ledger: path}
	defer p.close()
	c := conversation{script: newScript(s)}
	c.err = run(ctx, c.script, p)
	c.calls, c.done = len(path.lines(called)), path.done()
	return c, ctx.Err()
}

// end returns the model's last words, or the error that ended the agent's run.
func (c conversation) end() string {
	if c.err != nil {
		first, _, _ := strings.Cut(c.err.Error(), "\n")
		return "(the agent's run ended) " + first
	}
	return cmp.Or(c.said, "nothing")
}
