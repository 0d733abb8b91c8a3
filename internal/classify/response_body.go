package classify

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
)

const (
	// maxBody is how many bytes of a body are read. Chosen: error objects have some
	// hundred.
	maxBody = 64 << 10
	// maxDepth is how deep an error object is read. Chosen: that of Google has its
	// reasons at a depth of 4, and the quotas that are used up at one of 6.
	maxDepth = 7
)

// A responseBody is what the body of a response says of the failure. The codes stand
// by how much they say: reasons are more specific than codes, those than types, and
// those than a status in words.
type responseBody struct {
	codes    [codeRanks][]string
	messages []string
	after    time.Duration
	isPlan   bool // it names a limit of a day or more
}

// codeRanks is how many ranks codeMembers has.
const codeRanks = 4

// codeMembers are the members of error objects that hold a code, folded, by rank.
var codeMembers = map[string]int{
	"reason": 0, "declinecode": 0, "subcode": 0, "issue": 0,
	"code": 1, "errorcode": 1, "errcode": 1, "errorreason": 1, "tag": 1,
	"type": 2, "errortype": 2, "kind": 2, "name": 2, "errorname": 2,
	"status": 3, "error": 3, "title": 3,
}

// nestedMembers are the members that hold an error object, or a list of them.
const nestedMembers = " error errors err detail details fault innererror response parameters data cause rootcause issues extensions metadata violations "

// readBody reads and closes the body of a response.
func readBody(resp *http.Response) (b responseBody) {
	if name := resp.Header.Get("X-Amzn-Errortype"); name != "" { // with a URI behind it
		name, _, _ = strings.Cut(name, ":")
		b.codes[0] = append(b.codes[0], name)
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
	if len(text) > 0 && text[0] == '<' {
		b.readXML(text)
		return b
	}
	b.readJSON(text)
	return b
}

// readXML reads the code of an error of the storage services that speak XML.
func (b *responseBody) readXML(text []byte) {
	if _, rest, ok := bytes.Cut(text, []byte("<Code>")); ok {
		if code, _, ok := bytes.Cut(rest, []byte("</Code>")); ok && looksLikeToken(string(code)) {
			b.codes[1] = append(b.codes[1], string(code))
		}
	}
}

// readJSON takes in a JSON text.
func (b *responseBody) readJSON(text []byte) {
	var value any
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Unmarshal(text, &value) == nil {
		b.read(value, maxDepth)
	}
}

// read takes in a JSON value: an error object, or a list of them or of sentences.
func (b *responseBody) read(value any, depth int) {
	if depth == 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		b.readMembers(value, depth)
	case []map[string]any:
		for _, item := range value[:min(len(value), maxItems)] {
			b.readMembers(item, depth-1)
		}
	case []any:
		for _, item := range value[:min(len(value), maxItems)] {
			b.read(item, depth-1)
		}
	case string:
		b.readMessage(value)
	}
}

func (b *responseBody) readMembers(members map[string]any, depth int) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		key, value := foldMember(name), members[name]
		rank, isCode := codeMembers[key]
		text, isText := value.(string)
		if isCode && isText {
			b.readCode(rank, text)
			b.read(members[text], depth-1) // a tagged union: the tag names the member that it has
		}
		switch {
		case isText && isPeriodMember(name):
			b.isPlan = b.isPlan || isPeriod(text)
		case strings.Contains(messageMembers, " "+key+" "):
			b.read(value, depth-1)
		case strings.Contains(nestedMembers, " "+key+" ") && !isText:
			b.read(value, depth-1)
		}
		if perSecond, ok := delayMembers[key]; ok {
			b.readDelay(value, perSecond)
		}
	}
}

// messageMembers hold a sentence, or a list of them.
const messageMembers = " message messages msg detail errormessage errormessages errordescription errorsummary description title error errors "

// delayMembers hold a delay, in so many parts of a second.
var delayMembers = map[string]float64{
	"retrydelay": 1, "retryafter": 1, "retryafterseconds": 1, "retryafterms": 1000, "retryaftermilliseconds": 1000,
}

// readMessage takes in a sentence.
func (b *responseBody) readMessage(text string) {
	if len(b.messages) < maxItems && strings.Contains(text, " ") {
		b.messages = append(b.messages, text)
	}
}

// foldMember takes case and separators off the name of a member.
func foldMember(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == '_' || r == '-' || r == '.':
			return -1
		}
		return r
	}, name[:min(len(name), maxCode)])
}

// readCode takes in a code in words. A URI names a type by its last segment.
func (b *responseBody) readCode(rank int, code string) {
	if code != "" {
		b.codes[rank] = append(b.codes[rank], lastSegment(code))
	}
}

// readDelay takes in a delay: a number of units, or a duration as Protocol Buffers
// write it.
func (b *responseBody) readDelay(value any, perSecond float64) {
	n, ok := value.(float64)
	if text, isText := value.(string); isText {
		var err error
		n, err = strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64)
		ok = err == nil
	}
	if ok {
		b.after = max(b.after, Seconds(n/perSecond))
	}
}

// class returns what the codes say, the first that is clear, else the first, and
// whether there is any.
func (b *responseBody) class() (c class, shown bool) {
	var r codeReader
	for _, codes := range b.codes {
		if slices.ContainsFunc(codes, r.read) {
			break
		}
	}
	return r.class, r.shown
}

// refined returns what the sentences and the names of limits make of a class. They allow
// no retry.
func (b *responseBody) refined(c class, after time.Duration) class {
	switch {
	case c.isThrottle():
		if b.isPlan || after == 0 && slices.ContainsFunc(b.messages, tellsOfPlan) {
			return limit
		}
	case c == invalid, c == denied, c == unauthenticated:
		if slices.ContainsFunc(b.messages, tellsOfPlan) {
			return limit
		}
	}
	if c == invalid && len(b.messages) > 0 {
		said := forbiddingText(b.messages[0])
		switch classes[said].Category {
		case business:
			return said
		case permission: // a token may be one of a text that cannot be parsed
			var words stems
			words.split(b.messages[0])
			if words.has(credentials) {
				return said
			}
		case validation:
			return said
		}
	}
	return c
}

// credentials are words of messages about who asks.
const credentials = " access key credential session password login auth oauth authorization authentication permission account user "

// looksLikeToken reports whether a text is one word of letters, digits and marks.
func looksLikeToken(text string) bool {
	return text != "" && len(text) <= maxCode && !strings.ContainsAny(text, " \t\r\n<>")
}

// lastSegment returns the last part of a URI's path, or a code as it is.
func lastSegment(uri string) string {
	uri, _, _ = strings.Cut(uri, "?")
	uri = strings.TrimRight(uri, "/#")
	return uri[strings.LastIndexAny(uri, "/#:")+1:]
}
