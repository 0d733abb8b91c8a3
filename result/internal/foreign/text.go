package foreign

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Text reads the text of a failure. It names a category and a code if the words
// leave no doubt, and allows a retry only if they are unmistakable.
func Text(text string) *toolerr.Error { return newError(readText(text).Classification, text) }

// frames are what adapters and SDKs put around an error's text.
var frames = []string{
	"### Error", "## Error", "An error occurred during the tool execution: ", "Tool error: ", "Tool execution error: ", "Tool failed: ",
	"Tool execution failed: ", "ToolError: ", "Error: ", "ERROR: ",
}

// toolFrames are those that name the tool or a code before a colon.
var toolFrames = []string{"Error executing tool ", "Error calling tool ", "MCP error "}

// unframe takes the known frames off a text.
func unframe(text string) string {
	const deepest = 4 // chosen: an SDK's, an adapter's and a host's, and one to spare
	for range deepest {
		inner := unframeOnce(text)
		if len(inner) == len(text) {
			break
		}
		text = inner
	}
	return text
}

func unframeOnce(text string) string {
	for _, frame := range frames {
		if inner, ok := strings.CutPrefix(text, frame); ok {
			return strings.TrimLeft(inner, " \t\r\n")
		}
	}
	const maxName = 140 // a tool's, in quotes
	for _, frame := range toolFrames {
		inner, ok := strings.CutPrefix(text, frame)
		name, _, hasColon := strings.Cut(inner[:min(len(inner), maxName)], ": ")
		if ok && hasColon && !strings.ContainsAny(name, " \n") {
			return inner[len(name)+len(": "):]
		}
	}
	return text
}
