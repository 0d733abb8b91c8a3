package sdktext

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

//go:embed forms.txt
var formsText string

var forms = sync.OnceValue(func() map[string][]*regexp.Regexp {
	all, frames := map[string][]*regexp.Regexp{}, []string{}
	for line := range strings.Lines(formsText) {
		kind, form, isForm := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if kind == "frame" {
			frames = append(frames, form)
		} else if isForm {
			all[kind] = append(all[kind], regexp.MustCompile(form))
		}
	}
	// A text has at most four: from an SDK, an adapter, a host, and one more.
	all["frames"] = []*regexp.Regexp{regexp.MustCompile(`^(?:(?:` + strings.Join(frames, "|") + `)\s*){1,4}`)}
	return all
})

// Unframe removes the prefixes that adapters and SDKs put before an error's text.
func Unframe(text string) string {
	if strings.HasPrefix(text, "{") { // most reports have none
		return text
	}
	return text[len(forms()["frames"][0].FindString(text)):]
}

// IsOutput reports whether a text, in the words of any SDK or validator, is about the output of a
// tool. The tool has done its work then, and no argument is at fault.
func IsOutput(text string) bool {
	const longest = 400 // bytes; what follows may quote the output
	text = Unframe(text)
	text = text[:min(len(text), longest)]
	mayBe := func(word string) bool { return strings.Contains(text, word) }
	if !slices.ContainsFunc([]string{"utput", "esponse", "esult", "eturn", "serializ", "circular", "structured"}, mayBe) {
		return false
	}
	text = forms()["argument"][0].ReplaceAllString(text, "")
	return slices.ContainsFunc(forms()["output"], func(form *regexp.Regexp) bool { return form.MatchString(text) })
}

// Refusal reads a text with which an SDK rejects arguments before the tool runs. It returns a code,
// and the first argument at fault; if two forms match, field is "". For other texts, ok is false.
func Refusal(text string) (code toolerr.Code, field string, ok bool) {
	const longest = 4 << 10 // as much text as is classified
	text = text[:min(len(text), longest)]
	what := ""
	for _, form := range forms()["refused"] {
		m := form.FindStringSubmatch(text)
		if m != nil && ok {
			return toolerr.CodeInvalidArgument, "", true
		} else if m != nil {
			ok, field, what = true, pathOf(m[form.SubexpIndex("at")]), m[form.SubexpIndex("what")]
		}
	}
	if name := forms()["named"][0].FindStringSubmatch(what); name != nil {
		field = strings.TrimPrefix(field+"."+name[1], ".")
	}
	code = toolerr.CodeInvalidArgument
	if forms()["missing"][0].MatchString(what) {
		code = toolerr.CodeMissingArgument
	} else if forms()["range"][0].MatchString(what) {
		code = toolerr.CodeOutOfRange
	}
	return code, sanitize.Identifier(field), ok
}

// pathOf converts a path with indices, or a pointer into a schema, to the path of an argument.
func pathOf(at string) (path string) {
	parts := strings.FieldsFunc(at, func(r rune) bool { return strings.ContainsRune("/.[]\", \n", r) })
	isPointer := strings.HasPrefix(at, "/")
	for i, part := range parts {
		_, err := strconv.Atoi(part)
		switch {
		case !isPointer && err != nil || i > 0 && parts[i-1] == "properties":
			path = strings.TrimPrefix(path+"."+part, ".")
		case !isPointer || part == "items":
			path += "[]"
		}
	}
	return path
}
