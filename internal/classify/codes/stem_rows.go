package codes

import (
	"maps"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// stemWords maps the known codes, also with the last word in the singular, to their classes.
var stemWords = sync.OnceValue(func() map[string]class.Class {
	m := maps.Clone(words())
	for code, c := range words() {
		m[singular(code)] = c
	}
	for _, row := range tables()["run"] {
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
	for _, row := range tables()["stem"] {
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
			if c == class.Throttled && has(words, plans) {
				return class.Limit
			}
			return c
		}
	}
	return class.Unknown
}

// maxRun is the maximum number of words of a known code.
const maxRun = 5

const plans = "daily day monthly month weekly yearly plan subscription billing credit balance trial quota"

// byTypeName classifies by the words of a type's name. Problems with files, configuration, replies
// and parsing are the tool's own. A missing thing is the caller's fault only if it is part of a
// call. Only credentials' expiry is classified: others may have happened during the call.
func byTypeName(name string) class.Class {
	words := stems(name)
	if has(words, ownTrouble) {
		return class.Unknown
	}
	c := byStems(words)
	if c == class.Missing && !has(words, callParts) || c == class.Precondition && has(words, "expired") {
		return class.Unknown
	}
	return c
}

const callParts = " argument arg parameter param input field value option flag property attribute key name id body member column "

const ownTrouble = " config configuration env environment file path host dns certificate binary executable program response reply " +
	"state unmarshal marshal decode encode parse syntax digest checksum "
