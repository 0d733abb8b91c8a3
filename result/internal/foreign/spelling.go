package foreign

import (
	"slices"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// otherSpellings are the members of a report that an envelope spells otherwise, quoted.
var otherSpellings = sync.OnceValue(func() (quoted []string) {
	for _, spellings := range [][]string{
		names.retryable, names.hint, names.customerMessage, names.correlationID, names.idempotencyKey, names.options,
		slices.Concat(names.milliseconds, names.seconds, names.notBefore), names.message[:3], names.code[:3],
	} {
		for _, name := range spellings[1:] {
			quoted = append(quoted, `"`+name+`"`)
		}
	}
	return quoted
})

// hasOtherSpelling is a cheap look for members that an envelope spells otherwise.
func hasOtherSpelling(text string) bool {
	return slices.ContainsFunc(otherSpellings(), func(name string) bool { return strings.Contains(text, name) })
}

// fillIn fills what an envelope lacks from the other spellings of the object that it was
// read from. An explicit flag of its own counts.
func fillIn(e *toolerr.Error, m map[string]any) {
	own, all := layersOf(m)
	if claimed, claims := claimIn(own, all); claims && m["isRetryable"] == nil && e.Partial == nil {
		e.Retryable = claimed
		if claimed && m["effect"] == nil {
			e.Effect = "" // it states that a repeat is safe; the effect is not guessed
		}
	}
	if d, ok := delayIn(all); ok && m["retryAfterMs"] == nil {
		e.RetryAfter = d
	}
	fill := func(member *string, value string) {
		if *member == "" {
			*member = value
		}
	}
	fill(&e.Message, own.prose(names.message))
	fill(&e.Hint, own.prose(names.hint))
	fill(&e.CustomerMessage, own.prose(names.customerMessage))
	fill(&e.CorrelationID, own.identifier(names.correlationID))
	fill(&e.IdempotencyKey, own.identifier(names.idempotencyKey))
	if codes := codesIn(m, own); e.Code == "" && len(codes) > 0 {
		e.Code = toolerr.Code(codes[0])
	}
	if len(e.Options) == 0 {
		e.Options = optionsIn(own)
	}
}
