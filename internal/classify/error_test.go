package classify_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
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
	for name, err := range map[string]error{"loop": loop, "a list of itself": list, "nil": (*forgeError)(nil)} {
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

// TestError_HostileTrees checks that Error returns, and does not allow a retry.
func TestError_HostileTrees(t *testing.T) {
	t.Parallel()
	loop := &loopError{}
	loop.next = loop
	wide := manyError{make([]error, 100_000)}
	for i := range wide.errs {
		wide.errs[i] = dial(syscall.ECONNREFUSED)
	}
	wide.errs[99_999] = fs.ErrPermission
	mutual := manyError{make([]error, 2)}
	mutual.errs[0], mutual.errs[1] = mutual, mutual
	var nilPointer *pointer
	trees := map[string]error{
		"loop": loop, "wide": wide, "mutual": mutual, "nil pointer": nilPointer,
		"nil branches": manyError{[]error{nil, nil}}, "no branches": manyError{}, "nil inside": &loopError{},
		"nil net error": (*net.OpError)(nil), "nil DNS error": (*net.DNSError)(nil), "nil number": (*strconv.NumError)(nil),
	}
	for how := range 4 {
		trees[fmt.Sprint("bad ", how)] = fmt.Errorf("hunter2: %w", badError{how})
	}
	for name, err := range trees {
		assert.False(t, from(err).Retryable, name)
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
				permanentError{err},
				aliasError{err},
				statusAroundError{status: n * 3, inner: err},
				&url.Error{Op: planted, URL: "https://u:" + planted + "@h/?" + text, Err: err},
			}[n%8]
		}
		c := from(err)
		require.NotContains(t, fmt.Sprint(c), planted)
		require.Equal(t, classify.ClampDelay(c.After), c.After)
	})
}
