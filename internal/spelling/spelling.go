// Package spelling is the one table of the names that senders give to the members of an answer: of
// a report of a failure, of a batch, and of a Go error. Names that mean something in one place alone stand there.
package spelling

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// A Meaning is what a member means, maybe one of several. members.tsv lists the names of each, in the order below.
type Meaning uint8

// The meanings that say what failed and what to do, and those of the parts of an answer and a batch.
const (
	None Meaning = iota // None is no meaning.
	Category
	Message
	ErrorText
	Code
	Reasons
	Codes
	Types
	States
	Period
	Status
	Retryable
	Hint
	CustomerMessage
	Field
	CorrelationID
	IdempotencyKey
	Effect
	Doubt
	Traces
	Suggestions
	Options
	Milliseconds
	Seconds

	FieldStatus
	OwnNumbers
	Words
	Objects
	Delays
	Resets
	Said
	Notices
	Culprits
	FieldCode
	SQLStates
	Containers
	Bodies
	MailCodes
	Timeouts
	Responses
	Headers
	Inners
	RPCCodes
	Details
	Retries
	Refusals

	Processed
	Total
	ContinueFrom
	Results

	Inside
	Echo
	Errors
	Beside
	Flags

	Done
	Certain
	Failed
	Counted
	Batch
	Explanation
	ItemError
	Summary
	Runs
	Life
	Checked
	Search
	Further
	Meanings // Meanings is the number of meanings.
)

// A Place is a meaning of a name, and its precedence among the names with that meaning, from 0.
type Place struct {
	Meaning Meaning
	Rank    int
}

//go:embed members.tsv
var text string

type table struct {
	names  [Meanings][]string
	places map[string][]Place
}

var all = sync.OnceValue(func() *table {
	t := &table{places: map[string][]Place{}}
	m := None
	for line := range strings.Lines(text) {
		if line[0] == '#' {
			continue
		}
		m++
		for rank, name := range strings.Fields(line)[1:] {
			t.names[m] = append(t.names[m], name)
			if m < FieldStatus || m > Refusals {
				t.places[name] = append(t.places[name], Place{m, rank})
			}
		}
	}
	return t
})

// Names returns the folded names of a meaning, in order of precedence. Do not change the list.
func Names(m Meaning) []string { return all().names[m] }

// Places returns the meanings of a name, which need not be folded, outside of Go errors. Do not change the list.
func Places(name string) []Place {
	var buffer [maxName]byte
	return all().places[string(fold(buffer[:0], name))]
}

// Means reports whether a name, which need not be folded, has one of the meanings.
func Means(name string, meanings ...Meaning) bool {
	return slices.ContainsFunc(Places(name), func(p Place) bool { return slices.Contains(meanings, p.Meaning) })
}

// maxName is the maximum number of bytes read from a name. The names in the table have about ten.
const maxName = 128

// Fold returns a name in lower case and without separators.
func Fold(name string) string {
	var buffer [maxName]byte
	return string(fold(buffer[:0], name))
}

func fold(b []byte, name string) []byte {
	for i := range min(len(name), maxName) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != '_' && c != '-' && c != '.' && c != ' ' {
			b = append(b, c)
		}
	}
	return b
}
