package foreign

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// elicitation reads the error of a server that requires the user to open a URL before the server
// accepts the call (protocol version 2025-11-25).
func elicitation(wire *jsonrpc.Error) *toolerr.Error {
	const (
		maxURLs = 3   // three fit an envelope, which drops all details beyond its limit
		maxText = 256 // bytes of a URL's message, enough for a sentence or two
	)
	var data struct {
		Elicitations []map[string]string `json:"elicitations"`
	}
	_ = json.Unmarshal(wire.Data, &data) // without it there is no URL
	var shown []any
	for _, item := range data.Elicitations[:min(len(data.Elicitations), maxURLs)] {
		entry := map[string]any{"url": cleanURL(item["url"])}
		for name, text := range map[string]string{"elicitationId": sanitize.Identifier(item["elicitationId"]), "message": sanitize.Text(item["message"], maxText)} {
			if text != "" {
				entry[name] = text
			}
		}
		if entry["url"] != "" {
			shown = append(shown, entry)
		}
	}
	message := "The server wants the user to open a URL before it takes the call."
	if wire.Message != "" {
		message = strings.TrimSuffix(message, ".") + ": " + wire.Message
	}
	e := toolerr.Permission(message).WithCode(toolerr.CodePermissionDenied).WithEffect(toolerr.EffectNone)
	if len(shown) == 0 {
		return e.WithHint("Tell the user that the service wants to be set up first: it named no URL that can be shown.")
	}
	return e.WithDetails(map[string]any{"elicitations": shown}).WithHint("Show the user the URL in details.elicitations, and call again after the user has been there.")
}

// cleanURL returns a URL that can safely be shown to a person, or "". It must use HTTP or HTTPS and
// have a host; a user name, which could be mistaken for the host, is removed.
func cleanURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	u.User = nil
	return sanitize.Identifier(u.String()) // not shortened
}
