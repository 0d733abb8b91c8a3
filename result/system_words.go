package result

import (
	"regexp"
	"slices"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readSystemWords takes the blame from the caller if an author's words are those of an
// operating system, and the file or program that they name, if any, is not in the call's
// arguments: a tool whose own file is gone, or whose program is not installed, says the
// same of it as of the caller's. E is the caller's own copy.
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

// systemWords are how operating systems name what is wrong with a file: by errno in
// Node.js and Python, in words in Go.
var systemWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bE(?:NOENT|ISDIR|NOTDIR|ACCES|PERM|ROFS|LOOP|EXIST|NOTEMPTY|NAMETOOLONG)\b|\[Errno \d+\]|` +
		`\b(?:open|stat|lstat|read|write|mkdir|remove|unlinkat|readlink|chdir|fork/exec) \S+: [a-z ]+$|` + deniedPath)
})

// deniedPath is how programs say that they may not use a file of the machine that they run on.
const deniedPath = `(?i:permission denied|read-only file system)(?: on| for| to|:)? ["']?(/[\w.-]+/[^\s"',;]*)`

// systemCall is how Go names the file of a system call, and other programs one that is
// denied.
var systemCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:open|stat|lstat|read|write|mkdir|remove|unlinkat|readlink|chdir|fork/exec) (\S+): |` + deniedPath)
})
