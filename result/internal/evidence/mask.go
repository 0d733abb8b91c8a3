package evidence

import (
	"slices"
	"strings"
)

const (
	// maxMasked is how many texts are looked for in a text. Chosen: calls send some ten
	// values.
	maxMasked = 100
	// maxSuffixes is how many elements of a path are looked for without those before
	// them. Chosen: errors show a file by its name, or from the root of a project.
	maxSuffixes = 8
	// shortNumber is the shortest number that is masked, in bytes: that of a status.
	shortNumber = 3
	// masked stands for what was sent.
	masked = "…"
)

// Mask returns a text without what it repeats of the arguments: values that were sent, the
// ends of paths, and what it quotes of longer ones. What the caller has sent says nothing of
// what failed: a search for "deadlock" has none. An ellipsis stands for each.
//
// Values of less than four bytes stay, but for numbers of three digits. The work is linear
// in the text, which is looked at to 64 KiB on each end, and in the arguments.
func (a *Arguments) Mask(text string) string {
	a.decode()
	if len(a.leaves) == 0 || text == "" {
		return text
	}
	if len(text) > 2*maxText {
		end := len(text) - maxText
		return a.Mask(text[:maxText]) + text[maxText:end] + a.Mask(text[end:])
	}
	for _, value := range a.echoes() {
		text = replaceWord(text, value)
	}
	for _, quoted := range quotes(text) {
		if a.sent(quoted) {
			for _, mark := range []string{`"`, "'", "`"} {
				text = strings.ReplaceAll(text, mark+quoted+mark, mark+masked+mark)
			}
		}
	}
	return text
}

// echoes returns the texts that an error may repeat, the longest first.
func (a *Arguments) echoes() (values []string) {
	for i := range a.leaves {
		l := &a.leaves[i]
		text := strings.TrimSpace(l.text)
		switch {
		case len(text) > maxWord, len(text) < shortText && (!l.number || len(text) < shortNumber):
			continue
		case len(values) >= maxMasked:
			return values
		}
		values = append(values, text)
		path := cleaned(text)
		for range maxSuffixes {
			_, rest, ok := strings.Cut(path, "/")
			if !ok {
				break
			}
			if path = rest; len(path) >= shortText && (isDistinct(path) || strings.Contains(path, "/")) {
				values = append(values, path)
			}
		}
	}
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(values)
}

// sent reports whether an argument is, or holds, what a text quotes.
func (a *Arguments) sent(quoted string) bool {
	return quoted != "" && slices.ContainsFunc(a.leaves, func(l leaf) bool {
		return l.text == quoted || len(l.text) <= maxText && holds(l.text, quoted)
	})
}

// replaceWord masks a word in a text, but not as a part of a longer one.
func replaceWord(text, word string) string {
	var b strings.Builder
	from := 0
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			break
		}
		i += at
		at = i + len(word)
		if isWord(text, i, at) {
			b.WriteString(text[from:i])
			b.WriteString(masked)
			from = at
		}
	}
	if from == 0 {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}
