package replay_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/replay"
)

// A recording holds the answers of one server, as package record writes them.
type recording struct {
	file string

	Server server `json:"server"`
	// HeldOut marks cases that stayed unread until the comparison was finished.
	HeldOut bool           `json:"heldOut"`
	Tools   []recordedTool `json:"tools"`
	Calls   []recordedCall `json:"calls"`
}

type server struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
}

type recordedTool struct {
	Name        string               `json:"name"`
	InputSchema json.RawMessage      `json:"inputSchema"`
	Annotations *mcp.ToolAnnotations `json:"annotations"`
}

// A recordedCall is a failed call and its label.
type recordedCall struct {
	ID        string           `json:"id"`
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Provoked  string           `json:"provoked"`
	Upstream  *replay.Upstream `json:"upstream"` // the answer of the service behind the server
	Result    json.RawMessage  `json:"result"`   // a CallToolResult with isError
	Want      string           `json:"want"`     // a key of kinds
}

// recordings returns all of testdata.
func recordings(t *testing.T) []recording {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	all := make([]recording, 0, len(paths))
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		rec := recording{file: strings.TrimSuffix(filepath.Base(path), ".json")}
		require.NoError(t, json.Unmarshal(raw, &rec), path)
		all = append(all, rec)
	}
	return all
}

// find returns a call of a recording by its ID.
func (r *recording) find(t *testing.T, id string) recordedCall {
	t.Helper()
	for _, c := range r.Calls {
		if c.ID == id {
			return c
		}
	}
	require.Failf(t, "no such case", "%s/%s", r.file, id)
	return recordedCall{}
}

// readOnly reports whether a tool is annotated as read-only.
func (r *recording) readOnly(tool string) bool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return t.Annotations != nil && t.Annotations.ReadOnlyHint
		}
	}
	return false
}

// result decodes the recorded result for each use, because the SDK changes results.
func (c *recordedCall) result(t *testing.T) *mcp.CallToolResult {
	t.Helper()
	res := new(mcp.CallToolResult)
	require.NoError(t, json.Unmarshal(c.Result, res))
	require.True(t, res.IsError)
	return res
}

// TestRecordings checks the data of the comparison: enough cases of enough servers, each
// with a label and an origin.
func TestRecordings(t *testing.T) {
	const leastCases, leastServers = 150, 4
	cases, heldOut := 0, 0
	servers, languages := map[string]bool{}, map[string]bool{}
	for _, rec := range recordings(t) {
		require.NotEmpty(t, rec.Server.Name, rec.file)
		require.NotEmpty(t, rec.Server.Version, rec.file)
		servers[rec.Server.Name], languages[rec.Server.Language] = true, true
		ids := map[string]bool{}
		for _, c := range rec.Calls {
			require.Contains(t, kinds, c.Want, "%s/%s", rec.file, c.ID)
			require.NotEmpty(t, c.Provoked, "%s/%s", rec.file, c.ID)
			require.False(t, ids[c.ID], "%s/%s is there twice", rec.file, c.ID)
			ids[c.ID] = true
			c.result(t)
		}
		cases += len(rec.Calls)
		if rec.HeldOut {
			heldOut += len(rec.Calls)
		}
	}
	require.GreaterOrEqual(t, cases, leastCases)
	require.GreaterOrEqual(t, len(servers), leastServers)
	require.Len(t, languages, 3)
	require.GreaterOrEqual(t, heldOut, cases/3)
}
