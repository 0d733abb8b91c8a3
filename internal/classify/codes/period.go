package codes

import "strings"

// periods are the words for periods that are too long to wait for.
const periods = "daily day weekly week monthly month yearly year annual"

// IsPlanPeriod reports whether the name of a policy or a quota mentions a day or a longer period.
func IsPlanPeriod(name string) bool { return has(stems(name), periods) }

// periodMembers are the folded names of members that hold the period of a limit.
const periodMembers = "policyname policy period window interval timeframe quotaid quotalimit quotaname limittype limitname ratelimittype"

// IsPeriodMember reports whether a member or a field of this name holds the period of a limit.
func IsPeriodMember(name string) bool {
	return has([]string{FoldMember(name)}, periodMembers)
}

// FoldMember returns the name of a member in lower case and without separators.
func FoldMember(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name[:min(len(name), MaxCode)]))
}

// IsBatch reports whether the name of a type or a member is about several writes.
func IsBatch(name string) bool { return has(stems(name), "bulk batch partial") }

// IsAttempt reports whether the name of a member is about attempts of the same.
func IsAttempt(name string) bool { return has(stems(name), "attempt try retry history") }
