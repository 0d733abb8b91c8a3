package codes

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// stemWords maps the known codes, with their words joined and in the singular, to their
// classes.
var stemWords = sync.OnceValue(func() map[string]class.Class {
	m := map[string]class.Class{}
	for _, rows := range [][]phraseRow{codeWords, runWords} {
		for _, row := range rows {
			for code := range strings.FieldsSeq(row.texts) {
				m[string(singular([]byte(code)))], m[code] = row.class, row.class
			}
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

// stemBits holds the rows that contain a word, one bit each.
type stemBits struct{ word, beside uint32 }

var stemIndex = sync.OnceValue(func() map[string]stemBits {
	m := map[string]stemBits{}
	for i, row := range stemRows {
		for word := range strings.FieldsSeq(row.word) {
			bits := m[word]
			bits.word |= 1 << i
			m[word] = bits
		}
		for word := range strings.FieldsSeq(row.beside) {
			bits := m[word]
			bits.beside |= 1 << i
			m[word] = bits
		}
	}
	return m
})

// class classifies by a known code among the words, then by the rows.
func (s *Stems) class() class.Class {
	if s.n < 2 {
		return class.Unknown
	}
	if c := s.known(); c != class.Unknown {
		return c
	}
	var found stemBits
	for i := range s.n {
		bits := stemIndex()[string(s.run(i, i+1))]
		found.word |= bits.word
		found.beside |= bits.beside
	}
	for i, row := range stemRows {
		if bit := uint32(1) << i; found.word&bit != 0 && (row.beside == "" || found.beside&bit != 0) {
			return row.class
		}
	}
	return class.Unknown
}

// known classifies by the longest sequence of two or more words that is a known code. A
// code that allows a retry does so only if it is the whole code. A rate limit is the
// exception, unless it is the plan's, which no short wait lifts.
func (s *Stems) known() class.Class {
	for n := min(s.n, maxRun); n > 1; n-- {
		for i := range s.n - n + 1 {
			c := stemWords()[string(s.run(i, i+n))]
			if c.IsVague() || c.Retryable() && c != class.Throttled {
				continue
			}
			if c == class.Throttled && s.Has(plans) {
				return class.Limit
			}
			return c
		}
	}
	return class.Unknown
}

// maxRun is the maximum number of words of a known code.
const maxRun = 5

const plans = " daily day monthly month weekly yearly plan subscription billing credit balance trial quota "

// byStems classifies a code by its words.
func byStems(code string) class.Class {
	var s Stems
	s.Split(code)
	return s.class()
}

// byTypeName classifies by the words of a type's name. Problems with files, configuration,
// replies and parsing are the tool's own. A missing item is the caller's only if it is a
// part of a call. Something expired may have expired during the call.
func byTypeName(name string) class.Class {
	var s Stems
	s.Split(name)
	if s.Has(ownTrouble) {
		return class.Unknown
	}
	c := s.class()
	if c == class.Missing && !s.Has(callParts) || c == class.Precondition && s.Has(" expired ") {
		return class.Unknown
	}
	return c
}

const callParts = " argument arg parameter param input field value option flag property attribute key name id body member column "

const ownTrouble = " config configuration env environment file path host dns certificate binary executable program response reply " +
	"state unmarshal marshal decode encode parse syntax digest checksum "
