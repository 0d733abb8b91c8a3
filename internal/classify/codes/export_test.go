package codes

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// Numbers calls f for each number of each table, with the table's packages.
func Numbers(f func(packages string, c int, n int64)) {
	for _, t := range numbers() {
		for _, r := range t.rows {
			f(t.packages, int(r.class), r.from)
		}
	}
}

// Texts calls f for each text of each table of texts, with the table's name.
func Texts(f func(table, text string, c int)) {
	for text, c := range sentinels() {
		f("sentinels", text, int(c))
	}
	for text, c := range words() {
		f("words", text, int(c))
	}
	for name, rows := range tables() {
		for _, row := range rows {
			f(name, row.codes+" "+row.beside, int(row.class))
		}
	}
}

// Classes is the number of classes.
const Classes = int(class.InsufficientScope)
