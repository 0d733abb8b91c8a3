// Package sdktext knows the texts that identify some errors of MCP SDKs, which have neither a type
// nor a code of their own. A test produces those of the Go SDK with it, and fails if it changes its
// wording. An unrecognized text is read like that of any other error. The forms of other SDKs' texts,
// in results and protocol errors, are in forms.txt. All functions are safe for concurrent use.
package sdktext

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Texts that the SDK's server sends. Handlers can return the same texts.
const (
	// UnknownTool is the prefix of the protocol error for an unknown tool.
	UnknownTool = "unknown tool "
	// RefusedArguments is the prefix of the error for arguments that do not fit the input schema.
	RefusedArguments = `validating "arguments": `
	// Uninitialized is the suffix of the error for a request on a session that the server does not
	// know, for example since a restart behind a proxy. Nothing was called.
	Uninitialized = " is invalid during session initialization"
)

// Texts of the errors that the SDK's client returns.
const (
	// StreamEnded is the suffix of the error if the stream ended before the response.
	StreamEnded = "request terminated without response"
	// InvalidRequest is the client's own error about a server's message.
	InvalidRequest = "invalid request"

	calling    = `calling "`       // prefix of most errors of a call
	sending    = `sending "`       // prefix of the reason if the answer to a request ended the session
	standalone = "standalone SSE " // prefix of the reason if the stream of notifications ended it, or did not begin
)

// Of returns err.Error(), or "" if it panics.
func Of(err error) (text string) {
	defer func() { _ = recover() }()
	return err.Error()
}

// IsOwnOutput reports whether a text is the server's error for an output that cannot be encoded or
// that does not fit the output schema. The tool has run.
func IsOwnOutput(text string) bool {
	return strings.HasPrefix(text, "marshaling output: ") || strings.HasPrefix(text, "validating tool output: ")
}

// IsInput reports whether a text is the client's error for a call whose tool asked for input, in vain or too often.
func IsInput(text string) bool {
	return strings.HasPrefix(text, "multi round-trip: ") ||
		strings.HasPrefix(text, "multi-round-trip: exceeded maximum retries")
}

// Call returns the reason in the client's error for a call, and whether an HTTP response, to a request or
// for the stream of notifications, ended the session. Fault is what was wrong with the response to this
// request, or "". IsCall means that the text is the client's error for a call.
func Call(text string) (reason, fault string, ended, isCall bool) {
	text, isCall = strings.CutPrefix(text, calling)
	method, reason, _ := strings.Cut(text, `": `)
	if !isCall && strings.HasPrefix(text, standalone) { // of a session that is being made
		reason = text
	}
	if fault, ended = strings.CutPrefix(reason, sending+method+`": `); ended {
		return reason, fault, true, isCall
	}
	return reason, "", strings.HasPrefix(reason, sending) || strings.HasPrefix(reason, standalone), isCall
}

// IsUnsent reports whether a reason from [Call] means that the session had ended before the SDK sent
// the call. If the program did not close it, the reason goes on.
func IsUnsent(reason string) bool {
	closing, _, _ := strings.Cut(reason, ": ")
	return closing == "client is closing" || closing == "server is closing"
}

//go:embed forms.txt
var formsText string

var forms = sync.OnceValue(func() map[string][]*regexp.Regexp {
	all, frames := map[string][]*regexp.Regexp{}, []string{}
	for line := range strings.Lines(formsText) {
		kind, form, isForm := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if kind == "frame" {
			frames = append(frames, form)
		} else if isForm {
			all[kind] = append(all[kind], regexp.MustCompile(form))
		}
	}
	// A text has at most four: from an SDK, an adapter, a host, and one more.
	all["frames"] = []*regexp.Regexp{regexp.MustCompile(`^(?:(?:` + strings.Join(frames, "|") + `)\s*){1,4}`)}
	return all
})

// Unframe removes the prefixes that adapters and SDKs put before an error's text.
func Unframe(text string) string {
	if strings.HasPrefix(text, "{") { // most reports have none
		return text
	}
	return text[len(forms()["frames"][0].FindString(text)):]
}

// IsOutput reports whether a text, in the words of any SDK or validator, is about the output of a
// tool. The tool has done its work then, and no argument is at fault.
func IsOutput(text string) bool {
	const longest = 400 // bytes; what follows may quote the output
	text = Unframe(text)
	text = text[:min(len(text), longest)]
	mayBe := func(word string) bool { return strings.Contains(text, word) }
	if !slices.ContainsFunc(strings.Fields("utput esponse esult eturn serializ circular structured larger"), mayBe) {
		return false
	}
	text = forms()["argument"][0].ReplaceAllString(text, "")
	return slices.ContainsFunc(forms()["output"], func(form *regexp.Regexp) bool { return form.MatchString(text) })
}

// IsUnknownTool reports whether a text, in the words of any SDK, says that the server does not have the tool.
func IsUnknownTool(text string) bool {
	return slices.ContainsFunc(forms()["unknown"], func(form *regexp.Regexp) bool { return form.MatchString(text) })
}

// Refusal reads a text with which an SDK rejects arguments before the tool runs. It returns a code,
// and the first argument at fault; if two forms match, field is "". For other texts, ok is false
// and the code invalid_argument.
func Refusal(text string) (code toolerr.Code, field string, ok bool) {
	const longest = 4 << 10 // as much text as is classified
	text = text[:min(len(text), longest)]
	what := ""
	for _, form := range forms()["refused"] {
		m := form.FindStringSubmatch(text)
		if m != nil && ok {
			return toolerr.CodeInvalidArgument, "", true
		} else if m != nil {
			ok, field, what = true, pathOf(m[form.SubexpIndex("at")]), m[form.SubexpIndex("what")]
		}
	}
	if name := forms()["named"][0].FindStringSubmatch(what); name != nil {
		field = strings.TrimPrefix(field+"."+name[1], ".")
	}
	code = toolerr.CodeInvalidArgument
	if forms()["missing"][0].MatchString(what) {
		code = toolerr.CodeMissingArgument
	} else if forms()["range"][0].MatchString(what) {
		code = toolerr.CodeOutOfRange
	}
	return code, sanitize.Identifier(field), ok
}

// pathOf converts a path with indices, or a pointer into a schema, to the path of an argument.
func pathOf(at string) (path string) {
	parts := strings.FieldsFunc(at, func(r rune) bool { return strings.ContainsRune("/.[]\", \n", r) })
	isPointer := strings.HasPrefix(at, "/")
	for i, part := range parts {
		_, err := strconv.Atoi(part)
		switch {
		case !isPointer && err != nil || i > 0 && parts[i-1] == "properties":
			path = strings.TrimPrefix(path+"."+part, ".")
		case !isPointer || part == "items":
			path += "[]"
		}
	}
	return path
}
