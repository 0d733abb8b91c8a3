package codes

import "strings"

// planRows tell a limit that no short wait lifts from one of a rate: a clause that has a
// word of both lists of a row says that a day's or a month's share, the money, or what a
// plan includes is used up.
var planRows = [...]struct{ what, said string }{
	{periods, " limit quota cap allowance usage exceeded exceed reached exhausted "},
	{money, " insufficient exceeded exceed reached exhausted depleted low out negative enough maximum "},
	{share, " plan billing subscription upgrade current your "},
}

const (
	// periods are the words of the times that are too long to wait for.
	periods = " daily day weekly week monthly month yearly year annual "
	money   = " credit balance fund "
	share   = " quota "
)

// planHead is how many bytes of a message are looked at. Chosen: services say it first.
const planHead = 512

// TellsOfPlan reports whether a message says that a plan is used up. Tokens with a slash
// are addresses, and say nothing.
func TellsOfPlan(text string) bool {
	var clause Stems
	for token := range strings.FieldsSeq(text[:min(len(text), planHead)]) {
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
	if !s.Has(periods + money + share) {
		return false
	}
	for _, row := range planRows {
		if s.Has(row.what) && s.Has(row.said) {
			return true
		}
	}
	return false
}

// IsPeriod reports whether the name of a policy or a quota says that it is one of a day
// or more.
func IsPeriod(name string) bool {
	var words Stems
	words.Split(name)
	return words.Has(periods)
}

// periodMembers name what a limit counts over, folded.
const periodMembers = " policyname policy period window interval timeframe quotaid quotalimit quotaname limittype limitname ratelimittype "

// IsPeriodMember reports whether a member or a field is there for what a limit counts
// over.
func IsPeriodMember(name string) bool {
	return strings.Contains(periodMembers, " "+FoldMember(name)+" ")
}

// FoldMember takes case and separators off the name of a member.
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
