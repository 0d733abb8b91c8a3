package toolerr

import (
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// decodeOwn reads the envelope as this package writes it: compact, keys in their
// order, strings without escapes, flags, numbers and lists of strings. It leaves
// a tail that begins with details, attempted or partial, if there is one. Of
// anything else it makes nothing; [json.Unmarshal] reads that, and the same of
// this, at several times the cost.
func decodeOwn(data string) (e Error, tail string, ok bool) {
	rest, ok := strings.CutPrefix(data, `{"isError":true,"errorCategory":`)
	if !ok {
		return e, "", false
	}
	category, rest, ok := plainString(rest)
	if !ok {
		return e, "", false
	}
	e.Category = Category(category)
	if rest, ok = strings.CutPrefix(rest, `,"isRetryable":`); !ok {
		return e, "", false
	}
	if e.Retryable = strings.HasPrefix(rest, "true"); e.Retryable {
		rest = rest[len("true"):]
	} else if rest, ok = strings.CutPrefix(rest, "false"); !ok {
		return e, "", false
	}
	for at := 0; rest != "}"; {
		key, value, ok := nextMember(rest)
		if !ok {
			return e, "", false
		}
		if key == "details" || key == "attempted" || key == "partial" {
			return e, rest, true
		}
		for at < len(ownKeys) && ownKeys[at] != key {
			at++
		}
		if at == len(ownKeys) { // out of order, twice, or not for here
			return e, "", false
		}
		at++
		if rest, ok = e.setOwn(key, value); !ok {
			return e, "", false
		}
	}
	return e, "", true
}

// ownKeys are the keys that decodeOwn reads, in their order on the wire.
var ownKeys = []string{
	"code", "message", "hint", "customerMessage", "retryAfterMs", "field", "suggestions", "effect", "idempotencyKey", "alternatives", "correlationId",
}

func (e *Error) setOwn(key, value string) (rest string, ok bool) {
	var text string
	switch key {
	case "retryAfterMs":
		var ms int64
		if ms, rest, ok = plainNumber(value); ok {
			e.RetryAfter = time.Duration(ms) * time.Millisecond
		}
		return rest, ok
	case "suggestions":
		e.Suggestions, rest, ok = plainStrings(value)
		return rest, ok
	case "alternatives":
		e.Alternatives, rest, ok = plainStrings(value)
		return rest, ok
	}
	if text, rest, ok = plainString(value); !ok || text == "" {
		return rest, false
	}
	switch key {
	case "code":
		e.Code = Code(text)
	case "message":
		e.Message = text
	case "hint":
		e.Hint = text
	case "customerMessage":
		e.CustomerMessage = text
	case "field":
		e.Field = text
	case "effect":
		e.Effect = Effect(text)
		return rest, len(text) <= maxEffect
	case "idempotencyKey":
		e.IdempotencyKey = text
	case "correlationId":
		e.CorrelationID = text
	}
	return rest, true
}

// nextMember takes ,"key": off the beginning.
func nextMember(s string) (key, value string, ok bool) {
	if s, ok = strings.CutPrefix(s, `,"`); !ok {
		return "", "", false
	}
	key, value, ok = strings.Cut(s, `":`)
	return key, value, ok
}

// plainString takes a string without escapes, of bounded length, off the
// beginning.
func plainString(s string) (text, rest string, ok bool) {
	if s, ok = strings.CutPrefix(s, `"`); !ok {
		return "", "", false
	}
	text, rest, ok = strings.Cut(s, `"`)
	return text, rest, ok && len(text) <= sanitize.MaxLength && (sanitize.IsPlain(text) || sanitize.IsClean(text) && !strings.ContainsAny(text, "\\\n\t"))
}

func plainStrings(s string) (list []string, rest string, ok bool) {
	if s, ok = strings.CutPrefix(s, "["); !ok {
		return nil, "", false
	}
	for {
		var text string
		if text, s, ok = plainString(s); !ok || text == "" || len(list) == maxList {
			return nil, "", false
		}
		list = append(list, text)
		if rest, ok = strings.CutPrefix(s, "]"); ok {
			return list, rest, true
		}
		if s, ok = strings.CutPrefix(s, ","); !ok {
			return nil, "", false
		}
	}
}

// plainNumber takes the digits of a number of milliseconds off the beginning.
func plainNumber(s string) (n int64, rest string, ok bool) {
	i := 0
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9' && n < int64(classify.MaxDelay/time.Millisecond); i++ {
		n = n*10 + int64(s[i]-'0')
	}
	if i == 0 || s[0] == '0' || n > int64(classify.MaxDelay/time.Millisecond) || i == len(s) || s[i] != ',' && s[i] != '}' {
		return 0, "", false
	}
	return n, s[i:], true
}
