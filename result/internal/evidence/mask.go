package evidence

import (
	"slices"
	"strings"
)

const (
	// maxMasked is how many values are masked in a text. Chosen: calls have some ten
	// values.
	maxMasked = 100
	// maxSuffixes is how many trailing parts of a path are masked without its beginning.
	// Chosen: errors name a file by its base name, or from the root of a project.
	maxSuffixes = 8
	// shortNumber is the length in bytes from which a number is masked: that of a status.
	shortNumber = 3
	// masked replaces a value.
	masked = "…"
)

// Mask returns a text without the values of the arguments that it repeats: whole values,
// the ends of paths, and quoted parts of longer values. The caller's own words are no
// evidence of the failure: a search for "deadlock" does not have one. An ellipsis replaces
// each.
//
// Values of less than four bytes are kept, except for numbers of three digits. The time is
// linear in the text, of which the first and the last 64 KiB are read, and in the
// arguments.
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

// echoes returns the values that an error may repeat, the longest first.
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
		path := cleanPath(text)
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

// sent reports whether an argument is, or contains, a quoted text.
func (a *Arguments) sent(quoted string) bool {
	return quoted != "" && slices.ContainsFunc(a.leaves, func(l leaf) bool {
		return l.text == quoted || len(l.text) <= maxText && holds(l.text, quoted)
	})
}

// replaceWord masks a word in a text unless it is part of a longer one.
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
