package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

var update = flag.Bool("update", false, "write testdata anew")

// The output of the program, except random identifiers.
func TestRun_Output(t *testing.T) {
	t.Parallel()
	var out, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), nil, &out, &stderr), stderr.String())
	text := regexp.MustCompile(`(correlationId|idempotencyKey): \S+`).ReplaceAllString(out.String(), "$1: ...")
	const path = "testdata/output.txt"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), text)
}

func TestConverse_WithoutAndWith(t *testing.T) {
	t.Parallel()
	for _, l := range loops {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			without, err := converse(t.Context(), l, withSDKAlone)
			require.NoError(t, err)
			with, err := converse(t.Context(), l, withToolerr, retry.Middleware(retry.Policy{}, retry.SafetyOf))
			require.NoError(t, err)
			assert.Equal(t, []string{"ORD-7", "ORD-7"}, without.desk.booked, "the model repeats what it cannot know to be done")
			assert.Equal(t, []string{"ORD-7"}, with.desk.booked)
			for _, r := range with.read {
				assert.NotContains(t, r.text, "sk_live")
				if r.isFailure() {
					assert.Regexp(t, `^(Error: )?\{"isError":true,"errorCategory":"(validation|business)","isRetryable":false,`,
						r.text)
				}
			}
			assert.Equal(t, len(script), with.step, "the loop has come to the end of the script")
			assert.Less(t, with.asked, without.asked)
		})
	}
}

// Anthropic's runner traces each call of a tool itself. That span gets the attributes, and
// no second one is made, unless attempts have to be told apart.
func TestRunner_Span(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before  []mcp.Middleware // outside of mcpotel
		clients int              // spans besides the runner's
	}{
		"alone": {nil, 0},
		// three of get_customer, two of lookup_order, one and two of process_refund
		"with retry": {[]mcp.Middleware{retry.Middleware(retry.Policy{}, retry.SafetyOf)}, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spans := tracetest.NewInMemoryExporter()
			provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
			traced := loop{"traced", func(ctx context.Context, session *mcp.ClientSession, url string) error {
				return runAnthropic(ctx, session, url, option.WithTracerProvider(provider))
			}}
			_, err := converse(t.Context(), traced, withToolerr,
				append(test.before, mcpotel.Sending(&mcpotel.Options{TracerProvider: provider}))...)
			require.NoError(t, err)
			clients := 0
			var refused []attribute.KeyValue
			for _, span := range spans.GetSpans() {
				if strings.HasPrefix(span.Name, "tools/call ") {
					clients++
				}
				attributes := attribute.NewSet(span.Attributes...)
				code, _ := attributes.Value("toolerr.code")
				if code.AsString() == "limit_exceeded" {
					refused = span.Attributes
					assert.Equal(t, test.clients == 0, strings.HasPrefix(span.Name, "anthropic.mcp_tool_use"), span.Name)
				}
			}
			assert.Equal(t, test.clients, clients)
			assert.Contains(t, refused, attribute.String("error.type", "tool_error"))
			assert.Contains(t, refused, attribute.String("mcp.method.name", "tools/call"))
		})
	}
}
