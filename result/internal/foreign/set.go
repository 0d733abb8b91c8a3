package foreign

import (
	"strings"
	"sync"
)

// set returns the set of some words, made when it is first used.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := make(map[string]bool)
		for word := range strings.FieldsSeq(words) {
			m[word] = true
		}
		return m
	})
}
