// Package spelling is the one table of the names that senders give to the members of an answer: of
// a report of a failure, of a batch, and of a Go error.
package spelling

import (
	_ "embed"
	"strings"
	"sync"
)

// A Meaning is what a member means. It is the first word of a line in members.tsv, which lists the
// names of that meaning; a name may have several meanings.
type Meaning string

// The meanings that say what failed and what to do, then those of a batch, then those of the parts
// of an answer.
const (
	Category        Meaning = "category"
	Message         Meaning = "message"
	Code            Meaning = "code"
	Status          Meaning = "status"
	Retryable       Meaning = "retryable"
	Hint            Meaning = "hint"
	CustomerMessage Meaning = "customermessage"
	Field           Meaning = "field"
	CorrelationID   Meaning = "correlationid"
	IdempotencyKey  Meaning = "idempotencykey"
	Effect          Meaning = "effect"
	Suggestions     Meaning = "suggestions"
	Options         Meaning = "options"
	Milliseconds    Meaning = "milliseconds"
	Seconds         Meaning = "seconds"
	NotBefore       Meaning = "notbefore"

	Processed    Meaning = "processed"
	Total        Meaning = "total"
	ContinueFrom Meaning = "continuefrom"
	Results      Meaning = "results"
	Done         Meaning = "done"
	Certain      Meaning = "certain"
	Failed       Meaning = "failed"
	Batch        Meaning = "batch"
	Counted      Meaning = "counted"
	Summary      Meaning = "summary"
	Runs         Meaning = "runs"
	ItemError    Meaning = "itemerror"

	InnerMessage Meaning = "innermessage"
	ErrorText    Meaning = "errortext"
	Errors       Meaning = "errors"

	Inside  Meaning = "inside"
	Echo    Meaning = "echo"
	Beside  Meaning = "beside"
	Life    Meaning = "life"
	Search  Meaning = "search"
	Further Meaning = "further"
)

//go:embed members.tsv
var table string

var names = sync.OnceValue(func() map[Meaning][]string {
	all := map[Meaning][]string{}
	for line := range strings.Lines(table) {
		if meaning, list, ok := strings.Cut(line, "\t"); ok && line[0] != '#' {
			all[Meaning(meaning)] = strings.Fields(list)
		}
	}
	return all
})

// Names returns the folded names of a meaning, in order of precedence. Do not change the list.
func Names(m Meaning) []string { return names()[m] }

// Means reports whether a name, which need not be folded, has one of the meanings.
func Means(name string, meanings ...Meaning) bool {
	var buffer [maxName]byte
	folded := fold(buffer[:0], name)
	for _, m := range meanings {
		for _, known := range names()[m] {
			if known == string(folded) {
				return true
			}
		}
	}
	return false
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
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			b = append(b, c|0x20)
		case c != '_' && c != '-' && c != '.':
			b = append(b, c)
		}
	}
	return b
}
