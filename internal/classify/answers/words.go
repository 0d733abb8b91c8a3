package answers

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// firstRank and codeRanks are the first and the number of the meanings that hold a code, the most specific first.
const firstRank, codeRanks = spelling.Reasons, spelling.States - spelling.Reasons + 1

// A word is a code, and where it stands.
type word struct {
	name, text string
	at         level
}

// code adds the code in a member. In a URI, only what follows the last /, # or : counts, without the query.
func (c *Claims) code(rank spelling.Meaning, name, text string, at level) {
	if text != "" {
		text, _, _ = strings.Cut(text, "?")
		text = strings.TrimRight(text, "/#")
		text = text[strings.LastIndexAny(text, "/#:")+1:]
		c.words[rank-firstRank] = append(c.words[rank-firstRank], word{name, text, at})
	}
}

// Class returns the class of the first code that is not vague, else of the first known one, and whether there is one.
func (c *Claims) Class() (found class.Class, shown bool) {
	_, found, shown = c.decide(func(word) bool { return false })
	return found, shown
}

// Word returns the code that decides, or else the first, or "" if there is none. Unlike the body of a
// response, other objects have texts, titles and states of other things in the same places. Word
// ignores these, echoes, and among prose the codes of some libraries that are ordinary words elsewhere.
func (c *Claims) Word(prose bool) string { return c.word(part, prose) }

func (c *Claims) word(last level, prose bool) string {
	code, _, _ := c.decide(func(w word) bool {
		name := strings.ToLower(w.name)
		isSure := strings.Contains(name, "code") || strings.Contains(name, "error") || mayBeCode(w.text)
		return w.at > last || name == "title" || name == "name" || !isSure || !isCodeWord(w.text) ||
			prose && codes.List("ordinary").Has(strings.ToLower(w.text))
	})
	return code
}

// Alone returns the code of the failure as a whole, as Word does among prose, if nothing but this failure is
// reported: no other one beside it, and no sign of work that was done.
func (c *Claims) Alone() (code string, ok bool) {
	for _, o := range c.wholes {
		for name, v := range o {
			text, isText := v.(string)
			_, isNumber := Number(v)
			isState := name == "status" && isText && !isNumber && !IsState(text) && codes.FromWord(text) == class.Unknown
			isReport := spelling.Means(name, reports...) || spelling.Means(name, spelling.Beside, spelling.Inside)
			if isState || !jsonvalue.IsZero(v) && !isReport && name != "id" && name != "details" {
				return "", false
			}
		}
	}
	return c.word(whole, true), !c.several
}

func (c *Claims) decide(ignored func(word) bool) (code string, found class.Class, shown bool) {
	var r codes.Reader
	for _, w := range slices.Concat(c.words[:]...) {
		if ignored(w) {
			continue
		}
		before := r.Class
		if r.Read(w.text); r.Class != before || code == "" {
			code = w.text
		}
	}
	return code, r.Class, r.HasWord
}

// rpcCodes are the codes of gRPC from 1.
var rpcCodes = strings.Fields("CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS " +
	"PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE " +
	"DATA_LOSS UNAUTHENTICATED")

// RPCCode returns the name of the code if the whole object is a google.rpc.Status, as grpc-gateway answers. It is ""
// for any other object, and for 1, which is a success of others.
func (c *Claims) RPCCode() string {
	m := c.wholes[len(c.wholes)-1]
	details, isList := m["details"].([]any)
	code, _ := m["code"].(json.Number)
	n, _ := code.Int64()
	isOther := func(v any) bool { detail, _ := v.(map[string]any); return detail["@type"] == nil }
	if !isList || len(m) != 3 || jsonvalue.IsZero(m["message"]) || n <= 1 || n > int64(len(rpcCodes)) ||
		slices.ContainsFunc(details, isOther) {
		return ""
	}
	return rpcCodes[n-1]
}

// isCodeWord reports whether a text is an identifier that may name a kind of failure. It is not a
// sentence, or a state such as failed.
func isCodeWord(s string) bool {
	if len(s) < 2 || len(s) > 80 || strings.ContainsAny(s, " \t\n:/") || IsState(s) {
		return false
	}
	c := s[0] | 0x20 // in lower case
	return 'a' <= c && c <= 'z'
}

// mayBeCode reports whether a status, type, reason or kind may be a code rather than the state of a
// business object: it allows no retry, or is a word used only as a code.
func mayBeCode(s string) bool {
	c := codes.FromWord(s)
	isShouted := s == strings.ToUpper(s) || strings.HasPrefix(strings.ToLower(s), "overloaded")
	return (!c.Retryable() || c.IsThrottle() || isShouted) && !strings.Contains(s, "#") // a kind of Google's resources
}

// IsState reports whether a text is a status or a type that names no kind of failure.
func IsState(s string) bool { return codes.List("states").Has(strings.ToLower(s)) }
