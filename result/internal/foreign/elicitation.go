package foreign

import (
	"encoding/json"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// maxElicitations is how many bytes of URLs and their messages are kept. Chosen: half
	// of an envelope, which drops all details beyond its limit.
	maxElicitations = 4 << 10
	// maxElicitationText is how many bytes of a URL's message are kept. Chosen: a sentence
	// or two.
	maxElicitationText = 256
)

// elicitation reads the error of a server that requires the user to open a URL before it
// accepts the call (protocol version 2025-11-25).
func elicitation(wire *jsonrpc.Error) *toolerr.Error {
	var data struct {
		Elicitations []struct {
			ID      string `json:"elicitationId"`
			Message string `json:"message"`
			URL     string `json:"url"`
		} `json:"elicitations"`
	}
	_ = json.Unmarshal(wire.Data, &data) // without it there is no URL
	var shown []any
	size := 0
	for _, item := range data.Elicitations {
		address := cleanURL(item.URL)
		entry := map[string]any{}
		for name, text := range map[string]string{
			"url": address, "elicitationId": sanitize.Identifier(item.ID), "message": sanitize.Text(item.Message, maxElicitationText),
		} {
			if text != "" {
				entry[name] = text
				size += len(text)
			}
		}
		if size > maxElicitations {
			break
		}
		if address != "" {
			shown = append(shown, entry)
		}
	}
	message := "The server wants the user to open a URL before it takes the call."
	if wire.Message != "" {
		message = "The server wants the user to open a URL before it takes the call: " + wire.Message
	}
	e := toolerr.Permission(message).WithCode(toolerr.CodePermissionDenied).WithEffect(toolerr.EffectNone)
	if len(shown) == 0 {
		return e.WithHint("Tell the user that the service wants to be set up first: it named no URL that can be shown.")
	}
	return e.WithDetails(map[string]any{"elicitations": shown}).WithHint("Show the user the URL in details.elicitations, and call again after the user has been there.")
}

// cleanURL returns a URL that is fit to be shown to a person, or "". It must use HTTP, have
// a host, and have no user name, which could be mistaken for the host.
func cleanURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	u.User = nil
	return sanitize.Identifier(u.String()) // not shortened
}
