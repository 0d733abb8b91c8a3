package evidence_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A faultCase is an error of a tool that fails by itself, and its twin: the same error
// about a value in the arguments, which is the caller's fault.
type faultCase struct {
	fails     func(t *testing.T, what string) error
	own       string // the subject of the tool's own error
	given     string // the subject of the twin's error
	arguments string // the twin's arguments
	field     string // the field of the twin's arguments that contains the subject
	code      toolerr.Code
}

const (
	notFound = toolerr.CodeNotFound
	badInput = toolerr.CodeInvalidArgument
	tooLarge = toolerr.CodeOutOfRange
	noAccess = toolerr.CodePermissionDenied
	noProof  = toolerr.CodeUnauthenticated
)

// faultCases are sorted by the subject of the error: files and programs, then texts that
// cannot be parsed, then the network.
var faultCases = map[string]faultCase{
	"missing file":            {readFile, "/etc/weather/missing.yaml", "/home/ann/missing.txt", `{"path":"/home/ann/missing.txt"}`, "path", notFound},
	"unreadable key":          {pathError("open", fs.ErrPermission), "/etc/weather/key.pem", "/root/.ssh/id", `{"file":"/root/.ssh/id"}`, "file", noAccess},
	"read-only disk":          {pathError("mkdir", syscall.EROFS), "/var/cache/weather", "/usr/x", `{"directory":"/usr/x"}`, "directory", noAccess},
	"a directory":             {readDirectory, "", "x", `{"path":"x"}`, "path", badInput},
	"a path through a file":   {pathError("open", syscall.ENOTDIR), "/etc/passwd/weather", "/etc/passwd/x", `{"path":"/etc/passwd/x"}`, "path", badInput},
	"an escape":               {escape, "../../etc/weather.yaml", "../../etc/passwd", `{"path":"../../etc/passwd"}`, "path", badInput},
	"a rename":                {rename, "/var/cache/weather.tmp", "/home/ann/a", `{"from":"/home/ann/a","to":"/home/ann/b"}`, "from", notFound},
	"missing program":         {program, "weatherctl-none", "fooctl-none", `{"command":"fooctl-none --json"}`, "command", notFound},
	"missing program by path": {start, "/opt/weather/bin/none", "/no/bin/foo", `{"command":["/no/bin/foo","-v"]}`, "command[0]", notFound},
	"forbidden program":       {pathError("fork/exec", syscall.EACCES), "/opt/weather/bin/ctl", "/etc/passwd", `{"program":"/etc/passwd"}`, "program", noAccess},

	"environment variable":    {number, "ten", "many", `{"limit":"many"}`, "limit", badInput},
	"number too large":        {number, "99999999999999999999", "100000000000000000000", `{"limit":1e20}`, "limit", tooLarge},
	"truth value":             {truth, "enabled", "perhaps", `{"force":"perhaps"}`, "force", badInput},
	"arguments decoded again": {decode, `{"days":"seven"}`, `{"city":"Berlin","days":"two"}`, `{"city":"Berlin","days":"two"}`, "days", badInput},
	"bad date":                {date, "Tuesday", "2026-13-01", `{"from":"2026-13-01"}`, "from", badInput},
	"bad expression":          {expression, "weather(", "a(b", `{"pattern":"a(b"}`, "pattern", badInput},
	"bad URL":                 {parseURL, "://weather", "http://[::1", `{"url":"http://[::1"}`, "url", badInput},
	"bad escape":              {parseURL, "https://weather.example/%zz", "https://weather.example/100%gg", `{"item":"100%gg"}`, "item", badInput},
	"unknown host":            {resolve("lookup"), "api.weather.invalid", "nowhere.invalid", `{"host":"Nowhere.Invalid."}`, "host", notFound},
	"untrusted host":          {untrusted, "api.weather.example", "self-signed.example", `{"url":"https://self-signed.example/"}`, "url", noProof},
	"bad network":             {cidr, "10.0.0.0/99", "10.0.0.0/40", `{"network":"10.0.0.0/40"}`, "network", badInput},
}

func readFile(_ *testing.T, path string) error { _, err := os.ReadFile(path); return err }

func readDirectory(t *testing.T, name string) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	_ = os.MkdirAll(path, 0o700)
	return readFile(t, path)
}

func pathError(op string, err error) func(*testing.T, string) error {
	return func(_ *testing.T, path string) error { return &fs.PathError{Op: op, Path: path, Err: err} }
}

func escape(t *testing.T, path string) error {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	_, err = root.Open(path)
	return err
}

func rename(_ *testing.T, path string) error { return os.Rename(path, path+".new") }

func program(_ *testing.T, name string) error { _, err := exec.LookPath(name); return err }

func start(t *testing.T, path string) error {
	t.Helper()
	return exec.CommandContext(t.Context(), path).Run()
}

func number(_ *testing.T, text string) error { _, err := strconv.ParseInt(text, 10, 64); return err }
func numError(text string) error             { return number(nil, text) }
func truth(_ *testing.T, text string) error  { _, err := strconv.ParseBool(text); return err }

type forecast struct {
	Days int `json:"days"`
}

func decode(_ *testing.T, text string) error { return json.Unmarshal([]byte(text), new(forecast)) }

func date(_ *testing.T, text string) error       { _, err := time.Parse(time.DateOnly, text); return err }
func expression(_ *testing.T, text string) error { _, err := regexp.Compile(text); return err }
func cidr(_ *testing.T, text string) error       { _, _, err := net.ParseCIDR(text); return err }
func parseURL(_ *testing.T, text string) error   { _, err := url.Parse(text); return err }

// resolve returns a function that fails like the system's resolver, without a network.
func resolve(op string) func(*testing.T, string) error {
	return func(_ *testing.T, host string) error {
		err := error(&net.DNSError{Err: "no such host", Name: host, IsNotFound: true})
		if op != "lookup" {
			err = &url.Error{Op: op, URL: "https://" + host + "/v1?q=Berlin", Err: &net.OpError{Op: "dial", Net: "tcp", Err: err}}
		}
		return err
	}
}

func untrusted(_ *testing.T, host string) error {
	return &url.Error{Op: "Get", URL: "https://" + host + "/", Err: x509.UnknownAuthorityError{Cert: &x509.Certificate{}}}
}

// A faultServer has two tools, "read" and "write", which fail with err.
type faultServer struct {
	err     error
	log     bytes.Buffer
	counts  result.Counts
	session *mcp.ClientSession
}

func newFaultServer(t *testing.T) *faultServer {
	t.Helper()
	s := new(faultServer)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(&s.log, nil)), Counts: &s.counts}))
	for name, hints := range map[string]*mcp.ToolAnnotations{"read": {ReadOnlyHint: true}, "write": nil} {
		result.AddTool(server, &mcp.Tool{Name: name, Annotations: hints}, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			return nil, nil, s.err
		})
	}
	s.session = testutil.Connect(t, server, nil)
	return s
}

// call returns the failure of a call, and its log.
func (s *faultServer) call(t *testing.T, tool, arguments string, err error) (e *toolerr.Error, log string) {
	t.Helper()
	s.err = err
	s.log.Reset()
	out := result.Parse(s.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}))
	require.Equal(t, result.KindFailure, out.Kind)
	return out.Err, s.log.String()
}

// counted returns how many failures of a category and code were counted, or of all.
func (s *faultServer) counted(category toolerr.Category, code toolerr.Code) (n int64) {
	for _, f := range s.counts.Snapshot() {
		if f.Category == category && f.Code == code || category == "" {
			n += f.Count
		}
	}
	return n
}

// wrappings are the ways in which handlers return an error. Their text may quote an
// argument, which is no evidence of whose fault the error is.
var wrappings = map[string]struct {
	words string
	wrap  func(error) error
}{
	"bare":         {"", func(err error) error { return err }},
	"with %w":      {"", func(err error) error { return fmt.Errorf(`weather for "Berlin": %w`, err) }},
	"Wrap":         {"No weather for Berlin.", func(err error) error { return toolerr.Wrap(err, "No weather for Berlin.") }},
	"Wrap of %w":   {"No weather.", func(err error) error { return toolerr.Wrap(fmt.Errorf("get: %w", err), "No weather.") }},
	"From":         {"", func(err error) error { return toolerr.From(err) }},
	"From, words":  {"No weather.", func(err error) error { return toolerr.From(err).WithMessage("No weather.") }},
	"%w of Wrap":   {"No weather.", func(err error) error { return fmt.Errorf("get: %w", toolerr.Wrap(err, "No weather.")) }},
	"Wrap of Wrap": {"No weather.", func(err error) error { return toolerr.Wrap(toolerr.Wrap(err, "inside"), "No weather.") }},
}

// The error of a tool that fails by itself is logged, and does not blame the caller. Its twin has
// the argument's name as Field.
func TestMiddleware_BrokenTool(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(faultCases), 20)
	for name, c := range faultCases {
		if runtime.GOOS == "windows" && (name == "a directory" || name == "a path through a file") {
			continue // it has no error that says so
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err, twin := c.fails(t, c.own), c.fails(t, c.given)
			require.Error(t, err)
			require.Error(t, twin)
			category := toolerr.CategoryValidation
			if c.code == noAccess || c.code == noProof {
				category = toolerr.CategoryPermission
			}
			own, given := newFaultServer(t), newFaultServer(t)
			for how, w := range wrappings {
				e, log := own.call(t, "read", `{"city":"Berlin","days":3,"units":["metric"],"note":"It's for ann"}`, w.wrap(err))
				assert.Equal(t, "transient internal false  none", fmt.Sprint(e.Category, " ", e.Code, " ", e.Retryable, " ", e.Field, " ", e.Effect), how)
				assert.Contains(t, e.Hint, "tell the user that the tool failed", how)
				assert.Contains(t, log, "level=ERROR", how)
				blamed, log := given.call(t, "read", c.arguments, w.wrap(twin))
				assert.Equal(t, fmt.Sprint(category, " ", c.code, " false ", c.field), fmt.Sprint(blamed.Category, " ", blamed.Code, " ", blamed.Retryable, " ", blamed.Field), "%s: %v", how, twin)
				assert.NotContains(t, blamed.Hint, "tool failed", how)
				assert.NotContains(t, log, "level=ERROR", how)
				if w.words != "" {
					assert.Equal(t, w.words+w.words, e.Message+blamed.Message, how)
				} else {
					assert.Contains(t, blamed.Message, c.field, how)
				}
			}
			n := int64(len(wrappings))
			assert.Equal(t, []int64{n, n}, []int64{own.counted("transient", "internal"), own.counted("", "")})
			assert.Equal(t, []int64{n, n}, []int64{given.counted(category, c.code), given.counted("", "")})
			e, _ := own.call(t, "write", `{"city":"Berlin"}`, err)
			assert.NotEqual(t, toolerr.EffectApplied, e.Effect)
			assert.False(t, e.Retryable)
		})
	}
}

// Time and memory are limited, whatever the error and the arguments.
func TestMiddleware_HostileEvidence(t *testing.T) {
	t.Parallel()
	s := newFaultServer(t)
	e, _ := s.call(t, "read", `{"content":"`+strings.Repeat("a", 4<<20)+`","path":"/home/ann/x"}`, errors.Join(slices.Repeat([]error{numError("x")}, 16)...))
	assert.Equal(t, toolerr.CodeInternal, e.Code)
	e, _ = s.call(t, "read", `{"password":"hunter2hunter2"}`, numError("hunter2hunter2"))
	assert.Equal(t, "password", e.Field)
	assert.NotContains(t, e.Message+e.Hint, "hunter2")
}
