package tokens_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
)

var update = flag.Bool("update", false, "write testdata anew")

// written matches the hints that are written in the module's own code, with %s for what is filled in.
var written = regexp.MustCompile(`(?:WithHint\((?:fmt\.Sprintf\()?|Hint: +(?:fmt\.Sprintf\()?|` +
	`[Hh]int(?:, [\w.]+)? :?= (?:fmt\.Sprintf\()?)("[A-Z%][^"\\]*(?:\\.[^"\\]*)*")`)

// wrapped matches the end of a line in a text.
var wrapped = regexp.MustCompile(`" \+\n\t*"`)

// TestHints lists every hint of the module with its number of tokens: the defaults for all that a
// failure may have, and those in the code.
func TestHints(t *testing.T) {
	t.Parallel()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	encoding, err := tiktoken.GetEncoding("o200k_base")
	require.NoError(t, err)
	hints := append(defaults(), inCode(t)...)
	slices.Sort(hints)
	hints = slices.Compact(hints)
	require.Greater(t, len(hints), 50)
	var got strings.Builder
	for _, text := range hints {
		fmt.Fprintf(&got, "%3d %s\n", len(encoding.Encode(text, nil, nil)), text)
	}
	const path = "testdata/hints.golden"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got.String()), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String(), "go test . -run Hints -update writes it anew; read what it says")
}

// defaults returns the default hints of all failures.
func defaults() (list []string) {
	for _, category := range []string{"", "transient", "validation", "business", "permission", "other"} {
		for _, code := range []string{
			"", "timeout", "rate_limited", "unavailable", "canceled", "internal", "not_found", "invalid_argument",
			"missing_argument", "ambiguous", "out_of_range",
			"conflict", "already_exists", "failed_precondition", "limit_exceeded", "unauthenticated", "permission_denied",
			"insufficient_scope",
		} {
			for _, effect := range []string{"", "none", "applied", "unknown"} {
				for bits := range 1 << 7 {
					f := hint.Facts{
						Category: category, Code: code, Effect: effect, Retryable: bits&1 > 0,
						Delay:   []time.Duration{0, time.Second, 0, time.Hour}[bits&6/2],
						Partial: bits&8 > 0, Results: bits&8 > 0 && bits&16 > 0, Continue: bits&8 > 0 && bits&32 > 0,
						Options: bits&64 > 0, Field: bits&16 > 0,
					}
					list = append(list, hint.Default(f))
					f.Key = "idempotency_key"
					list = append(list, hint.Default(f))
				}
			}
		}
	}
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}

// inCode returns the hints in the code of the packages.
func inCode(t *testing.T) (list []string) {
	t.Helper()
	const root = "../../.."
	for _, dir := range []string{"toolerr", "result", "retry"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, _ os.DirEntry, err error) error {
			own := !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "doc.go") &&
				!strings.Contains(path, "testdata")
			if err != nil || !own || !strings.HasSuffix(path, ".go") {
				return err
			}
			code, err := os.ReadFile(path)
			for _, m := range written.FindAllStringSubmatch(wrapped.ReplaceAllString(string(code), ""), -1) {
				list = append(list, strings.Trim(m[1], `"`))
			}
			return err
		}))
	}
	return list
}
