// Package refusal reads the texts with which the SDKs for Go, TypeScript and Python reject the
// arguments of a call before the tool runs. Clients that see only results have only this text.
package refusal

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const typeScript = `^(?:Input validation error: )?Invalid arguments for tool \S{1,128}: `

// refusals extract from SDKs' rejections of arguments what is wrong, and where.
var refusals = expressions(
	`^`+sdktext.RefusedArguments+`validating root: (?:validating (?P<at>/properties\S*): |validating \S+: )*(?P<what>.*)`,
	typeScript+`(?P<at>[\w$-]+(?:\.[\w$-]+)*): (?P<what>.*)`,     // version 2
	typeScript+`(?P<what>[^\n\[].*) at (?P<at>[^\s"']+)(?:\n|$)`, // version 1
	typeScript+`\[\s*\{[^{}]*"path":\s*\[(?P<at>[^\]]*)\],\s*"message":\s*"(?P<what>[^"]*)"`,
	typeScript+`(?P<what>Unrecognized key)(?:\(s\) in object|s)?: ['"](?P<at>[^'"]+)`,
	`^\d+ validation errors? for \S+\n(?P<at>\S+)\n\s+(?P<what>.*)`,            // Python, pydantic
	`^Input validation error: '(?P<at>\S+)' (?P<what>is a required property)$`, // Python, jsonschema
)

// wrongs match a missing argument, a number out of range, and the name at fault.
var wrongs = expressions(
	`^Required$|^Field required|^is a required|^required: missing properties: |received undefined$`,
	`^Too (?:big|small): expected (?:number|int)|^Number must be |^(?:exclusiveM|m)(?:in|ax)imum: |`+
		`^Input should be (?:greater|less) than`,
	`^(?:required: missing|unexpected additional) properties:? \["([^"]+)"`,
)

// outputs match what SDKs and validators say of the output of a tool that has run.
var outputs = expressions(
	`(?i)^.{0,60}\b(?:output|response|return value) (?:schema )?validation (?:error|fail)|^ResponseValidationError\b`,
	`(?i)\b(?:tool|its|declared) output schema|\boutputSchema\b|\bstructured content\b|\boutput schema mismatch\b`,
	`(?i)\b(?:invalid|validating|marshaling|serializing) (?:tool |structured )?output\b`,
	`(?i)^.{0,60}\btool output\b|has an output schema\b|\breturned (?:an )?invalid (?:output|result|response)\b`,
	`(?im)^.{0,40}\d+ validation errors? for \S*(?:output|response|result|return)\b`,
	`(?i)\bis not JSON serializable\b|\bcircular structure to JSON\b|how to serialize a BigInt\b`,
	`(?i)\b(?:serializ|marshal)\w* (?:the )?(?:tool )?(?:result|response|return value)\b`,
)

// IsOutput reports whether a text is about the output of a tool, which has done its work then: no
// argument is at fault. Safe for concurrent use.
func IsOutput(text string) bool {
	const longest = 400 // bytes; what follows may quote the output
	text = text[:min(len(text), longest)]
	mayBe := func(word string) bool { return strings.Contains(text, word) }
	if strings.HasPrefix(text, "Input validation") || strings.HasPrefix(text, "Invalid arguments") ||
		!slices.ContainsFunc([]string{"utput", "esponse", "esult", "eturn", "serializ", "circular", "structured"}, mayBe) {
		return false
	}
	return slices.ContainsFunc(outputs(), func(form *regexp.Regexp) bool {
		at := form.FindStringIndex(text)
		return at != nil && !slices.ContainsFunc([]string{" format", " path", " dir", " file", " type"}, func(argument string) bool {
			return strings.HasPrefix(text[at[1]:], argument) // of an argument about the output
		})
	})
}

func expressions(texts ...string) func() []*regexp.Regexp {
	return sync.OnceValue(func() (all []*regexp.Regexp) {
		for _, text := range texts {
			all = append(all, regexp.MustCompile(text))
		}
		return all
	})
}

// Read returns the code for a text with which an SDK rejects arguments, and the first argument at
// fault. If two forms match, field is "". For other texts, ok is false. Safe for concurrent use.
func Read(text string) (code toolerr.Code, field string, ok bool) {
	const longest = 4 << 10 // as much text as is classified
	text = text[:min(len(text), longest)]
	what := ""
	for _, form := range refusals() {
		m := form.FindStringSubmatch(text)
		if m != nil && ok {
			return toolerr.CodeInvalidArgument, "", true
		} else if m != nil {
			ok, field, what = true, pathOf(m[form.SubexpIndex("at")]), m[form.SubexpIndex("what")]
		}
	}
	if name := wrongs()[2].FindStringSubmatch(what); name != nil {
		field = strings.TrimPrefix(field+"."+name[1], ".")
	}
	code = toolerr.CodeInvalidArgument
	if wrongs()[0].MatchString(what) {
		code = toolerr.CodeMissingArgument
	} else if wrongs()[1].MatchString(what) {
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
