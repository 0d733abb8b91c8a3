package codes

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// MaxCode is the maximum number of bytes read from a code or name. Codes have about thirty.
const MaxCode = 128

// stems returns the words of a code or a Go name in lower case and in the singular, without words
// that mean error, such as quota and exceeded for QuotasExceededError.
func stems(name string) (words []string) {
	name = name[:min(len(name), MaxCode)]
	for start := 0; start < len(name); {
		end := start + 1
		if IsAlnum(name[start]) {
			for end < len(name) && IsAlnum(name[end]) && !startsWord(name, end) {
				end++
			}
			word := singular(strings.ToLower(name[start:end]))
			if !listed("errorWords", word) {
				words = append(words, word)
			}
		}
		start = end
	}
	return words
}

// has reports whether one of the words is in a list of words separated by spaces.
func has(words []string, list string) bool {
	for word := range strings.FieldsSeq(list) {
		if slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// listed reports whether one of the words is in a table.
func listed(table string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return byName()[table].classes[word] != class.Unknown })
}

// startsWord reports whether a word of a camel-case name starts at i: an upper-case letter that
// does not follow another one or precedes a lower-case one.
func startsWord(name string, i int) bool {
	if !IsUpper(name[i]) {
		return false
	}
	return !IsUpper(name[i-1]) || i+1 < len(name) && name[i+1] >= 'a'
}

// singular removes the plural ending of a word.
func singular(word string) string {
	if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i' {
		return word[:n-1]
	}
	return word
}

// IsUpper reports whether c is an ASCII upper-case letter.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool {
	return IsUpper(c) || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// stemWords maps the known codes, also with the last word in the singular, to their classes.
var stemWords = sync.OnceValue(func() map[string]class.Class {
	m := maps.Clone(words())
	for code, c := range words() {
		m[singular(code)] = c
	}
	for _, row := range byName()["run"].rows {
		for code := range strings.FieldsSeq(row.codes) {
			m[singular(code)], m[code] = row.class, row.class
		}
	}
	return m
})

// byStems classifies a code by a known code in its words, or else by the rows of the table stem.
func byStems(words []string) class.Class {
	if len(words) < 2 {
		return class.Unknown
	}
	if c := knownRun(words); c != class.Unknown {
		return c
	}
	for _, row := range byName()["stem"].rows {
		if has(words, row.codes) && (row.beside == "" || has(words, row.beside)) {
			return row.class
		}
	}
	return class.Unknown
}

// knownRun classifies by the longest sequence of two or more words that is a known code. It allows
// a retry only for a rate limit, and not for a plan's, which no short wait lifts.
func knownRun(words []string) class.Class {
	for n := min(len(words), maxRun); n > 1; n-- {
		for i := range len(words) - n + 1 {
			c := stemWords()[strings.Join(words[i:i+n], "")]
			if c.IsVague() || c.Retryable() && c != class.Throttled {
				continue
			}
			if c == class.Throttled && listed("plans", words...) {
				return class.Limit
			}
			return c
		}
	}
	return class.Unknown
}

// maxRun is the maximum number of words of a known code.
const maxRun = 5

// byTypeName classifies by the words of a type's name. Problems with files, configuration, replies
// and parsing are the tool's own. A missing thing is the caller's fault only if it is part of a
// call. Only credentials' expiry is classified: others may have happened during the call.
func byTypeName(name string) class.Class {
	words := stems(name)
	if listed("ownTrouble", words...) {
		return class.Unknown
	}
	c := byStems(words)
	if c == class.Missing && !listed("callParts", words...) || c == class.Precondition && has(words, "expired") {
		return class.Unknown
	}
	return c
}

// IsPlanPeriod reports whether the name of a policy or a quota mentions a day or a longer period.
func IsPlanPeriod(name string) bool { return listed("periods", stems(name)...) }

// IsBatch reports whether the name of a type or a member is about several writes.
func IsBatch(name string) bool { return listed("batches", stems(name)...) }

// IsAttempt reports whether the name of a member is about attempts of the same.
func IsAttempt(name string) bool { return listed("attempts", stems(name)...) }

// IsDone reports whether a member with a folded name counts what was done.
func IsDone(name string) bool { return listed("done", strings.TrimSuffix(name, "count")) }

// IsRequest reports whether a member with a folded name holds what was to be done.
func IsRequest(name string) bool { return listed("requests", name) }

// IsLabel reports whether a word in lower case precedes a status or a message.
func IsLabel(word string) bool { return listed("labels", word) }
