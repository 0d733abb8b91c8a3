package codes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// now is a time at which seconds since 1970 have ten digits.
var now = time.Unix(1_750_000_000, 0)

// name describes a class by its classification, and whether it may be the caller's fault.
func name(c class.Class) string {
	text := testutil.Fields(c.Classification())
	if c.AsCallersFault().Known() {
		text += " caller: " + testutil.Fields(c.AsCallersFault())
	}
	return text
}

// TestCodes checks the class of codes of all kinds. A sample is a kind, a code, and perhaps what
// stands beside it.
func TestCodes(t *testing.T) {
	t.Parallel()
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	headers := func(text string) http.Header {
		var members map[string]string
		require.NoError(t, json.Unmarshal([]byte(text), &members))
		h := http.Header{}
		for name, value := range members {
			h.Set(name, value)
		}
		return h
	}
	kinds := map[string]func(code, beside string) string{
		"word":    func(code, beside string) string { return name(codes.FromWord(strings.TrimSpace(code + " " + beside))) },
		"fold":    func(code, beside string) string { return codes.Fold(code+beside) + " " + spelling.Fold(code) },
		"line":    func(code, beside string) string { return name(codes.FromStatusLine(code + " " + beside)) },
		"type":    func(code, _ string) string { return name(codes.FromTypeName(code)) },
		"std":     func(code, beside string) string { return name(codes.FromType(code, beside)) },
		"login":   func(code, _ string) string { return fmt.Sprint(codes.IsOwnLogin(code)) },
		"package": func(code, _ string) string { return name(codes.FromPackage(code)) },
		"text":    func(code, beside string) string { return name(codes.FromText(code + " " + beside)) },
		"library": func(code, beside string) string { return name(codes.FromLibraryText(code, beside)) },
		"message": func(code, beside string) string { return name(codes.FromMessage(code + " " + beside)) },
		"state": func(code, beside string) string {
			return name(codes.FromSQLState(code, func() string { return beside }))
		},
		"reply": func(code, beside string) string { return name(codes.FromReply(int64(number(code)), beside)) },
		"member": func(code, beside string) string {
			return fmt.Sprint(spelling.Means(code, spelling.Period), " ", codes.Periods.In(beside))
		},
		"status": func(code, _ string) string { return name(codes.FromStatus(number(code))) },
		"headers": func(code, beside string) string {
			status, method, _ := strings.Cut(code, ",")
			h := headers(beside)
			c, wait := codes.FromHTTP(number(status), false, h, method, now)
			explained, _ := codes.FromHTTP(http.StatusForbidden, true, h, method, now)
			return fmt.Sprint(name(c), " ", wait, " ", explained == class.Throttled)
		},
		"number": func(code, beside string) string {
			table := codes.TableFor(code)
			if table == nil {
				return "no table"
			}
			n, err := strconv.ParseInt(beside, 0, 64)
			require.NoError(t, err)
			return name(table.Class(n))
		},
		"words": func(code, beside string) string {
			var r codes.Reader
			for word := range strings.SplitSeq(code+" "+beside, " ") {
				r.Read(word)
			}
			return fmt.Sprint(name(r.Class), " ", r.HasWord, !r.Class.IsVague())
		},
	}
	testutil.Recorded(t, "testdata/codes.txt", func(sample string) string {
		kind, rest, _ := strings.Cut(sample, " ")
		code, beside, _ := strings.Cut(rest, " ")
		require.Contains(t, kinds, kind)
		return kinds[kind](code, beside)
	})
}

// Each row of numbers has a class, and no library has the same number twice.
func TestNumbers(t *testing.T) {
	t.Parallel()
	type number struct {
		packages string
		n        int64
	}
	seen := map[number]bool{}
	codes.Numbers(func(packages string, class int, n int64) {
		at := number{packages, n}
		assert.False(t, seen[at], "%d stands twice in the table of %s", n, packages)
		seen[at] = true
		assert.NotZero(t, n, packages)
		assert.Positive(t, class, "%d of %s has no class", n, packages)
		assert.LessOrEqual(t, class, codes.Classes)
	})
	assert.Greater(t, len(seen), 400)
}

// Each row of texts has a class, and its texts have no white space before them. Words that
// classify a code together are lower-case singulars.
func TestTexts(t *testing.T) {
	t.Parallel()
	codes.Texts(func(table, text string, class int) {
		assert.Positive(t, class, "%q of %s has no class", text, table)
		assert.Equal(t, strings.TrimLeft(text, " "), text, table)
		assert.NotEmpty(t, text, table)
		if table == "text" {
			assert.Equal(t, class, int(codes.FromText(strings.TrimRight(text, " "))),
				"%q is too long for a sentinel, or stands twice", text)
		}
		if table != "stem" {
			return
		}
		for w := range strings.FieldsSeq(text) {
			assert.Equal(t, strings.ToLower(w), w)
			if !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
				assert.False(t, strings.HasSuffix(w, "s"), "%s is no singular", w)
			}
		}
	})
}
