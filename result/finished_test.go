package result_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestFinishedCall(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts := logged(&log)
	counts := map[string]int{}
	opts.OnCall = func(_ context.Context, call result.FinishedCall) {
		e := call.Err
		if e == nil {
			e = new(toolerr.Error)
		}
		counts[strings.TrimSpace(fmt.Sprintln(call.Tool, call.Kind, e.Category, e.Code, e.Effect))]++
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, opts)
	session := testutil.Connect(t, server, nil)
	for _, name := range []string{
		"direct", "direct", "unknown", "empty", "raw_ok", "made_up", "made_up_too", "raw_protocol", "panic",
	} {
		callTool(t, session, name, nil)
	}
	assert.Equal(t, map[string]int{
		"(unknown) failure validation not_found none": 2,
		"direct failure business limit_exceeded none": 2,
		"empty empty": 1,
		"panic failure transient internal unknown": 1,
		"raw_ok data": 1,
		"raw_protocol failure permission permission_denied none": 1,
		"unknown failure transient internal unknown":             1,
	}, counts)
	assert.Equal(t, 7, strings.Count(log.String(), "tool call failed"), "one record for each failed call")
}
