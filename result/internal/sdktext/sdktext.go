// Package sdktext knows the texts that identify some errors of MCP SDKs, which have neither a type
// nor a code of their own. A test produces those of the Go SDK with it, and fails if it changes its
// wording. An unrecognized text is read like that of any other error. The forms of other SDKs' texts,
// for clients that see only results, are in forms.txt. All functions are safe for concurrent use.
package sdktext

import "strings"

// Texts that the SDK's server sends. Handlers can return the same texts.
const (
	// UnknownTool is the prefix of the protocol error for an unknown tool.
	UnknownTool = "unknown tool "
	// UnknownPrompt is the prefix of the protocol error for an unknown prompt.
	UnknownPrompt = "unknown prompt "
	// RefusedArguments is the prefix of the error for arguments that do not fit the input schema.
	RefusedArguments = `validating "arguments": `
	// EncodingOutput is the prefix of the error for an output that cannot be encoded.
	EncodingOutput = "marshaling output: "
	// ValidatingOutput is the prefix of the error for an output that does not fit its schema.
	ValidatingOutput = "validating tool output: "
	// Uninitialized is the suffix of the error for a request on a session that the server does not
	// know, for example since a restart behind a proxy. Nothing was called.
	Uninitialized = " is invalid during session initialization"
)

// Texts of the errors that the SDK's client returns.
const (
	// InputMissing is the prefix of the error if a tool asked for input and got none.
	InputMissing = "multi round-trip: "
	// InputRounds is the prefix of the error if a tool asked for input too often.
	InputRounds = "multi-round-trip: exceeded maximum retries"
	// StreamEnded is the suffix of the error if the stream ended before the response.
	StreamEnded = "request terminated without response"
	// InvalidRequest is the client's own error about a server's message.
	InvalidRequest = "invalid request"

	calling    = `calling "`             // prefix of most errors of a call
	sending    = `sending "`             // prefix of the reason if the answer to a request ended the session
	standalone = "standalone SSE stream" // prefix of the reason if the stream of notifications ended it
)

// Of returns err.Error(), or "" if it panics.
func Of(err error) (text string) {
	defer func() { _ = recover() }()
	return err.Error()
}

// IsOwnOutput reports whether a text is the server's error for an output that cannot be encoded or
// that does not fit the output schema. The tool has run.
func IsOwnOutput(text string) bool {
	return strings.HasPrefix(text, EncodingOutput) || strings.HasPrefix(text, ValidatingOutput)
}

// IsInput reports whether a text is the client's error for a call whose tool asked for input.
func IsInput(text string) bool {
	return strings.HasPrefix(text, InputMissing) || strings.HasPrefix(text, InputRounds)
}

// Call returns the method and the reason in the client's error for a call.
func Call(text string) (method, reason string, ok bool) {
	call, isCall := strings.CutPrefix(text, calling)
	method, reason, ok = strings.Cut(call, `": `)
	return method, reason, isCall && ok
}

// IsUnsent reports whether a reason from [Call] means that the session had ended before the SDK sent
// the call. If the program did not close it, the reason goes on.
func IsUnsent(reason string) bool {
	closing, _, _ := strings.Cut(reason, ": ")
	return closing == "client is closing" || closing == "server is closing"
}

// SessionEnd reports whether a reason from [Call] means that an HTTP response, to a request or for
// the stream of notifications, ended the session. It returns what was wrong with the response if
// the request had this method, otherwise "".
func SessionEnd(method, reason string) (fault string, ok bool) {
	if fault, ok = strings.CutPrefix(reason, sending+method+`": `); ok {
		return fault, true
	}
	return "", strings.HasPrefix(reason, sending) || strings.HasPrefix(reason, standalone)
}
