package classify_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestCode checks the code that a word and a status have together. A status alone comes after a star.
func TestCode(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/codes.txt", func(sample string) string {
		word, text, _ := strings.Cut(sample, " ")
		status, _ := strconv.Atoi(text)
		return classify.Code(strings.Trim(word, "*"), status).Code
	})
}

// Classify and what it imports need only the standard library.
func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}",
		".").Output()
	require.NoError(t, err)
	for pkg := range strings.FieldsSeq(string(out)) {
		assert.True(t, strings.HasPrefix(pkg, "github.com/mcp-toolerr/toolerr-go/internal/"), pkg)
	}
}

// The chain leads from the outermost error to the one that the blame is called for, through
// the branches of a join.
func TestError_BlameChain(t *testing.T) {
	t.Parallel()
	one := &fs.PathError{Op: "open", Path: "/x", Err: syscall.ENOENT}
	two := &strconv.NumError{Num: "x", Err: strconv.ErrSyntax}
	first := fmt.Errorf("a: %w", one)
	join := errors.Join(first, two)
	var chains [][]error
	_, _ = classify.Error(join, known, func(chain []error, _ string) (string, classify.Fault) {
		chains = append(chains, append([]error(nil), chain...))
		return "", classify.Own
	})
	assert.Equal(t, [][]error{{join, first, one, syscall.ENOENT}, {join, two, strconv.ErrSyntax}}, chains)
	c, _ := classify.Error(one, known, func([]error, string) (string, classify.Fault) { panic("no") })
	assert.Equal(t, "internal", c.Code)
	c, _ = classify.Error(syscall.ENOTDIR, known,
		func([]error, string) (string, classify.Fault) { return "f", classify.Callers })
	assert.Equal(t, map[bool]string{true: "not_found", false: "invalid_argument"}[runtime.GOOS == "windows"], c.Code)
}

type named string

func (n named) Error() string { return string(n) }

type loop struct{}

func (loop) Error() string   { return "loop" }
func (l loop) Unwrap() error { return l }

type panics struct{ error }

func (panics) Unwrap() []error { panic("no") }

func TestFind(t *testing.T) {
	t.Parallel()
	match := func(err error) (named, bool) {
		n, ok := err.(named) //nolint:errorlint // one link of the chain
		return n, ok
	}
	plain := errors.New("plain")
	for name, test := range map[string]struct {
		err  error
		want named
	}{
		"direct":           {named("a"), "a"},
		"wrapped":          {fmt.Errorf("b: %w", named("a")), "a"},
		"the first branch": {errors.Join(plain, fmt.Errorf("b: %w", named("a")), named("c")), "a"},
		"none":             {errors.Join(plain, plain), ""},
		"without an end":   {errors.Join(loop{}, named("a")), ""},
		"a panic":          {panics{plain}, ""},
		"nil":              {nil, ""},
	} {
		got, ok := classify.Find(test.err, match)
		assert.Equal(t, test.want, got, name)
		assert.Equal(t, test.want != "", ok, name)
	}
}
