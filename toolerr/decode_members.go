package toolerr

import (
	"encoding/json"
	"math"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// The names of members in their order on the wire, and their places there.
var (
	envelopeNames = []string{
		"errorCategory", "isRetryable", "code", "message", "hint", "customerMessage", "retryAfterMs", "field", "suggestions",
		"options", "effect", "idempotencyKey", "alternatives", "correlationId", "details", "attempted", "partial",
	}
	attemptNames = []string{"tool", "arguments", "attempts", "elapsedMs", "errorCategory", "code"}
	partialNames = []string{"processed", "total", "continueFrom", "results"}
)

const (
	inCategory = iota
	inRetryable
	inCode
	inMessage
	inHint
	inCustomerMessage
	inRetryAfter
	inField
	inSuggestions
	inOptions
	inEffect
	inIdempotencyKey
	inAlternatives
	inCorrelationID
	inDetails
	inAttempted
	inPartial
	mostMembers
)

const (
	ofTool = iota
	ofArguments
	ofAttempts
	ofElapsed
	ofCategory
	ofCode
)

const (
	ofProcessed = iota
	ofTotal
	ofContinueFrom
	ofResults
)

// members holds the position of each member of a decoded object in its text. Members of the
// wrong type are ignored.
type members struct {
	s     jsonvalue.Scanner
	spans [mostMembers]jsonvalue.Span
}

func (m *members) text(at int) string { return textOf(&m.s, m.spans[at]) }

func textOf(s *jsonvalue.Scanner, v jsonvalue.Span) string {
	text, _ := s.Text(v)
	if v.IsPlain() && len(text) <= sanitize.MaxLength {
		return text
	}
	return sanitize.Text(text, sanitize.MaxLength)
}

func (m *members) identifier(at int) string {
	text, _ := m.s.Text(m.spans[at])
	if m.spans[at].IsPlain() && len(text) <= sanitize.MaxLength {
		return text
	}
	return sanitize.Identifier(text)
}

// items calls yield before each item of a list, until that is false. Yield may pass the
// item with a copy of the scanner.
func (m *members) items(at int, yield func(*jsonvalue.Scanner) bool) {
	v := m.spans[at]
	if v.Kind != '[' {
		return
	}
	s := m.s.In(v)
	for more := s.Open(); more && yield(&s); more = s.More(']') {
		s.Value()
	}
}

// list leaves out what is no text.
func (m *members) list(at int) []string {
	var out []string
	m.items(at, func(s *jsonvalue.Scanner) bool {
		in := *s
		if text := textOf(&in, in.Value()); text != "" {
			out = append(out, text)
		}
		return len(out) < maxList
	})
	return out
}

// count reads a number of things.
func (m *members) count(at int) int {
	const most = min(math.MaxInt, 1<<53)
	if m.spans[at].Kind != '0' {
		return 0
	}
	number, _ := m.s.Number(m.spans[at])
	n, ok := float(number)
	if !ok || n <= 0 {
		return 0
	}
	return int(min(n, most))
}

// float returns the nearest float64, and false if that is an infinity.
func float(n json.Number) (float64, bool) {
	if f, ok := shortNumber(string(n)); ok {
		return f, true
	}
	f, err := n.Float64()
	return f, err == nil
}

// millis reads a delay that anybody may have written: negative and unreadable ones are
// no delay, absurd ones the longest.
func (m *members) millis(at int) time.Duration {
	number, ok := m.s.Number(m.spans[at])
	if !ok {
		return 0
	}
	ms, _ := float(number)
	switch {
	case math.IsNaN(ms) || ms <= 0:
		return 0
	case ms >= float64(classify.MaxDelay/time.Millisecond):
		return classify.MaxDelay
	}
	return time.Duration(math.Ceil(ms)) * time.Millisecond
}

// object decodes an object, cleaned and bounded as it would go out. Anything else is nil.
func (m *members) object(at int) map[string]any {
	v := m.spans[at]
	if v.Kind != '{' {
		return nil
	}
	c := cleaner{s: m.s.In(v)}
	if v, ok := c.value(0); ok {
		return v.(map[string]any) //nolint:errcheck,forcetypeassert // it is an object
	}
	return nil
}

func (m *members) options() []any {
	v := m.spans[inOptions]
	if v.Kind != '[' {
		return nil
	}
	c := cleaner{s: m.s.In(v)}
	if v, ok := c.list(0); ok && len(v) > 0 {
		return v
	}
	return nil
}
