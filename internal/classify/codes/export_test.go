package codes

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

func tables() map[*Table]*Table {
	m := map[*Table]*Table{}
	for _, t := range slices.Concat(slices.Collect(maps.Values(all().tables)), slices.Collect(maps.Values(all().paths))) {
		m[t] = t
	}
	return m
}

// Numbers calls f for each number of each table, with the table's packages.
func Numbers(f func(packages string, c int, n int64)) {
	for _, t := range tables() {
		for _, r := range t.numbers {
			f(t.name, int(r.class), r.from)
		}
	}
}

// Texts calls f for each row of each table, with the table's name.
func Texts(f func(table, text string, c int)) {
	for _, t := range tables() {
		for _, row := range t.rows {
			f(t.name, strings.Join(slices.Concat(row.codes, row.beside), " "), int(row.class))
		}
	}
}

// Classes is the number of classes.
const Classes = int(class.Classes - 1)
