package sqlstore_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// processes is the number of servers behind one address.
const processes = 3

// A cluster is several servers that share a database, and are restarted when they exit.
type cluster struct {
	front *httptest.Server
	role  role

	turn  atomic.Uint64
	addrs [processes]atomic.Pointer[string]

	mu     sync.Mutex
	closed bool
	alive  [processes]*exec.Cmd
	killed map[string]int // by place
	group  sync.WaitGroup
}

func startCluster(t *testing.T, r role) *cluster {
	t.Helper()
	c := &cluster{role: r, killed: map[string]int{}}
	for i := range processes {
		require.NoError(t, c.launch(t, i))
	}
	c.front = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:   func(pr *httputil.ProxyRequest) { pr.Out.URL.Scheme = "http" },
		Transport: balancer{c, &http.Transport{MaxIdleConnsPerHost: 256}}, FlushInterval: -1,
		ErrorLog:     log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	t.Cleanup(c.close)
	return c
}

// A balancer sends requests to the servers in turn, and to the next one if a server does
// not accept the connection.
type balancer struct {
	*cluster

	next *http.Transport
}

// RoundTrip implements [http.RoundTripper].
func (b balancer) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	for range 2 * processes {
		r.URL.Host = *b.addrs[b.turn.Add(1)%processes].Load()
		r.Body = io.NopCloser(bytes.NewReader(body))
		var op *net.OpError
		if resp, err = b.next.RoundTrip(r); !errors.As(err, &op) || op.Op != "dial" {
			break
		}
	}
	return resp, err
}

// launch starts a server, and restarts it whenever it exits.
func (c *cluster) launch(t *testing.T, i int) error {
	t.Helper()
	raw, err := json.Marshal(c.role)
	if err != nil {
		return err
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), beServer+"="+string(raw))
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	stdin, err := command.StdinPipe() // closed by the server's process
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	if err := command.Start(); err != nil {
		return err
	}
	said := bufio.NewReader(stdout)
	addr, err := said.ReadString('\n')
	if err != nil {
		return err
	}
	addr = strings.TrimSpace(addr)
	c.addrs[i].Store(&addr)
	c.alive[i] = command
	c.group.Go(func() {
		where, _ := said.ReadString('\n')
		_, _ = io.Copy(io.Discard, said)
		_ = command.Wait()
		_ = stdin.Close()
		if c.exited(strings.TrimSpace(where)) {
			assert.NoError(t, c.launch(t, i), "restart of a server")
		}
	})
	return nil
}

// exited records where a server was killed, and reports whether to restart it.
func (c *cluster) exited(where string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	if where == "" {
		where = "from outside"
	}
	c.killed[where]++
	return true
}

// killOne kills a server from outside, at any point.
func (c *cluster) killOne() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.alive[rand.IntN(processes)].Process.Kill()
}

func (c *cluster) close() {
	c.mu.Lock()
	closed := c.closed
	c.closed = true
	for _, command := range c.alive {
		_ = command.Process.Kill()
	}
	c.mu.Unlock()
	c.group.Wait()
	if !closed {
		c.front.Close()
	}
}

// A cutter is a TCP proxy that cuts each connection after some bytes, in either direction:
// also between a commit and its response.
type cutter struct {
	net.Listener

	to   string
	most int // bytes
	cut  atomic.Int64
}

func startCutter(t *testing.T, to string, most int) *cutter {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := &cutter{Listener: listener, to: to, most: most}
	t.Cleanup(func() { _ = c.Close() })
	go func() {
		for {
			conn, err := c.Accept()
			if err != nil {
				return
			}
			go c.relay(conn)
		}
	}()
	return c
}

func (c *cutter) relay(front net.Conn) {
	back, err := net.Dial("tcp", c.to)
	if err != nil {
		_ = front.Close()
		return
	}
	var once sync.Once
	end := func() {
		once.Do(func() {
			_ = front.Close()
			_ = back.Close()
		})
	}
	for _, way := range [][2]net.Conn{{front, back}, {back, front}} {
		go func() {
			defer end()
			limit := int64(1000 + rand.IntN(c.most)) // enough for the handshake
			if n, _ := io.CopyN(way[1], way[0], limit); n == limit {
				c.cut.Add(1)
			}
		}()
	}
}
