package wrong

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type releases struct{ Names []string }

func list(ctx context.Context, _ *mcp.CallToolRequest, name string) (*mcp.CallToolResult, releases, error) {
	var out releases
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "/"+url.PathEscape(name), nil)
	if err != nil {
		return nil, out, err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, out, toolerr.Wrap(err, "The service did not answer.")
	}
	defer resp.Body.Close()
	if failure := toolerr.FromResponse(resp); failure != nil {
		return nil, out, failure
	}
	err = json.NewDecoder(resp.Body).Decode(&out.Names)
	return nil, out, err
}

func lists(s *mcp.Server) {
	result.AddTool(s, &mcp.Tool{Name: "list"}, list) // want `unannotated: `
}
