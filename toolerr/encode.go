package toolerr

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

const (
	// maxEnvelope is the size limit of an envelope without partial, in bytes, chosen as about 2,000
	// tokens of four bytes, a small part of a conversation.
	maxEnvelope = 8 << 10
	// maxList is the maximum number of items in a list, chosen because with more than twenty
	// choices, a model should search instead.
	maxList = 20
	// shortText is the length in bytes to which text is cut as a last resort, chosen because nine
	// such texts, with each byte escaped, take 4.5 of the envelope's 8 KiB.
	shortText = 256
)

// The steps that shrink an oversized envelope, in order. Each step includes the steps before it.
// dropProse cuts prose, and dropIdentifiers leaves out long identifiers.
const (
	dropNothing = iota
	dropDetails
	dropArguments // of the attempts
	dropAttempted
	dropOptions
	dropSuggestions
	dropAlternatives
	dropProse
	dropIdentifiers
)

// MarshalJSON implements [json.Marshaler] with the wire format; its error is nil. [json.Marshal] escapes
// <, > and & in it. The JSON of an error that wraps e is {}: to show it to an agent, marshal From(err).
func (e *Error) MarshalJSON() ([]byte, error) {
	return e.AppendJSON(nil), nil
}

// AppendJSON appends the envelope in the wire format: compact, with keys in their fixed order,
// without HTML escaping, sanitized, and within its limits. It never fails: values that cannot be
// encoded are left out or, in lists, null. For a nil pointer it appends null.
func (e *Error) AppendJSON(dst []byte) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	dst = slices.Grow(dst, 512) // chosen: most envelopes are shorter
	start := len(dst)
	for drop := dropNothing; ; drop++ {
		dst = e.appendMembers(dst[:start], drop)
		if len(dst)-start < maxEnvelope || drop == dropIdentifiers {
			break
		}
	}
	if e.Partial != nil {
		dst = appendPartial(append(dst, `,"partial":`...), e.Partial)
	}
	return append(dst, '}')
}

// appendMembers appends everything before partial, without the closing brace.
func (e *Error) appendMembers(dst []byte, drop int) []byte {
	prose, longest := sanitize.MaxLength, sanitize.MaxLength
	if drop >= dropProse {
		prose = shortText
	}
	if drop >= dropIdentifiers {
		longest = shortText
	}
	text := func(key, s string) {
		if s = sanitize.Text(s, prose); s != "" {
			dst = appendQuoted(append(dst, key...), s)
		}
	}
	identifier := func(key, s string, whole func(string) string) {
		if s = whole(s); s != "" && len(s) <= longest {
			dst = appendQuoted(append(dst, key...), s)
		}
	}

	dst = append(dst, `{"isError":true`...)
	identifier(`,"errorCategory":`, string(e.Category), sanitize.Word)
	retryable := e.retryable()
	if retryable {
		dst = append(dst, `,"isRetryable":true`...)
	} else {
		dst = append(dst, `,"isRetryable":false`...)
	}
	identifier(`,"code":`, string(e.Code), sanitize.Word)
	message := sanitize.Text(e.message(), prose)
	if message == "" { // all characters were removed
		message = (&Error{}).message()
	}
	dst = appendQuoted(append(dst, `,"message":`...), message)
	hint := sanitize.Text(e.Hint, prose)
	if hint == "" {
		hint = defaultHint(e)
	}
	text(`,"hint":`, hint)
	text(`,"customerMessage":`, e.CustomerMessage)
	if e.RetryAfter > 0 && (retryable || e.Partial != nil) {
		dst = appendMillis(append(dst, `,"retryAfterMs":`...), e.RetryAfter)
	}
	identifier(`,"field":`, e.Field, sanitize.Word)
	if drop < dropSuggestions {
		dst = appendStrings(dst, `,"suggestions":`, e.Suggestions)
	}
	if drop < dropOptions && len(e.Options) > 0 {
		dst = new(valueEncoder).appendMember(dst, `,"options":`, e.Options)
	}
	identifier(`,"effect":`, string(cleanEffect(e.Effect)), sanitize.Word)
	identifier(`,"idempotencyKey":`, e.IdempotencyKey, sanitize.Word)
	if drop < dropAlternatives {
		dst = appendStrings(dst, `,"alternatives":`, e.Alternatives)
	}
	identifier(`,"correlationId":`, e.CorrelationID, sanitize.Word)
	if drop < dropDetails {
		dst = new(valueEncoder).appendMember(dst, `,"details":`, e.Details)
	}
	if drop < dropAttempted && len(e.Attempted) > 0 {
		dst = appendAttempted(append(dst, `,"attempted":`...), e.Attempted, drop < dropArguments)
	}
	return dst
}

func appendAttempted(dst []byte, attempts []Attempt, arguments bool) []byte {
	dst = append(dst, '[')
	for i := range attempts[:min(len(attempts), maxList)] {
		a := &attempts[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		mark := len(dst)
		if s := sanitize.Line(a.Tool, sanitize.MaxLength); s != "" {
			dst = appendQuoted(append(dst, `,"tool":`...), s)
		}
		if arguments {
			dst = new(valueEncoder).appendMember(dst, `,"arguments":`, redact.Arguments(a.Arguments, nil))
		}
		if a.Attempts > 0 {
			dst = appendInt(append(dst, `,"attempts":`...), a.Attempts)
		}
		if a.Elapsed > 0 {
			dst = appendMillis(append(dst, `,"elapsedMs":`...), a.Elapsed)
		}
		if s := sanitize.Word(string(a.Category)); s != "" {
			dst = appendQuoted(append(dst, `,"errorCategory":`...), s)
		}
		if s := sanitize.Word(string(a.Code)); s != "" {
			dst = appendQuoted(append(dst, `,"code":`...), s)
		}
		if s := sanitize.Word(string(cleanEffect(a.Effect))); s != "" {
			dst = appendQuoted(append(dst, `,"effect":`...), s)
		}
		if s := sanitize.Word(a.CorrelationID); s != "" {
			dst = appendQuoted(append(dst, `,"correlationId":`...), s)
		}
		if len(dst) == mark {
			dst = append(dst, ',')
		}
		dst[mark] = '{' // in place of the first comma
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendMillis appends a duration in whole milliseconds, rounded up.
func appendMillis(dst []byte, d time.Duration) []byte {
	return strconv.AppendInt(dst, int64((classify.ClampDelay(d)+time.Millisecond-1)/time.Millisecond), 10)
}

func appendStrings(dst []byte, key string, list []string) []byte {
	n := 0
	for _, s := range list {
		if s = sanitize.Text(s, sanitize.MaxLength); s == "" {
			continue
		}
		if n++; n > maxList {
			break
		}
		if n == 1 {
			dst = append(append(dst, key...), '[')
		} else {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, s)
	}
	if n == 0 {
		return dst
	}
	return append(dst, ']')
}

// appendQuoted appends s, which must be sanitized, as a JSON string. It escapes only the
// characters that JSON requires to be escaped.
func appendQuoted(dst []byte, s string) []byte {
	return append(append(append(dst, '"'), escapes.Replace(s)...), '"')
}

var escapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\t", `\t`)
