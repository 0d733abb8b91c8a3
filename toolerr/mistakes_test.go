package toolerr_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestConstructors_Swapped checks that a sentence in the place of a name is not sent as one.
func TestConstructors_Swapped(t *testing.T) {
	t.Parallel()
	const sentence = "The instance runs"
	swapped := toolerr.FailedPrecondition("stop_instance", sentence)
	assert.Equal(t, sentence, swapped.Message)
	assert.Equal(t, map[string]any{"first": "stop_instance"}, swapped.Details)
	assert.Contains(t, swapped.Hint, "Call stop_instance first")
	neither := toolerr.FailedPrecondition("The server is busy.", sentence)
	assert.Equal(t, "The server is busy.", neither.Message)
	assert.Nil(t, neither.Details)
	assert.Empty(t, neither.Hint)
	for name, e := range map[string]*toolerr.Error{
		"InvalidArgument": toolerr.InvalidArgument("The ticker is unknown.", "X", "a ticker"),
		"MissingArgument": toolerr.MissingArgument("No ticker.", "a ticker"),
		"OutOfRange":      toolerr.OutOfRange("The amount is wrong", 7, 1, 5, nil),
		"Ambiguous":       toolerr.Ambiguous("Two customers match.", "Ann", 1, 2),
	} {
		assert.Empty(t, e.Field, name)
		assert.NotEmpty(t, e.Message, name)
	}
	assert.Equal(t, "first name", toolerr.MissingArgument("first name", "a name").Field)
}

func TestOutOfRange_Inside(t *testing.T) {
	t.Parallel()
	for _, e := range []*toolerr.Error{
		toolerr.OutOfRange("limit", 50, 1, 100, nil), toolerr.OutOfRange("limit", 50, nil, 100, nil), toolerr.OutOfRange("limit", 50, 100, 1, 7),
	} {
		assert.Equal(t, "limit is out of range, got 50.", e.Message)
		assert.NotContains(t, e.Hint, "100")
	}
	assert.Equal(t, "limit must be from 1 to 100, got 0.", toolerr.OutOfRange("limit", 0, 1, 100, nil).Message)
}
