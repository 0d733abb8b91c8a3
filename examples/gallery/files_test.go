package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNobodySeesHalfAFile has two writers and a reader at one file.
func TestNobodySeesHalfAFile(t *testing.T) {
	t.Parallel()
	w, err := openWorkspace()
	require.NoError(t, err)
	defer w.close()
	contents := []string{strings.Repeat("1", 60_000), strings.Repeat("2", 30_000)}
	write := func(content string) {
		_, _, err := w.writeFile(t.Context(), nil, writeIn{"docs/shared.md", content})
		assert.NoError(t, err)
	}
	write(contents[0])
	var wg sync.WaitGroup
	for _, content := range contents {
		wg.Go(func() {
			for range 300 {
				write(content)
			}
		})
	}
	wg.Go(func() {
		for range 600 {
			_, got, err := w.readFile(t.Context(), nil, readIn{"docs/shared.md"})
			assert.NoError(t, err)
			if !assert.True(t, got.Content == contents[0] || got.Content == contents[1],
				"%d bytes, with %d of the first writer", len(got.Content), strings.Count(got.Content, "1")) {
				return
			}
		}
	})
	wg.Wait()
}
