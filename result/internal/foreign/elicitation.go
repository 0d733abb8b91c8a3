package foreign

import (
	"cmp"
	"encoding/json"
	"maps"
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
	e := cmp.Or(denial(wire), toolerr.Permission("").WithCode(toolerr.CodePermissionDenied)).WithMessage(message)
	if len(shown) == 0 {
		return e.WithHint("Tell the user that the service wants to be set up first: it named no URL that can be shown.")
	}
	details := map[string]any{"elicitations": shown}
	maps.Copy(details, e.Details)
	return e.WithDetails(details).WithHint("Show the user the URL in details.elicitations, and call again after the user has been there.")
}

// denial reads the error of a server that refuses a call for lack of authorization and says how to
// get it (SEP-2643), or returns nil.
func denial(wire *jsonrpc.Error) *toolerr.Error {
	data, _ := object(string(wire.Data))
	if denied, _ := data["authorization"].(map[string]any); len(denied) > 0 {
		return toolerr.Permission(cmp.Or(wire.Message, "The call is not authorized.")).WithCode(toolerr.CodePermissionDenied).
			WithDetails(map[string]any{"authorization": denied})
	}
	return nil
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
