package foreign

import (
	"strings"
	"sync"
)

// set returns a function that returns the set of words, which is created on first use.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := make(map[string]bool)
		for word := range strings.FieldsSeq(words) {
			m[word] = true
		}
		return m
	})
}
