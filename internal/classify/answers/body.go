package answers

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

const (
	// maxBody is the maximum number of bytes read from a body. Errors have a few hundred.
	maxBody = 64 << 10
	// MaxDepth is the maximum depth to which an error object is read. Google's error objects have
	// reasons at depth 4 and exhausted quotas at depth 6.
	MaxDepth = 7
)

// MaxItems is the maximum number of items read from a list in an error. Most lists have a few.
const MaxItems = 20

// A Body holds the codes and the delay in the body of a response. Codes are ordered by how specific
// they are: reasons, then codes, then types, then statuses in words.
type Body struct {
	codes  [codeRanks][]string
	After  time.Duration
	IsPlan bool // a limit for a day or more is named

	mentionsPeriod bool // a message names a period of a day or more
}

// codeRanks is the number of ranks in codeMembers.
const codeRanks = 4

// codeMembers maps the folded names of members that hold a code to their ranks.
var codeMembers = map[string]int{
	"reason": 0, "declinecode": 0, "subcode": 0, "issue": 0,
	"code": 1, "errorcode": 1, "errcode": 1, "errorreason": 1, "tag": 1,
	"type": 2, "errortype": 2, "kind": 2, "name": 2, "errorname": 2,
	"status": 3, "error": 3, "title": 3,
}

// nestedMembers are the members that hold an error object or a list of them.
const nestedMembers = " error errors err detail details fault innererror response parameters data cause rootcause issues extensions metadata violations "

// readBody reads and closes the body of a response.
func readBody(resp *http.Response) (b Body) {
	if name := resp.Header.Get("X-Amzn-Errortype"); name != "" { // followed by a URI
		name, _, _ = strings.Cut(name, ":")
		b.readCode(0, name)
	}
	if resp.Body == nil {
		return b
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return b
	}
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("<")) {
		b.readXML(text)
		return b
	}
	b.ReadJSON(text)
	return b
}

// readXML reads the error code of storage services that reply in XML.
func (b *Body) readXML(text []byte) {
	if _, rest, ok := bytes.Cut(text, []byte("<Code>")); ok {
		if code, _, ok := bytes.Cut(rest, []byte("</Code>")); ok && looksLikeToken(string(code)) {
			b.readCode(1, string(code))
		}
	}
}

// ReadJSON adds the contents of a JSON text. Text that is not a JSON object or array is ignored.
func (b *Body) ReadJSON(text []byte) {
	var value any
	if json.Unmarshal(text, &value) == nil {
		b.read(value, MaxDepth)
	}
}

// read adds a JSON value: an error object, or a list of error objects.
func (b *Body) read(value any, depth int) {
	if depth == 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		b.ReadObject(value, depth)
	case []map[string]any:
		for _, item := range value[:min(len(value), MaxItems)] {
			b.read(item, depth-1)
		}
	case []any:
		for _, item := range value[:min(len(value), MaxItems)] {
			b.read(item, depth-1)
		}
	}
}

// ReadObject adds the members of an error object, and reads nested values to the given depth.
func (b *Body) ReadObject(members map[string]any, depth int) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		key, value := codes.FoldMember(name), members[name]
		rank, isCode := codeMembers[key]
		text, isText := value.(string)
		if isCode && isText {
			b.readCode(rank, text)
			b.read(members[text], depth-1) // a tagged union: the tag names the member that is set
		}
		switch {
		case isText && codes.IsPeriodMember(name):
			b.IsPlan = b.IsPlan || codes.IsPlanPeriod(text)
		case isText && key == "message":
			b.mentionsPeriod = b.mentionsPeriod || codes.IsPlanPeriod(text)
		case strings.Contains(nestedMembers, " "+key+" ") && !isText:
			b.read(value, depth-1)
		}
		if perSecond, ok := delayMembers[key]; ok {
			b.readDelay(value, perSecond)
		}
	}
}

// delayMembers maps the members that hold a delay to their units per second.
var delayMembers = map[string]float64{
	"retrydelay": 1, "retryafter": 1, "retryafterseconds": 1, "retryafterms": 1000, "retryaftermilliseconds": 1000,
}

// readCode adds a code word. In a URI, only the last path segment counts.
func (b *Body) readCode(rank int, code string) {
	if code != "" {
		b.codes[rank] = append(b.codes[rank], lastSegment(code))
	}
}

// readDelay adds a delay: a number, or a duration in the notation of Protocol Buffers.
func (b *Body) readDelay(value any, perSecond float64) {
	n, ok := value.(float64)
	if text, isText := value.(string); isText {
		var err error
		n, err = strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64)
		ok = err == nil
	}
	if ok {
		b.After = max(b.After, class.Seconds(n/perSecond))
	}
}

// Class returns the class of the first code that is not vague, or else of the first known code, and
// whether there is a code.
func (b *Body) Class() (c class.Class, shown bool) {
	var r codes.Reader
	for _, rank := range b.codes {
		if slices.ContainsFunc(rank, r.Read) {
			break
		}
	}
	return r.Class, r.HasWord
}

// looksLikeToken reports whether a text is one word, without white space or angle brackets.
func looksLikeToken(text string) bool {
	return text != "" && len(text) <= codes.MaxCode && !strings.ContainsAny(text, " \t\r\n<>")
}

// lastSegment returns what follows the last /, # or : in a URI or other code, without its query.
func lastSegment(uri string) string {
	uri, _, _ = strings.Cut(uri, "?")
	uri = strings.TrimRight(uri, "/#")
	return uri[strings.LastIndexAny(uri, "/#:")+1:]
}
