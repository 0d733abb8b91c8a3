package retry

import (
	"cmp"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// repeated is what a stopped call comes back with.
func repeated(tool string, known *guarded) *toolerr.Error {
	e := known.err
	if e == nil {
		e = toolerr.Validation(fmt.Sprintf("This exact call of %s found nothing %d times. It was not sent again.", tool, known.times)).
			WithCode("repeated_call")
		instead := "Search for something else, or take it that there is nothing and go on."
		return e.WithEffect(toolerr.EffectNone).WithHint(firmer(tool, instead, known.stopped))
	}
	instead := map[toolerr.Category]string{
		toolerr.CategoryValidation: "Call again with other arguments: " + cmp.Or(e.Hint, "correct what the message says."),
		toolerr.CategoryBusiness:   "Do what the first answer said: " + cmp.Or(e.Hint, "explain it to the user, or hand over to a person."),
		toolerr.CategoryPermission: "Access does not come by asking again. Tell the user what is missing.",
	}[e.Category]
	if known.unsettled {
		instead = "Find out first whether it took effect, with another tool or by asking the user."
	}
	instead = cmp.Or(instead, "Go on without it, or tell the user that it does not work.")
	return e.WithMessage("This exact call has failed before, and was not sent again. The first answer was: " + e.Message).
		WithHint(firmer(tool, instead, known.stopped))
}

// firmer is the hint at the nth stop.
func firmer(tool, instead string, n int) string {
	switch n {
	case 1:
		return instead
	case 2:
		return "You have been told already. Do not make this call again. " + instead
	}
	return fmt.Sprintf("Stop. This call of %s will not be sent, however often you make it. Tell the user now what you could not do, and why.", tool)
}
