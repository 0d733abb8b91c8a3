package texts

import "strings"

// Phrases calls f for each phrase of the tables, normalized, with its row.
func Phrases(f func(language, source, text string, use, c, rank int)) {
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

// Says is the use of a phrase that states a class.
const Says = int(says)

// Steps returns the number of steps that reading a text takes.
func Steps(text string) int {
	var r reader
	r.read(text)
	return r.steps
}
