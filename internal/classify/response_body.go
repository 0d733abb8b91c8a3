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
	// reasons at a depth of 4.
	maxDepth = 5
)

// A responseBody is what the body of a response says of the failure. The codes stand
// by how much they say: reasons are more specific than codes, those than types, and
// those than a status in words.
type responseBody struct {
	codes   [codeRanks][]string
	message string
	after   time.Duration
}

// codeRanks is how many ranks codeMembers has.
const codeRanks = 4

// codeMembers are the members of error objects that hold a code, folded, by rank.
var codeMembers = map[string]int{
	"reason": 0, "declinecode": 0, "subcode": 0, "issue": 0,
	"code": 1, "errorcode": 1, "errcode": 1, "errorreason": 1,
	"type": 2, "errortype": 2, "kind": 2, "name": 2, "errorname": 2,
	"status": 3, "error": 3, "title": 3,
}

// nestedMembers are the members that hold an error object, or a list of them.
const nestedMembers = " error errors err detail details fault innererror response parameters data cause rootcause issues "

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
	b.read(text, maxDepth)
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

// read takes in a JSON value: an error object, or a list of them.
func (b *responseBody) read(value json.RawMessage, depth int) {
	if depth == 0 || len(value) == 0 {
		return
	}
	switch value[0] {
	case '{':
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) == nil {
			b.readMembers(members, depth)
		}
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(value, &items) == nil {
			for _, item := range items[:min(len(items), maxItems)] {
				b.read(item, depth-1)
			}
		}
	}
}

func (b *responseBody) readMembers(members map[string]json.RawMessage, depth int) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		key, value := foldMember(name), members[name]
		if rank, ok := codeMembers[key]; ok {
			b.readCode(rank, value)
		}
		switch key {
		case "retrydelay", "retryafter", "retryafterseconds":
			b.readDelay(value, 1)
		case "retryafterms", "retryaftermilliseconds":
			b.readDelay(value, 1000)
		case "message", "msg", "errormessage":
			if json.Unmarshal(value, &b.message) != nil {
				b.message = ""
			}
		}
		if strings.Contains(nestedMembers, " "+key+" ") {
			b.read(value, depth-1)
		}
	}
}

// foldMember takes case and separators off the name of a member.
func foldMember(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == '_' || r == '-':
			return -1
		}
		return r
	}, name[:min(len(name), maxCode)])
}

// readCode takes in a code in words. A URI names a type by its last segment.
func (b *responseBody) readCode(rank int, value json.RawMessage) {
	var code string
	if json.Unmarshal(value, &code) == nil && code != "" {
		b.codes[rank] = append(b.codes[rank], lastSegment(code))
	}
}

// readDelay takes in a delay: a number of units, or a duration as Protocol Buffers
// write it.
func (b *responseBody) readDelay(value json.RawMessage, perSecond float64) {
	text := strings.Trim(string(value), `"`)
	if n, err := strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64); err == nil {
		b.after = max(b.after, Seconds(n/perSecond))
	}
}

// class returns what the codes say, the first that is clear, else the first, and
// whether there is any.
func (b *responseBody) class(h http.Header) (c class, shown bool) {
	var r codeReader
	isClear := slices.ContainsFunc(b.codes[:], func(codes []string) bool { return slices.ContainsFunc(codes, r.read) })
	if (!isClear || r.class == throttled) && b.after == 0 && h.Get("Retry-After") == "" && tellsOfPlan(b.message) {
		return limit, r.shown || isClear
	}
	return r.class, r.shown || isClear
}

// tellsOfPlan reports whether a message names an exhausted plan where the code says less.
// That counts only if no delay stands beside it: some services speak so of a limit for a
// minute. That a limit of requests is exceeded says no more than the code.
func tellsOfPlan(message string) bool {
	const most = 512 // bytes; chosen: a message's first sentences
	r, _ := readers.Get().(*reader)
	defer readers.Put(r)
	r.read(message[:min(len(message), most)])
	if r.reading().Code != classes[limit].Code {
		return false
	}
	return slices.ContainsFunc(r.hits, func(h hit) bool {
		words := string(r.norm[r.tokens[h.first].start:r.tokens[h.last].end])
		return h.row.class == limit && (!strings.Contains(words, "limit") || slices.ContainsFunc(ofPlans, func(word string) bool { return strings.Contains(words, word) }))
	})
}

// ofPlans are words of limits that are no limits of a rate.
var ofPlans = []string{"daily", "weekly", "monthly", "annual", "year", "usage", "spend", "credit", "plan", "budget"}

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
