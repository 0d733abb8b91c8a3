package attempt_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestOf records what is read of members.
func TestOf(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/members.txt", func(sample string) string {
		var meta map[string]any
		require.NoError(t, json.Unmarshal([]byte(testutil.Repeat(sample)), &meta), sample)
		return testutil.Shorten(testutil.Fields(attempt.Of(meta)))
	})
	assert.Zero(t, attempt.Of(nil))
}

func TestPut(t *testing.T) {
	t.Parallel()
	for unknown, members := range map[time.Duration]int{0: 3, time.Microsecond: 3, time.Millisecond: 4, time.Hour: 4} {
		meta := map[string]any{"other": true, "io.github.mcp-toolerr/unknownForMs": 5} // of another call
		assert.False(t, attempt.In(meta))
		attempt.Put(meta, attempt.ID{Call: "c", Number: 3, UnknownFor: unknown})
		assert.True(t, attempt.In(meta))
		assert.Len(t, meta, members)
		raw, err := json.Marshal(meta)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &meta))
		assert.Equal(t, attempt.ID{Call: "c", Number: 3, UnknownFor: unknown.Truncate(time.Millisecond)}, attempt.Of(meta))
	}
}

// TestID_IsFirst checks which attempts are the first of the call that a new key was made for. The
// hash does not change: the server may have another version.
func TestID_IsFirst(t *testing.T) {
	t.Parallel()
	const call = "f5a7ab1428d4387f88896227467d0400"
	assert.Equal(t, call, attempt.CallOf("k"))
	for id, want := range map[attempt.ID]bool{
		{Call: call, Number: 1}: true, {Call: call, Number: 2}: false, {Call: "c", Number: 1}: false,
		{Call: call, Number: 1, UnknownFor: 1}: false,
	} {
		assert.Equal(t, want, id.IsFirst("k"), id)
	}
}
