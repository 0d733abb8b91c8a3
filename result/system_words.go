package result

import (
	"regexp"
	"slices"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readSystemWords removes the category if an author's text is an error of the operating
// system about a file or program that is not in the call's arguments: a missing file of the
// tool itself has the same error as one of the caller's. It changes e.
func (f *failedCall) readSystemWords(e *toolerr.Error) {
	if !isRejection(e.Category) || e.Field != "" {
		return
	}
	text := e.Message[:min(len(e.Message), maxWords)]
	if !systemWords().MatchString(text) {
		return
	}
	names := quotedSpans(text)
	for _, m := range systemCall().FindAllStringSubmatch(text, maxQuotes) {
		names = append(names, m[1]+m[2])
	}
	if slices.ContainsFunc(names, f.sent.HasFile) {
		return
	}
	e.Category, e.Code, e.Hint = "", "", ""
}

// systemWords matches file errors of operating systems: an errno in Node.js and Python, words
// in Go.
var systemWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bE(?:NOENT|ISDIR|NOTDIR|ACCES|PERM|ROFS|LOOP|EXIST|NOTEMPTY|NAMETOOLONG)\b|\[Errno \d+\]|` +
		`\b(?:open|stat|lstat|read|write|mkdir|remove|unlinkat|readlink|chdir|fork/exec) \S+: [a-z ]+$|` + deniedPath)
})

// deniedPath matches a denied access to a local file.
const deniedPath = `(?i:permission denied|read-only file system)(?: on| for| to|:)? ["']?(/[\w.-]+/[^\s"',;]*)`

// systemCall matches the file in Go's error of a system call, and in a denied access.
var systemCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:open|stat|lstat|read|write|mkdir|remove|unlinkat|readlink|chdir|fork/exec) (\S+): |` + deniedPath)
})
