package codes

// periods are the words for periods that are too long to wait for.
const periods = "daily day weekly week monthly month yearly year annual"

// IsPlanPeriod reports whether the name of a policy or a quota mentions a day or a longer period.
func IsPlanPeriod(name string) bool { return has(stems(name), periods) }
