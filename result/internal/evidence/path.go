package evidence

import (
	"path"
	"strings"
	"unicode"
)

// scorePath returns the score of an argument for the path in an error. The tool may have
// cleaned the argument, joined it to its own directory, added an extension, or appended
// elements.
func scorePath(l *leaf, name string) int {
	given, named := cleanPath(l.text), cleanPath(name)
	switch {
	case given == "" || named == "":
		return noMatch
	case given == named:
		return same
	}
	inside := strings.TrimPrefix(given, "/")
	for strings.HasPrefix(inside, "../") { // leaves the tool's directory, which the tool may forbid
		inside = inside[len("../"):]
	}
	base := path.Base(named)
	switch {
	case inside == "" || inside == ".." || strings.ContainsRune(inside, '\n'):
		return noMatch
	case strings.HasSuffix(named, "/"+inside), named == inside, strings.HasSuffix(given, "/"+strings.TrimPrefix(named, "/")):
		return joined
	case l.number && isStem(base, l.text):
		return joined
	case l.number:
		return noMatch
	case strings.HasSuffix(strings.TrimSuffix(named, path.Ext(named)), "/"+inside), isStem(base, inside):
		return joined
	case isDirectory(given, named), isDistinct(inside) && strings.Contains(named+"/", "/"+inside+"/"):
		return similar
	case len(named) >= shortText && strings.ContainsRune(named, '/') && holds(l.text[:min(len(l.text), maxText)], name):
		return similar // a command or a sentence
	}
	return noMatch
}

// cleanPath returns a path in its shortest form, with slashes, or "".
func cleanPath(text string) string {
	const longest = 4096 // PATH_MAX of Linux; chosen for the other systems
	text = strings.TrimSpace(text)
	if len(text) > longest || text == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(text, "file://"); ok {
		text = unescaped(rest)
	}
	text = strings.TrimPrefix(text, "~/")
	text = path.Clean(strings.ReplaceAll(text, `\`, "/"))
	if text == "." || text == "/" {
		return ""
	}
	return text
}

// isStem reports whether a name is stem, or stem with an extension.
func isStem(name, stem string) bool {
	rest, ok := strings.CutPrefix(name, stem)
	return ok && (rest == "" || rest[0] == '.')
}

// isDirectory reports whether a file is below a directory, which must be more specific than
// a whole disk.
func isDirectory(dir, file string) bool {
	return strings.HasPrefix(file, dir+"/") && (!strings.HasPrefix(dir, "/") && isDistinct(dir) || strings.Count(dir, "/") > 1)
}

// isDistinct reports whether a text is not an ordinary word, which may occur by chance.
func isDistinct(text string) bool {
	const long = 12 // chosen: longer than the names of most directories
	return len(text) > 2 && (len(text) >= long || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLower(r) }))
}

// scoreProgram returns the score of an argument for the program in an error. The argument
// may be the program, or a command with it as the first word.
func scoreProgram(l *leaf, name string) int {
	words := strings.Fields(l.text[:min(len(l.text), maxText)])
	switch {
	case l.number || len(words) == 0:
		return noMatch
	case strings.TrimSpace(l.text) == name:
		return same
	case words[0] == name || path.Base(words[0]) == path.Base(name):
		return joined
	case holds(l.text[:min(len(l.text), maxText)], name) && len(words) <= 16: // a pipeline of commands
		return similar
	}
	return noMatch
}
