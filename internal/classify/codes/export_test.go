package codes

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// Numbers calls f for each number of each table, with the table's packages.
func Numbers(f func(packages string, c int, n int64)) {
	for _, tables := range [][]Table{databaseCodes, protocolCodes} {
		for _, t := range tables {
			for _, r := range t.rows {
				for _, n := range r.numbers {
					f(t.packages, int(r.class), n)
				}
			}
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
	for code, c := range redisCodes() {
		f("redis", code, int(c))
	}
}

// StemRows calls f for each row of words that classify a code together.
func StemRows(f func(c int, word, beside string)) {
	for _, row := range stemRows {
		f(int(row.class), row.word, row.beside)
	}
}

// Classes is the number of classes.
const Classes = int(class.InsufficientScope)
