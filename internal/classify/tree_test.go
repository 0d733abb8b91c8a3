package classify_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

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
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := classify.Find(test.err, match)
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.want != "", ok)
		})
	}
}
