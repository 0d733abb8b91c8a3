package codes

import (
	"slices"
	"strings"
	"sync"
)

// planRows distinguish a plan's limit, which no short wait lifts, from a rate limit: a
// clause with a word of both lists of a row reports that a daily or monthly quota, the
// balance or the plan is used up.
var planRows = [...]struct{ what, said string }{
	{periods, " limit quota cap allowance usage exceeded exceed reached exhausted "},
	{money, " insufficient exceeded exceed reached exhausted depleted low out negative enough maximum "},
	{share, " plan billing subscription upgrade current your "},
}

const (
	// periods are the words for periods that are too long to wait for.
	periods = " daily day weekly week monthly month yearly year annual "
	money   = " credit balance fund "
	share   = " quota "
)

// planHead is the number of bytes of a message that are read. Chosen: services put the
// reason first.
const planHead = 512

// MentionsPlan reports whether a message states that a plan is used up. Tokens with a slash
// are addresses and are ignored.
func MentionsPlan(text string) bool {
	text = text[:min(len(text), planHead)]
	if !mayMentionPlan(text) {
		return false
	}
	var clause Stems
	for token := range strings.FieldsSeq(text) {
		if !strings.Contains(token, "/") {
			clause.Split(token)
		}
		if end := token[len(token)-1]; strings.IndexByte(".;!?", end) >= 0 || clause.n == maxStems {
			if clause.tellsOfPlan() {
				return true
			}
			clause.n = 0
		}
	}
	return clause.tellsOfPlan()
}

func (s *Stems) tellsOfPlan() bool {
	for _, row := range planRows {
		if s.Has(row.what) && s.Has(row.said) {
			return true
		}
	}
	return false
}

// planBeginnings holds the first three letters of the words of which each row of planRows
// needs one.
var planBeginnings = sync.OnceValue(func() *beginnings {
	t := new(beginnings)
	for _, row := range planRows {
		for word := range strings.FieldsSeq(row.what) {
			t.first[word[0]] = true
			t.all = append(t.all, beginning(word))
		}
	}
	return t
})

// beginnings are the first letters of words.
type beginnings struct {
	first [256]bool
	all   []uint32
}

// beginning returns the first three letters of a word, folded to lower case.
func beginning(word string) uint32 {
	return uint32(word[0]|0x20)<<16 | uint32(word[1]|0x20)<<8 | uint32(word[2]|0x20)
}

// mayMentionPlan reports whether a word of a plan may be in a text. Most texts have none.
func mayMentionPlan(text string) bool {
	t := planBeginnings()
	for i := 0; i+3 <= len(text); i++ {
		if t.first[text[i]|0x20] && slices.Contains(t.all, beginning(text[i:])) {
			return true
		}
	}
	return false
}

// IsPlanPeriod reports whether the name of a policy or a quota names a period of a day or
// more.
func IsPlanPeriod(name string) bool {
	var words Stems
	words.Split(name)
	return words.Has(periods)
}

// periodMembers are the folded names of members that hold the period of a limit.
const periodMembers = " policyname policy period window interval timeframe quotaid quotalimit quotaname limittype limitname ratelimittype "

// IsPeriodMember reports whether a member or a field holds the period of a limit, by its
// name.
func IsPeriodMember(name string) bool {
	return strings.Contains(periodMembers, " "+FoldMember(name)+" ")
}

// FoldMember returns the name of a member in lower case and without separators.
func FoldMember(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == '_' || r == '-' || r == '.':
			return -1
		}
		return r
	}, name[:min(len(name), MaxCode)])
}
