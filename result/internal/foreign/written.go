package foreign

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Written returns the failure of a result with isError as its author wrote it, and reports
// whether its first text is an envelope as a whole. The members of a JSON object count: the
// first text, the structured content, or the one in _meta. Prose is the message and is not
// read.
func Written(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	text := FirstText(res)
	inner := unframe(text)
	if e := readEnvelope(text); e != nil {
		return e, true
	}
	e = new(toolerr.Error)
	if m, ok := res.Meta[toolFailureKey].(map[string]any); ok {
		e = membersOf(m)
		e.Message = ""
	} else if m, ok := object(inner); inner != "" && ok {
		return membersOf(m), false
	} else if m, ok := structured(res); ok {
		if e = membersOf(m); e.Category == "" && text != "" {
			e = new(toolerr.Error) // data beside the text
		}
	}
	switch {
	case text != "":
		e.Message = text
	case e.Message == "":
		e.Message = "The tool failed without saying why."
	}
	return e, false
}

// membersOf returns the failure that an object reports by its members.
func membersOf(m map[string]any) *toolerr.Error {
	own, all := layersOf(m)
	codes := codesIn(m, own)
	e := newError(classifyMembers(codes, statusIn(own)), messageIn(m, own, all, true))
	setMembers(e, own, all, codes)
	if claimed, claims := claimIn(own, all); claims {
		e.Retryable = claimed
		if claimed && e.Category == "" {
			e.Category = toolerr.CategoryTransient
		}
		if claimed && all.text(names.effect) == "" {
			e.Effect = "" // the report allows a retry, and the effect is not guessed
		}
	}
	if e.Partial = partialIn(m, true); e.Partial != nil {
		e.Retryable = false
	}
	return e
}

// classifyMembers classifies by the codes, then by the status.
func classifyMembers(codes []string, n int) classify.Classification {
	for _, code := range codes {
		if word(code).Known() {
			return codeOrStatus(code, n)
		}
	}
	return status(n)
}
