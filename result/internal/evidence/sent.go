package evidence

import "strings"

const (
	// shortSent is the shortest value that is taken out of a text, in bytes. Chosen:
	// shorter ones stand in every sentence.
	shortSent = 3
	// maxSent is how many values are taken out of a text, and maxSentText how long the
	// text may be, in bytes. Chosen: a call has some ten values, and words are read to
	// four kilobytes.
	maxSent, maxSentText = 200, 8 << 10
	// taken stands for a value that was taken out. It is no word, and needs no escape in
	// JSON.
	taken = "…"
)

// Without returns a text without the texts and numbers that the call has sent. What an
// error repeats of them says what it is about, not what it is.
func (a *Arguments) Without(text string) string {
	if len(text) > maxSentText {
		return text
	}
	a.decode()
	for i := range a.leaves[:min(len(a.leaves), maxSent)] {
		if l := &a.leaves[i]; len(l.text) >= shortSent {
			text = withoutWord(text, l.text)
		}
	}
	return text
}

// withoutWord takes a word out of a text wherever it is no part of a longer one.
func withoutWord(text, word string) string {
	var b strings.Builder
	rest := 0 // from where on text is not in b
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			break
		}
		from += i
		if !isWord(text, from, from+len(word)) {
			from++
			continue
		}
		b.WriteString(text[rest:from] + taken)
		from += len(word)
		rest = from
	}
	if rest == 0 {
		return text
	}
	return b.String() + text[rest:]
}
