package replay_test

import "regexp"

// A step is the action that a hint asks for.
type step string

const (
	stepFix      step = "fix the input"
	stepState    step = "look at the state"
	stepEscalate step = "escalate"
	stepAccess   step = "get access"
	stepWait     step = "wait and repeat"
	stepTell     step = "tell that it failed"
	stepVerify   step = "verify the effect"
	// stepWords refers to the message, only forbids an unchanged repeat, or reports a
	// refusal. It never misdirects.
	stepWords step = "read the words"
	stepNone  step = "unknown to this test"
)

// hintSteps maps words of a hint to its step; the first match counts.
var hintSteps = []struct {
	pattern *regexp.Regexp
	step    step
}{
	{regexp.MustCompile(`(?i)check (?:with \S+ )?whether the (?:first )?call took effect|takes effect only once|` +
		`do not repeat it; tell the user what was done`), stepVerify},
	{regexp.MustCompile(`(?i)\bmessage\b.*\b(says|asks|tells)|(read|follow|go by) (the|its) (message|words)|` +
		`what the message`), stepWords},
	{regexp.MustCompile(`(?i)^wait\b|retry the same call`), stepWait},
	{regexp.MustCompile(`^Do not repeat the call unchanged\. Check what it names`), stepFix},
	{regexp.MustCompile(`(?i)credentials must be renewed|scope must be granted`), stepAccess},
	{regexp.MustCompile(`(?i)read the current state|bring about`), stepState},
	{regexp.MustCompile(`(?i)hand over to a person|explain it`), stepEscalate},
	{regexp.MustCompile(`(?i)tool failed|service is unavailable|no answer came|a limit is reached|that it failed|` +
		`canceled on purpose`), stepTell},
	{regexp.MustCompile(`(?i)correct the|add the missing|check the name|ask the user which|call again with|choose one|` +
		`use the one that exists|leave .* out|call again:`), stepFix},
	{regexp.MustCompile(`(?i)do not repeat the call unchanged|tell the user that it was refused`), stepWords},
}

// stepOf returns the step that a hint asks for. No hint does not misdirect.
func stepOf(hint string) step {
	if hint == "" {
		return stepWords
	}
	for _, h := range hintSteps {
		if h.pattern.MatchString(hint) {
			return h.step
		}
	}
	return stepNone
}
