package toolerr

import (
	"math"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// The names of the members in wire order. The constants below are their indexes.
var (
	envelopeNames = []string{
		"errorCategory", "isRetryable", "code", "message", "hint", "customerMessage", "retryAfterMs", "field", "suggestions",
		"options", "effect", "idempotencyKey", "alternatives", "correlationId", "details", "attempted", "partial",
	}
	attemptNames = []string{"tool", "arguments", "attempts", "elapsedMs", "errorCategory", "code", "effect", "correlationId"}
	partialNames = []string{"processed", "total", "continueFrom", "results"}
)

const (
	memberCategory = iota
	memberRetryable
	memberCode
	memberMessage
	memberHint
	memberCustomerMessage
	memberRetryAfter
	memberField
	memberSuggestions
	memberOptions
	memberEffect
	memberIdempotencyKey
	memberAlternatives
	memberCorrelationID
	memberDetails
	memberAttempted
	memberPartial
	memberCount
)

const (
	attemptTool = iota
	attemptArguments
	attemptAttempts
	attemptElapsed
	attemptCategory
	attemptCode
	attemptEffect
	attemptCorrelationID
)

const (
	partialProcessed = iota
	partialTotal
	partialContinueFrom
	partialResults
)

// members holds the position of each member of a scanned object. Its methods, except effect, treat
// a member of the wrong type as absent.
type members struct {
	s     jsonvalue.Scanner
	spans [memberCount]jsonvalue.Span
}

func (m *members) text(at int) string { return textOf(&m.s, m.spans[at]) }

func textOf(s *jsonvalue.Scanner, v jsonvalue.Span) string {
	text, _ := s.Text(v)
	return sanitize.Text(text, sanitize.MaxLength)
}

func (m *members) identifier(at int) string {
	text, _ := m.s.Text(m.spans[at])
	return sanitize.Word(text)
}

// items calls yield before each item of a list until yield returns false. Yield must read the item
// with a copy of the scanner.
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

// list returns the first maxList strings of a list that are not empty.
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

// count returns a non-negative integer of at most 1<<53. On 32-bit platforms, a number that an int
// cannot hold becomes 0, for unknown, because a smaller number would be wrong.
func (m *members) count(at int) int {
	if m.spans[at].Kind != '0' {
		return 0
	}
	number, _ := m.s.Number(m.spans[at])
	n, err := number.Float64()
	if err != nil {
		return 0
	}
	if n = max(0, min(n, 1<<53)); n > math.MaxInt {
		return 0
	}
	return int(n)
}

// millis returns a delay from an untrusted source. A negative or unreadable delay becomes 0, and
// one above the limit becomes the limit.
func (m *members) millis(at int) time.Duration {
	number, ok := m.s.Number(m.spans[at])
	if !ok {
		return 0
	}
	ms, _ := number.Float64()
	return time.Duration(math.Ceil(max(0, min(ms, float64(classify.MaxDelay/time.Millisecond))))) * time.Millisecond
}

// object returns an object, sanitized and bounded as by AppendJSON, or nil for other types.
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
	v := m.spans[memberOptions]
	if v.Kind != '[' {
		return nil
	}
	c := cleaner{s: m.s.In(v)}
	if v, ok := c.list(0); ok && len(v) > 0 {
		return v
	}
	return nil
}
