package codes

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A Table holds the error numbers that a group of libraries shares. Others are not classified.
type Table struct {
	packages     string // import paths without the major version, separated by spaces
	rows, ranges []codeRow
	mask         int64 // a number without a row is looked up again with only these bits
}

type codeRow struct {
	class    class.Class
	from, to int64
}

// Class returns the class of a number.
func (t *Table) Class(n int64) class.Class {
	for _, rows := range [...][]codeRow{t.rows, t.ranges} {
		if i := slices.IndexFunc(rows, func(r codeRow) bool { return r.from <= n && n <= r.to }); i >= 0 {
			return rows[i].class
		}
	}
	if n&t.mask != n { // of a table without a mask it is 0, which has no row
		return t.Class(n & t.mask)
	}
	return class.Unknown
}

// TableFor returns the table for an import path, also of a major version or a subpackage, or nil if
// there is none. The table "jsonrpc" holds the numbers that JSON-RPC 2.0 defines.
func TableFor(pkg string) *Table {
	i := slices.IndexFunc(numbers(), func(t Table) bool { return contains(t.packages, pkg) })
	if i < 0 {
		return nil
	}
	return &numbers()[i]
}

//go:embed numbers.tsv
var numbersText string

// numbers returns the tables of numbers.tsv, which documents their format.
var numbers = sync.OnceValue(func() (all []Table) {
	for line := range strings.Lines(numbersText) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case len(f) < 2 || line[0] == '#':
			continue
		case f[0] == "library":
			all = append(all, Table{packages: f[1]})
			continue
		}
		t := &all[len(all)-1]
		for text := range strings.FieldsSeq(f[1]) {
			first, last, isRange := strings.Cut(text, "..")
			n, _ := strconv.ParseInt(first, 0, 64)
			to, _ := strconv.ParseInt(last, 0, 64)
			switch {
			case f[0] == "mask":
				t.mask = n
			case isRange:
				t.ranges = append(t.ranges, codeRow{classes[f[0]], n, to})
			default:
				t.rows = append(t.rows, codeRow{classes[f[0]], n, n})
			}
		}
	}
	return all
})
