package result

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// request handles a request that is not a tool call. A panic of its handler becomes a protocol
// error and is logged, and so is a nil result, whose methods the SDK would call.
func (c *call) request() (mcp.Result, error) {
	res, err := c.recovered()
	switch err.(type) { //nolint:errorlint // only what recovered and the SDK return themselves
	default:
		return res, err
	case *failure.PanicError, failure.FaultError:
	}
	const message = "The request failed unexpectedly."
	id := c.newID()
	f := failedCall{call: *c, err: err}
	f.report(toolerr.Internal(err).WithMessage(message).WithCorrelationID(id), failure.Findings{Cause: err},
		fmt.Sprint(jsonrpc.CodeInternalError))
	wire := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message}
	if id = sanitize.Word(id); id != "" {
		wire.Message += " Its correlation id is " + id + "."
		wire.Data, _ = json.Marshal(map[string]string{"correlationId": id})
	}
	return nil, wire
}

// target returns the name or the URI of what is requested, if any, and its key for the log.
func (c *call) target() (key, value string) {
	const maxURI = 512 // bytes; a path has at most a few hundred
	var p struct {
		Name, URI string
		Ref       struct{ Name, URI string } // of a completion
	}
	p.Name = c.name
	if key = "gen_ai.prompt.name"; c.method == methodCallTool {
		key = "gen_ai.tool.name"
	} else if raw, err := json.Marshal(c.req.GetParams()); err == nil {
		_ = json.Unmarshal(raw, &p) //nolint:musttag // names that the SDK spells in lower case
	}
	if uri := cmp.Or(p.URI, p.Ref.URI); uri != "" { // a secret is recognized only if it is not cut
		return "mcp.resource.uri", sanitize.Line(redact.Mask(sanitize.Line(uri, 2*maxURI)), maxURI)
	}
	name := cmp.Or(p.Name, p.Ref.Name)
	return key, strings.ToValidUTF8(name[:min(len(name), maxName)], "")
}
