package idempotency_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

const secret = "postgres://admin:hunter2@10.0.0.7/orders"

var (
	errSoldOut  = errors.New("all 3 seats are sold out")
	errSecret   = errors.New(secret)
	correlation = regexp.MustCompile(`,"correlationId":"\d{18}"`)
)

type chargeIn struct {
	Cents          int64  `json:"cents"`
	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

type chargeOut struct {
	Number int64    `json:"number"`
	Lines  []string `json:"lines"`
}

// keyed returns a server with the keyed tools "charge" and, which is idempotent too, "set". Without
// options the middleware logs nothing.
func keyed[In, Out any](
	middleware *result.MiddlewareOptions, opts *idempotency.Options, h mcp.ToolHandlerFor[In, Out],
) *mcp.Server {
	if middleware == nil {
		middleware = &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}
	}
	opts = fresh(opts)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(middleware))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, opts, h)
	idempotency.AddTool(server, &mcp.Tool{Name: "set", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}, opts, h)
	return server
}

// fresh returns opts with a store that has no calls of other tests.
func fresh(opts *idempotency.Options) *idempotency.Options {
	opts = cmp.Or(opts, new(idempotency.Options))
	opts.Store = cmp.Or(opts.Store, idempotency.Store(new(idempotency.MemoryStore)))
	return opts
}

// A till counts the runs of its handler, whose outcome a test can set.
type till struct {
	ran  atomic.Int64
	ends func(ctx context.Context, run int64) error
}

func (c *till) charge(ctx context.Context, _ *mcp.CallToolRequest, _ chargeIn) (*mcp.CallToolResult, chargeOut, error) {
	run := c.ran.Add(1)
	if c.ends != nil {
		if err := c.ends(ctx, run); err != nil {
			return nil, chargeOut{}, err
		}
	}
	return nil, chargeOut{Number: 9007199254740993 + run}, nil
}

// server has the tools charge and other_charge.
func (c *till) server(middleware *result.MiddlewareOptions, opts *idempotency.Options) *mcp.Server {
	opts = fresh(opts)
	server := keyed(middleware, opts, c.charge)
	idempotency.AddTool(server, &mcp.Tool{Name: "other_charge"}, opts, c.charge)
	return server
}

// connect returns a session with the till's server.
func (c *till) connect(t *testing.T, opts *idempotency.Options) *mcp.ClientSession {
	t.Helper()
	return testutil.Connect(t, c.server(nil, opts), nil)
}

// charge calls a tool with a key, if it is not empty.
func charge(t *testing.T, session *mcp.ClientSession, tool string, cents int, key string) result.Outcome {
	t.Helper()
	return chargeWith(t.Context(), session, tool, cents, key, nil)
}

func chargeWith(
	ctx context.Context, session *mcp.ClientSession, tool string, cents int, key string, meta mcp.Meta,
) result.Outcome {
	arguments := map[string]any{"cents": cents}
	if key != "" {
		arguments["idempotency_key"] = key
	}
	return result.Parse(session.CallTool(ctx,
		&mcp.CallToolParams{Name: tool, Meta: maps.Clone(meta), Arguments: arguments}))
}

// requestOf returns a request to charge, for a handler that is called without a server.
func requestOf(arguments string) *mcp.CallToolRequest {
	return &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "charge", Arguments: []byte(arguments)}}
}

// A hooked store calls the functions that are set: claim with what a claim got, the others first. If
// these return an error, that is all.
type hooked struct {
	idempotency.Store

	claim  func(idempotency.Claim) (idempotency.Claim, error)
	renew  func() error
	finish func(idempotency.Ending) error
}

func newHooked() *hooked { return &hooked{Store: new(idempotency.MemoryStore)} }

func (s *hooked) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	got, err := s.Store.Claim(ctx, r)
	if err == nil && s.claim != nil {
		return s.claim(got)
	}
	return got, err
}

func (s *hooked) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	if s.renew != nil {
		if err := s.renew(); err != nil {
			return err
		}
	}
	return s.Store.Renew(ctx, id, owner, lease)
}

func (s *hooked) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	if s.finish != nil {
		if err := s.finish(end); err != nil {
			return err
		}
	}
	return s.Store.Finish(ctx, id, owner, end)
}

func logged(w io.Writer) *result.MiddlewareOptions {
	return &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(w, nil))}
}
