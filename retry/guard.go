package retry

import "github.com/mcp-toolerr/toolerr-go/retry/internal/guard"

// A Guard stops a model that repeats a call although it cannot succeed, or may have taken effect;
// LAYERS.md has its rules. A stopped call is not sent: its outcome repeats an earlier answer, and a
// failure's hint says what to do instead. The [Decision] has [ReasonRepeatedCall], no attempts, and
// the earlier action, or [ActionPropagate] if the input was not fixed at the third stop. Set one as
// [Policy.Guard] for each conversation; one [Client] serves many.
//
// Calls are identical if their server, tool, arguments, InputResponses and RequestState are,
// whatever the order of members, the spelling of numbers and the key. The server is the [Client],
// or a [Session] that is comparable with ==. Identical calls run one after the other: a handler for
// input must not make the call that asked for it.
//
// A Guard remembers 1,000 failures and empty answers, of at most 8 KiB, for ten minutes, and 5,000
// calls that may have taken effect, of at most 12 KiB, for a day, with their servers. It is safe
// for concurrent use; do not copy it. The zero value is ready to use, nil stops nothing.
type Guard guard.Guard
