package classify_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

func nobody(error) (classify.Classification, error) { return classify.Classification{}, nil }

// A blame is called only for classes that may be the caller's fault.
func TestError_Blame(t *testing.T) {
	t.Parallel()
	missing := &fs.PathError{Op: "open", Path: "/x", Err: syscall.ENOENT}
	denied := &fs.PathError{Op: "open", Path: "/y", Err: syscall.EACCES}
	for name, test := range map[string]struct {
		err   error
		fault classify.Fault
		want  string
	}{
		"the tool's":               {missing, classify.Own, "transient internal unknown "},
		"nothing named":            {missing, classify.Unnamed, "transient internal unknown "},
		"the caller's":             {fmt.Errorf("a: %w", missing), classify.Callers, "validation not_found none f"},
		"a sentinel, the tool's":   {fs.ErrPermission, classify.Own, "transient internal unknown "},
		"a sentinel":               {fs.ErrPermission, classify.Unnamed, "permission permission_denied none "},
		"a sentinel, the caller's": {fs.ErrPermission, classify.Callers, "permission permission_denied none f"},
		"never asked":              {syscall.ECONNREFUSED, classify.Own, "transient unavailable none "},
		"branches":                 {errors.Join(missing, denied), classify.Callers, "permission permission_denied none f"},
		"of an unknown one":        {errors.Join(errors.New("x"), missing), classify.Callers, "validation not_found unknown f"},
		"a number":                 {&strconv.NumError{Err: strconv.ErrRange}, classify.Callers, "validation out_of_range  f"},
	} {
		c, author := classify.Error(test.err, nobody, func([]error) (string, classify.Fault) { return "f", test.fault })
		require.NoError(t, author, name)
		assert.Equal(t, test.want, fmt.Sprint(c.Category, " ", c.Code, " ", c.Effect, " ", c.Field), name)
	}
}

// The chain leads from the outermost error to the one that the blame is called for, through
// the branches of a join.
func TestError_BlameChain(t *testing.T) {
	t.Parallel()
	one := &fs.PathError{Op: "open", Path: "/x", Err: syscall.ENOENT}
	two := &strconv.NumError{Num: "x", Err: errors.New("bad")}
	first := fmt.Errorf("a: %w", one)
	join := errors.Join(first, two)
	var chains [][]error
	_, _ = classify.Error(join, nobody, func(chain []error) (string, classify.Fault) {
		chains = append(chains, append([]error(nil), chain...))
		return "", classify.Own
	})
	assert.Equal(t, [][]error{{join, first, one, syscall.ENOENT}, {join, two}}, chains)
	c, _ := classify.Error(one, nobody, func([]error) (string, classify.Fault) { panic("no") })
	assert.Equal(t, "internal", c.Code)
}
