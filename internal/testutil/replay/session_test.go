package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A mode is a configuration of the server.
type mode string

const (
	modeAlone    mode = "SDK alone"
	modeDefault  mode = "default"
	modeServices mode = "services"
	modeAdoption mode = "adoption"
)

// reveals are the errors whose text is sent in a mode.
var reveals = map[mode]func(error) bool{modeServices: result.RevealServices, modeAdoption: result.RevealAll}

// A stage is a session with a server that has the tools of a recording. Every tool gives
// the current answer.
type stage struct {
	rec     *recording
	session *mcp.ClientSession
	levels  *levels

	mu  sync.Mutex
	res *mcp.CallToolResult
	err error
}

// newStage connects a client to a server that has the tools of a recording. Its handlers
// return errors if typed is set, and results otherwise.
func newStage(t *testing.T, rec *recording, m mode, typed bool) *stage {
	t.Helper()
	s := &stage{rec: rec, levels: new(levels)}
	server := mcp.NewServer(&mcp.Implementation{Name: rec.Server.Name, Version: rec.Server.Version}, nil)
	if m != modeAlone {
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
			Logger: slog.New(s.levels),
			Reveal: reveals[m],
		}))
	}
	for _, tool := range rec.Tools {
		it := &mcp.Tool{Name: tool.Name, InputSchema: tool.InputSchema, Annotations: tool.Annotations}
		if typed {
			mcp.AddTool(server, it, func(
				context.Context, *mcp.CallToolRequest, map[string]any,
			) (*mcp.CallToolResult, any, error) {
				_, err := s.answer()
				return nil, nil, err
			})
			continue
		}
		server.AddTool(it, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.answer()
		})
	}
	s.session = testutil.Connect(t, server, nil)
	return s
}

func (s *stage) answer() (*mcp.CallToolResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.res, s.err
}

// play calls the tool of a case, which returns res and err.
func (s *stage) play(t *testing.T, c *recordedCall, res *mcp.CallToolResult, err error) *mcp.CallToolResult {
	t.Helper()
	s.mu.Lock()
	s.res, s.err = res, err
	s.mu.Unlock()
	s.levels.reset()
	got, err := s.session.CallTool(context.Background(), &mcp.CallToolParams{Name: c.Tool, Arguments: c.Arguments})
	require.NoError(t, err, "%s/%s", s.rec.file, c.ID)
	require.True(t, got.IsError, "%s/%s", s.rec.file, c.ID)
	return got
}

// observe returns the observation of a call through the middleware.
func (s *stage) observe(t *testing.T, c *recordedCall, got *mcp.CallToolResult, typed bool) *observation {
	t.Helper()
	o := &observation{
		envelope: new(toolerr.Error), level: s.levels.highest(t), readOnly: s.rec.readOnly(c.Tool),
		typed: typed,
	}
	if !typed {
		_, isObject := object(text(c.result(t)))
		o.prose = !isObject && c.result(t).StructuredContent == nil
	}
	envelope, ok := got.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	require.NoError(t, json.NewDecoder(bytes.NewReader([]byte(envelope.Text))).Decode(o.envelope), "%s/%s: %s", s.rec.file,
		c.ID, envelope.Text)
	require.Nil(t, got.StructuredContent)
	for _, tool := range s.rec.Tools {
		if tool.Name == c.Tool {
			o.schema = tool.InputSchema
		}
	}
	return o
}

// levels is a [slog.Handler] that keeps the levels of failed calls.
type levels struct {
	mu  sync.Mutex
	all []slog.Level
}

func (l *levels) Enabled(context.Context, slog.Level) bool { return true }
func (l *levels) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *levels) WithGroup(string) slog.Handler            { return l }

func (l *levels) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r.Level)
	return nil
}

func (l *levels) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

// highest returns the highest level of the records since the last reset.
func (l *levels) highest(t *testing.T) slog.Level {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	require.NotEmpty(t, l.all, "nothing was logged")
	top := l.all[0]
	for _, level := range l.all {
		top = max(top, level)
	}
	return top
}
