package toolerr_test

import (
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// table returns the lines of the documentation from the one that begins with first up to
// the next empty line.
func table(t *testing.T, first string) (lines []string) {
	t.Helper()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for line := range strings.Lines(string(doc)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "//"))
		switch {
		case strings.HasPrefix(line, first) || len(lines) > 0 && line != "":
			lines = append(lines, line)
		case len(lines) > 0:
			return lines
		}
	}
	t.Fatalf("no line begins with %q", first)
	return nil
}

// TestDoc_Constructors compares the constructors with their table.
func TestDoc_Constructors(t *testing.T) {
	t.Parallel()
	errs := map[string]*toolerr.Error{
		"Transient": toolerr.Transient("m"), "RateLimited": toolerr.RateLimited("m", 0), "Validation": toolerr.Validation("m"),
		"InvalidArgument": toolerr.InvalidArgument("f", 1, "w"), "OutOfRange": toolerr.OutOfRange("f", 1, 2, 3, nil),
		"NotFound": toolerr.NotFound("k", "n"), "Ambiguous": toolerr.Ambiguous("f", "g", 1), "Business": toolerr.Business("m"),
		"LimitExceeded": toolerr.LimitExceeded("m", "c"), "FailedPrecondition": toolerr.FailedPrecondition("m", "f"),
		"Permission": toolerr.Permission("m"), "Internal": toolerr.Internal(nil), "Timeout": toolerr.Timeout("m"), "Unavailable": toolerr.Unavailable("m", 0),
		"MissingArgument": toolerr.MissingArgument("f", "w"), "Conflict": toolerr.Conflict("m"), "AlreadyExists": toolerr.AlreadyExists("k", "n"),
		"Unauthenticated": toolerr.Unauthenticated("m"), "InsufficientScope": toolerr.InsufficientScope("s"),
	}
	lacking := constants(t)["Code"]
	lines := table(t, "repeat the call ")
	for _, line := range lines {
		_, cells, _ := strings.Cut(line, "  ")
		columns := append(strings.Fields(cells), "")
		e := errs[columns[0]]
		require.NotNil(t, e, line)
		assert.Equal(t, columns[1], string(e.Category), line)
		assert.Equal(t, columns[2], string(e.Code), line)
		assert.Equal(t, columns[0] == "Transient" || columns[0] == "RateLimited" || columns[0] == "Unavailable", e.Retryable, line)
		assert.NotEmpty(t, e.Message, line)
		lacking = slices.DeleteFunc(lacking, func(code string) bool { return code == columns[2] })
	}
	assert.Len(t, lines, len(errs))
	assert.Equal(t, []string{"canceled", "permission_denied"}, lacking, "codes without a constructor, which From sets")
}

// TestDoc_Effects compares From and FromResponse with the table of effects.
func TestDoc_Effects(t *testing.T) {
	t.Parallel()
	status := func(code int) *toolerr.Error { return toolerr.FromResponse(&http.Response{StatusCode: code}) }
	errs := map[string]*toolerr.Error{
		"a refused connection": toolerr.From(syscall.ECONNREFUSED), "a timeout": toolerr.From(os.ErrDeadlineExceeded),
		"a reset": toolerr.From(syscall.ECONNRESET), "a bare error": toolerr.From(errors.New("bare")),
		"401": status(401), "404": status(404), "409": status(409), "429": status(429), "500": status(500), "502": status(502), "503": status(503), "504": status(504),
	}
	seen := 0
	for _, line := range table(t, "none     nothing was done")[:2] {
		for cause := range strings.SplitSeq(line[strings.LastIndex(line, "  ")+2:], ", ") {
			require.NotNil(t, errs[cause], cause)
			assert.Equal(t, strings.Fields(line)[0], string(errs[cause].Effect), cause)
			seen++
		}
	}
	assert.Len(t, errs, seen)
}
