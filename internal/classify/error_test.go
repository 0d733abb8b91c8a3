package classify_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// An authored error is classified by its author.
type authored struct{ classify.Classification }

func (authored) Error() string { return "authored" }

func known(err error) (classify.Classification, error) {
	if a, ok := err.(authored); ok { //nolint:errorlint // one link of the chain
		return a.Classification, a
	}
	return classify.Classification{}, nil
}

func from(err error) classify.Classification {
	c, _ := classify.Error(err, known, nil)
	return c
}

// An asError is another one, or nil.
type asError struct {
	text

	as *pointer
}

func (e asError) As(target any) bool {
	*target.(**pointer) = e.as //nolint:errcheck,forcetypeassert // no other is asked for
	return true
}

func TestAs(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{
		&pointer{}: true, (*pointer)(nil): false, badError{}: false, asError{as: &pointer{}}: true, asError{}: false,
	} {
		_, ok := classify.As[pointer](err)
		assert.Equal(t, want, ok)
	}
}

func TestError_Loops(t *testing.T) {
	t.Parallel()
	const (
		unknown     = "Category=transient Code=internal Effect=unknown"
		unavailable = "Category=transient Code=unavailable Retryable=true Effect=none"
	)
	refused := dial(syscall.ECONNREFUSED)
	loop, list, joined := &innerError{}, manyErrors{nil}, refused
	for range 1000 {
		joined = errors.Join(joined, refused)
	}
	loop.Inner, list[0] = loop, list
	ring, mutual, wide := &loopError{}, manyError{make([]error, 2)}, manyError{slices.Repeat([]error{refused}, 100_000)}
	ring.next, mutual.errs[0], mutual.errs[1], wide.errs[99_999] = ring, mutual, mutual, fs.ErrPermission
	for name, err := range map[string]error{
		"loop": loop, "a list of itself": list, "nil": (*forgeError)(nil), "ring": ring, "mutual": mutual, "wide": wide,
	} {
		assert.Equal(t, unknown, testutil.Fields(from(err)), name)
		message, field := classify.ServiceMessage(err)
		assert.Empty(t, message+field, name)
	}
	assert.Equal(t, unavailable, testutil.Fields(from(joined)))
	deep := refused
	for range 9_997 { // with the three of the refusal, 10,000
		deep = &loopError{deep}
	}
	assert.Equal(t, unavailable, testutil.Fields(from(deep)))
	assert.Equal(t, unknown, testutil.Fields(from(&loopError{deep})))
	author := authored{classify.Classification{Category: "business", Code: "c", Effect: "none"}}
	assert.Equal(t, "Category=business Code=c Effect=unknown", testutil.Fields(from(errors.Join(author, deep))))
	for inner, want := range map[error]bool{deep: true, &loopError{deep}: false} {
		_, ok := classify.Find(inner, func(err error) (error, bool) {
			return err, err == syscall.ECONNREFUSED //nolint:errorlint // one link
		})
		assert.Equal(t, want, ok)
	}
}

// FuzzError checks that no text of an error is in its classification.
func FuzzError(f *testing.F) {
	f.Add([]byte{0, 2, 4, 5, 6, 7, 9, 17, 25, 33, 41, 49, 57, 65}, "hunter2")
	f.Add([]byte("\x0b\x33\x43\x01"), "nats: timeout hunter2")
	f.Fuzz(func(t *testing.T, program []byte, text string) {
		const planted = "hunter2-planted"
		err := errors.New(planted + text)
		for _, op := range program[:min(len(program), 200)] {
			n := int(op)
			leaf := []error{
				badError{n % 5},
				(*pointer)(nil), syscall.Errno(n),
				codedError{planted + text},
				stateError{text, planted},
				hintedError{time.Duration(n) << 55},
				limitedAPIError{StatusCode: n * 3, Code: text, Header: http.Header{"Retry-After": {text}}},
				&nestedAPIError{Code: n * 3, Errors: []struct{ Reason, Message string }{{text, planted}}},
				&responseError{&http.Response{StatusCode: n * 3, Header: http.Header{"X-Ratelimit-Reset": {text}}}},
			}[n/8%9]
			err = []error{
				fmt.Errorf(planted+": %w", err), errors.Join(err, leaf), &loopError{err},
				manyError{[]error{leaf, nil, err}},
				finalError{err},
				aliasError{err},
				statusAroundError{status: n * 3, inner: err},
				&url.Error{Op: planted, URL: "https://u:" + planted + "@h/?" + text, Err: err},
			}[n%8]
		}
		c := from(err)
		require.NotContains(t, fmt.Sprint(c), planted)
		require.Equal(t, min(max(c.After, 0), classify.MaxDelay), c.After)
	})
}

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
