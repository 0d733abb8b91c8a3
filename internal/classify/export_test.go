package classify

import "strings"

// Numbers calls f with each number of each table, and where it stands.
func Numbers(f func(packages string, class int, n int64)) {
	for _, tables := range [][]codeTable{databaseCodes, protocolCodes} {
		for _, t := range tables {
			for _, r := range t.rows {
				for _, n := range r.numbers {
					f(t.packages, int(r.class), n)
				}
			}
		}
	}
}

// Texts calls f with each text of each table of words, and the table's name.
func Texts(f func(table, text string, class int)) {
	for name, rows := range map[string][]phraseRow{"sentinels": sentinelTexts, "redis": redisWords} {
		for text, c := range phraseMap(rows) {
			f(name, text, int(c))
		}
	}
	for _, row := range prefixes {
		for text := range phraseMap([]phraseRow{{row.class, row.texts}}) {
			f(row.library, text, int(row.class))
		}
	}
}

// Stems calls f with each row of words that classify a code together.
func Stems(f func(class int, word, beside string)) {
	for _, row := range stemRows {
		f(int(row.class), row.word, row.beside)
	}
}

// Classes is how many classes there are.
const Classes = int(scope)

// Phrases calls f with each phrase of the table, as it is matched, and its row.
func Phrases(f func(language, source, text string, use, class, rank int)) {
	var s scan
	for _, table := range phraseTables {
		for _, row := range table {
			for text := range strings.SplitSeq(row.texts, "|") {
				s.read(strings.TrimSuffix(strings.TrimSpace(text), "~"))
				f(row.language, row.source, string(s.norm), int(row.use), int(row.class), row.rank)
			}
		}
	}
}

// Says is the use of a phrase that says a class.
const Says = int(says)

// Steps returns how much work it is to read a text.
func Steps(text string) int {
	var r reader
	r.read(text)
	return r.steps
}
