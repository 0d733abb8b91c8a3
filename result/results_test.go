package result_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// Test vectors for Parse, in a file that other languages can use. See
// ../toolerr/testdata/README.md.
func TestResults_Vectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/results.json")
	require.NoError(t, err)
	var vectors []struct {
		Name      string              `json:"name"`
		Why       string              `json:"why"`
		Result    *mcp.CallToolResult `json:"result"`
		Kind      string              `json:"kind"`
		Category  *string             `json:"errorCategory"`
		Code      string              `json:"code"`
		Retryable *bool               `json:"isRetryable"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&vectors))
	kinds := map[string]bool{}
	for _, v := range vectors {
		out := result.Parse(v.Result, nil)
		assert.Equal(t, v.Kind, out.Kind.String(), v.Name)
		kinds[v.Kind] = true
		if v.Category == nil {
			require.NoError(t, out.AsError(), v.Name)
			continue
		}
		require.Error(t, out.AsError(), v.Name)
		require.NotNil(t, v.Retryable, v.Name)
		assert.Equal(t, *v.Category, string(out.Err.Category), v.Name)
		assert.Equal(t, v.Code, string(out.Err.Code), v.Name)
		assert.Equal(t, *v.Retryable, out.Err.Retryable, v.Name)
	}
	assert.Len(t, kinds, 5, "all kinds")
}
