package evidence

import (
	"path"
	"strings"
	"unicode"
)

// likePath says how much an argument is like a path that an error names. The tool may
// have cleaned it, joined it to a directory of its own, added an extension, or gone on
// below it.
func likePath(l *leaf, name string) int {
	given, named := cleaned(l.text), cleaned(name)
	switch {
	case given == "" || named == "":
		return unlike
	case given == named:
		return same
	}
	inside := strings.TrimPrefix(given, "/")
	for strings.HasPrefix(inside, "../") { // out of the tool's directory, which may forbid it
		inside = inside[len("../"):]
	}
	base := path.Base(named)
	switch {
	case inside == "" || inside == ".." || strings.ContainsRune(inside, '\n'):
		return unlike
	case strings.HasSuffix(named, "/"+inside), named == inside, strings.HasSuffix(given, "/"+strings.TrimPrefix(named, "/")):
		return joined
	case l.number && isStem(base, l.text):
		return joined
	case l.number:
		return unlike
	case strings.HasSuffix(strings.TrimSuffix(named, path.Ext(named)), "/"+inside), isStem(base, inside):
		return joined
	case isDirectory(given, named), isDistinct(inside) && strings.Contains(named+"/", "/"+inside+"/"):
		return similar
	case len(named) >= shortText && strings.ContainsRune(named, '/') && holds(l.text[:min(len(l.text), maxText)], name):
		return similar // a command, or a sentence
	}
	return unlike
}

// cleaned returns a path without what does not change it, with slashes, or "".
func cleaned(text string) string {
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

// isStem reports whether a name is another one with an extension.
func isStem(name, stem string) bool {
	rest, ok := strings.CutPrefix(name, stem)
	return ok && (rest == "" || rest[0] == '.')
}

// isDirectory reports whether a path leads to a file below a directory, which is no
// whole disk or such.
func isDirectory(dir, file string) bool {
	return strings.HasPrefix(file, dir+"/") && (!strings.HasPrefix(dir, "/") && isDistinct(dir) || strings.Count(dir, "/") > 1)
}

// isDistinct reports whether a text is no ordinary word, which may stand anywhere by
// chance.
func isDistinct(text string) bool {
	const long = 12 // chosen: longer than the names of most directories
	return len(text) > 2 && (len(text) >= long || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLower(r) }))
}

// likeProgram says how much an argument is like a program that an error names: as a
// whole, or as the first word of a command.
func likeProgram(l *leaf, name string) int {
	words := strings.Fields(l.text[:min(len(l.text), maxText)])
	switch {
	case l.number || len(words) == 0:
		return unlike
	case strings.TrimSpace(l.text) == name:
		return same
	case words[0] == name || path.Base(words[0]) == path.Base(name):
		return joined
	case holds(l.text[:min(len(l.text), maxText)], name) && len(words) <= 16: // a pipe of commands
		return similar
	}
	return unlike
}
