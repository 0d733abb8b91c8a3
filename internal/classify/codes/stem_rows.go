package codes

import (
	"maps"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// stemWords maps the known codes, with their words joined and in the singular, to their
// classes.
var stemWords = sync.OnceValue(func() map[string]class.Class {
	m := maps.Clone(words())
	for code, c := range words() {
		m[singular(code)] = c
	}
	for _, row := range runWords {
		for code := range strings.FieldsSeq(row.texts) {
			m[singular(code)], m[code] = row.class, row.class
		}
	}
	return m
})

// runWords are sequences of two or more words that have the same meaning in any code.
var runWords = []phraseRow{
	{class.NotFound, "notexist notbefound couldnotfind"},
	{class.Denied, "notauthorized notauthorised noaccess notentitled"},
	{class.Unauthenticated, `notauthenticated notauthed notloggedin notsignedin invaliduserkey invalidapikey invalidaccesskey invalidappkey
		invalidsecretkey invalidapitoken invalidusersignature invalidappid`},
	{class.Limit, "overquota overlimit overdailylimit dailyqueryoverlimit overdailyquota"},
	{class.Precondition, "notheld notenabled notactive"},
	{class.OutOfRange, "toolong toobig toolarge tooshort toosmall toohigh toolow"},
	{class.Throttled, "ratelimitreached qpsexceeded qpslimit overqps cuqphasexceededthelimit"},
}

// A stemRow is the class of codes that contain one of its words and, if beside is not
// empty, one of those too.
type stemRow struct {
	class        class.Class
	word, beside string
}

// stemRows are tried in order after the known codes.
var stemRows = []stemRow{
	{class.InsufficientScope, "insufficient missing required invalid", "scope"},
	{class.Unauthenticated, "denied failed failure required rejected", "auth authentication login credential signin mfa otp jwt"},
	{class.Unauthenticated, "expired revoked", "token credential session key password jwt auth login signature"},
	{class.Unauthenticated, "unauthorized unauthenticated unauthorised", ""},
	{class.Unauthenticated, "bad invalid wrong incorrect", "password credential"},
	{class.Denied, "insufficient", "permission privilege right access role"},
	{class.Denied, "denied forbidden", ""},
	{class.Limit, "insufficient", "fund balance credit quota"},
	{class.Limit, "exceeded exceed reached exhausted", "quota credit balance plan budget usage daily monthly"},
	{class.Limit, "required", "payment upgrade subscription plan billing premium"},
	{class.OutOfRange, "exceeded exceed", "size length depth width height limit maximum"},
	{class.Exists, "already duplicate", "exist existing registered taken created"},
	{class.Ambiguous, "multiple", "match matche resource result candidate choice"},
	{class.Precondition, "incorrect wrong illegal", "state status"},
	{class.Precondition, "already declined locked disabled suspended archived frozen expired", ""},
	{class.NotFound, "unknown nonexistent", "user account resource object entity table column key id name topic tool action command model index " +
		"record document item order customer repository project branch tag manifest blob bucket queue stream consumer collection"},
	{class.Missing, "missing required", ""},
	{class.Invalid, "bad invalid illegal malformed unsupported unknown", "request data param parameter argument input value format query " +
		"option field flag filter operator operation method"},
}

// byStems classifies a code by its words: by a known code among them, then by the rows.
func byStems(words []string) class.Class {
	if len(words) < 2 {
		return class.Unknown
	}
	if c := knownRun(words); c != class.Unknown {
		return c
	}
	for _, row := range stemRows {
		if has(words, row.word) && (row.beside == "" || has(words, row.beside)) {
			return row.class
		}
	}
	return class.Unknown
}

// knownRun classifies by the longest sequence of two or more words that is a known code. A
// code that allows a retry does so only if it is the whole code. A rate limit is the
// exception, unless it is the plan's, which no short wait lifts.
func knownRun(words []string) class.Class {
	for n := min(len(words), maxRun); n > 1; n-- {
		for i := range len(words) - n + 1 {
			c := stemWords()[strings.Join(words[i:i+n], "")]
			if c.IsVague() || c.Retryable() && c != class.Throttled {
				continue
			}
			if c == class.Throttled && has(words, plans) {
				return class.Limit
			}
			return c
		}
	}
	return class.Unknown
}

// maxRun is the maximum number of words of a known code.
const maxRun = 5

const plans = "daily day monthly month weekly yearly plan subscription billing credit balance trial quota"

// byTypeName classifies by the words of a type's name. Problems with files, configuration,
// replies and parsing are the tool's own. A missing item is the caller's only if it is a
// part of a call. Something expired may have expired during the call.
func byTypeName(name string) class.Class {
	words := stems(name)
	if has(words, ownTrouble) {
		return class.Unknown
	}
	c := byStems(words)
	if c == class.Missing && !has(words, callParts) || c == class.Precondition && has(words, "expired") {
		return class.Unknown
	}
	return c
}

const callParts = " argument arg parameter param input field value option flag property attribute key name id body member column "

const ownTrouble = " config configuration env environment file path host dns certificate binary executable program response reply " +
	"state unmarshal marshal decode encode parse syntax digest checksum "
