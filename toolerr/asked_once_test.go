package toolerr_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An askedError counts how often it is asked for its text.
type askedError struct{ times *int }

func (e askedError) Error() string {
	*e.times++
	return "boom"
}

// The text of an error is asked for once at most while it is classified.
func TestFrom_AsksOnce(t *testing.T) {
	t.Parallel()
	times := 0
	_ = toolerr.From(askedError{&times})
	assert.LessOrEqual(t, times, 1)
	wrapped := fmt.Errorf("save: %w", askedError{&times})
	times = 0
	_ = toolerr.From(wrapped)
	assert.LessOrEqual(t, times, 1)
}
