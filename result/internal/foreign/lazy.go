package foreign

import (
	"regexp"
	"strings"
	"sync"
)

// expression returns a regular expression that is compiled when it is first used,
// since many processes never read a stranger's failure.
func expression(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}

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
