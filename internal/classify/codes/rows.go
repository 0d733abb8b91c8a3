package codes

import (
	_ "embed"
	"iter"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// rows returns the lines of an embedded table: a class and a text, separated by a tab. Lines
// without a tab are comments.
func rows(table string) iter.Seq2[class.Class, string] {
	return func(yield func(class.Class, string) bool) {
		for line := range strings.Lines(table) {
			name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if ok && !yield(classes[name], text) {
				return
			}
		}
	}
}

// tableRows has the name of a table, a class and codes in each line.
//
//go:embed tables.tsv
var tableRows string

// A row holds codes or patterns of one class, separated by spaces. In the table stem, a code must
// also have one of the words in beside, if there are any.
type row struct {
	class         class.Class
	codes, beside string
}

// tables returns the rows of each table in tables.tsv, in order.
var tables = sync.OnceValue(func() map[string][]row {
	m := map[string][]row{}
	for line := range strings.Lines(tableRows) {
		if f := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), ""); len(f) > 3 && line[0] != '#' {
			m[f[0]] = append(m[f[0]], row{classes[f[1]], f[2], f[3]})
		}
	}
	return m
})

// classes maps the names in the tables to classes.
var classes = map[string]class.Class{
	"canceled": class.Canceled, "conflict": class.Conflict, "denied": class.Denied, "exhausted": class.Exhausted,
	"exists": class.Exists, "file_invalid": class.FileInvalid, "file_too_large": class.FileTooLarge,
	"in_progress": class.InProgress, "insufficient_scope": class.InsufficientScope, "internal": class.Internal,
	"invalid": class.Invalid, "limit": class.Limit, "missing": class.Missing, "not_found": class.NotFound,
	"not_sent": class.NotSent, "out_of_range": class.OutOfRange, "over_limit": class.OverLimit,
	"precondition": class.Precondition, "reply_lost": class.ReplyLost, "throttled": class.Throttled,
	"timed_out": class.TimedOut, "unauthenticated": class.Unauthenticated, "unavailable": class.Unavailable,
	"unparsed": class.Unparsed, "statement": class.Statement, "forbidden": class.Forbidden,
	"ambiguous": class.Ambiguous, "untrusted": class.Untrusted,
}
