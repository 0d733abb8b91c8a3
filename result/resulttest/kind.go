package resulttest

// A Kind says what is wrong with an answer of a server.
type Kind string

// The kinds of findings, in the order in which they are looked for.
const (
	// KindServerDied is a session that ended in mid-call.
	KindServerDied Kind = "server_died"
	// KindNoAnswer is a call that was not answered within [Options.Timeout].
	KindNoAnswer Kind = "no_answer"
	// KindProtocolError is an error of JSON-RPC in place of a result.
	KindProtocolError Kind = "protocol_error"
	// KindUnreadable is an answer that is no tool result.
	KindUnreadable Kind = "unreadable"
	// KindEmptyAsFailure is "nothing found", marked as a failure.
	KindEmptyAsFailure Kind = "empty_as_failure"
	// KindFailureAsSuccess is a failure that is not marked as one.
	KindFailureAsSuccess Kind = "failure_as_success"
	// KindNullList is null in place of an empty list.
	KindNullList Kind = "null_list"
	// KindBareText is a failure in words alone.
	KindBareText Kind = "bare_text"
	// KindNoCategory is a failure without one of the four categories.
	KindNoCategory Kind = "no_category"
	// KindNoRetryability is a failure that does not say whether to repeat the call.
	KindNoRetryability Kind = "no_retryability"
	// KindNoMessage is a failure without a message.
	KindNoMessage Kind = "no_message"
	// KindNoHint is a failure that does not say what to do next.
	KindNoHint Kind = "no_hint"
	// KindMasked is a failure of input that is wrong on purpose, answered as an internal one:
	// the code is internal, and the model learns nothing of what was wrong. An identifier that
	// does not exist, and a format that is a mere note, count only if the tool works otherwise.
	KindMasked Kind = "masked"
	// KindBadHint is advice that cannot be followed: it names a tool or an argument that is
	// not there, suggests what is refused likewise, gives a key that no argument takes, or
	// says that arguments which the schema forbids are worth sending again.
	KindBadHint Kind = "bad_hint"
	// KindFalseEffect is a failure which says that nothing was done, or that the same call
	// may be sent again, and a tool that only reads shows that something was; or a tool
	// annotated as idempotent whose repeat does more.
	KindFalseEffect Kind = "false_effect"
	// KindKeyIgnored is a repeat with the same idempotency key that was carried out again.
	KindKeyIgnored Kind = "key_ignored"
	// KindFalseWait is a wait that is not true: after it the call is refused as before, or
	// the failure says that the call is not worth repeating.
	KindFalseWait Kind = "false_wait"
	// KindDiffers is an answer that depends on how the client is connected: see
	// [Options.Other].
	KindDiffers Kind = "differs"
	// KindOtherShape is a failure whose members are named otherwise than those of the
	// server's other tools.
	KindOtherShape Kind = "other_shape"
	// KindLeak is a failure that shows what belongs in the log.
	KindLeak Kind = "leak"
	// KindAccepted is a success for arguments that the input schema forbids.
	KindAccepted Kind = "accepted"
	// KindUnexpected is an answer other than the one that a [Case] wants.
	KindUnexpected Kind = "unexpected"
	// KindNoAnnotations is a tool that does not say whether a repeat of its calls is
	// safe: its readOnlyHint and idempotentHint are not true, destructiveHint is absent,
	// and no argument takes an idempotency key.
	KindNoAnnotations Kind = "no_annotations"
	// KindEndlessList is a list of tools that does not end.
	KindEndlessList Kind = "endless_list"
)

// explanations say of each kind of finding why it matters to an agent, and how its
// author fixes it, in one sentence each. It is a list, since a map would be built at
// the start of every program.
var explanations = []struct {
	kind     Kind
	why, fix string
}{
	{
		KindServerDied,
		"One bad call takes the session, and every other call on it, away from all of the agent's tools.",
		"Recover from panics and uncaught exceptions around every handler, and answer with a result whose isError is true.",
	},
	{
		KindNoAnswer,
		"The agent waits until its own limit, and cannot know whether the call was carried out.",
		"Put a time limit on the handler and on every upstream call in it, below that of the clients, and answer with a transient failure when it is over.",
	},
	{
		KindProtocolError,
		"Many hosts show a protocol error to nobody or end the turn on it, so that the model cannot correct its call.",
		"Return a result with isError true for everything that goes wrong in a tool, argument errors included, and keep protocol errors for calls that no tool can take.",
	},
	{
		KindUnreadable,
		"Clients reject the answer as a whole, and the model sees neither data nor failure.",
		"Answer with a content list, if only an empty one, whose blocks have a type that the protocol knows.",
	},
	{
		KindEmptyAsFailure,
		"The agent retries or reports an outage although the definite answer is that there is nothing.",
		"Leave isError unset, and say in the text what was looked for and that nothing was found.",
	},
	{
		KindFailureAsSuccess,
		"The agent takes the words of the failure for data and goes on with them.",
		"Set isError to true, and put the failure's envelope in the first text block.",
	},
	{
		KindNullList,
		"Code that iterates over the list breaks on null, and a model reads it as an unknown value.",
		"Start with an empty list rather than none, so that it is encoded as [].",
	},
	{
		KindBareText,
		"Nothing but the wording tells a timeout from a wrong argument, so that the agent has to guess whether to retry.",
		"Put a JSON object in the first text block, with errorCategory, isRetryable, message and hint.",
	},
	{
		KindNoCategory,
		"Without a category the agent cannot choose between waiting, correcting its arguments, asking a person and asking for access.",
		"Set errorCategory to transient, validation, business or permission, and never to a word for unknown.",
	},
	{
		KindNoRetryability,
		"The agent repeats what cannot succeed, or gives up on what would have succeeded a second later.",
		"Set isRetryable to true if the identical call may succeed if it is repeated and cannot do the work twice, else to false.",
	},
	{
		KindNoMessage,
		"Neither the model nor the log can say what went wrong.",
		"Set message to one specific sentence.",
	},
	{
		KindNoHint,
		"The model knows that it failed and not what to do next, and tries something at random.",
		"Set hint to the next step in the imperative, such as which argument to change and to what.",
	},
	{
		KindMasked,
		"The model takes its own mistake for a broken tool, gives up or repeats it, and the operators look for a fault that is none.",
		"Return a validation failure that says which argument was wrong and what to send, or reveal the words in which the service has refused it.",
	},
	{
		KindBadHint,
		"The agent does as it is told, fails again, and has spent a turn or the rest of its attempts.",
		"Take names of tools and arguments from the server's own list, suggest only what the same tool takes, and set isRetryable to false for arguments that will never fit.",
	},
	{
		KindFalseEffect,
		"The agent believes that nothing has happened and sends the call again, so that the work is done twice.",
		"State the effect none only before the first change, else unknown or applied, and idempotentHint only for a tool whose repeat adds nothing.",
	},
	{
		KindKeyIgnored,
		"The agent sends a call again after a lost answer because its key makes that safe, and the work is done twice.",
		"Keep the answer under the key, and give it to every further call with that key in place of doing the work.",
	},
	{
		KindFalseWait,
		"The agent waits as it is asked, fails all the same, and spends its attempts on a limit that was never going to end then.",
		"Take the wait from when the limit really ends, in the unit that the member names, and leave it out of failures that are not worth repeating.",
	},
	{
		KindDiffers,
		"What works for one host of the server fails for another, and nobody who tests it over the first will see that.",
		"Build the server in one function, and put every middleware, limit and check inside of it and none into one of the transports.",
	},
	{
		KindOtherShape,
		"An agent that has learned to read one tool's failures misreads those of this one.",
		"Make every failure of the server in one place, so that all tools name the same member alike.",
	},
	{
		KindLeak,
		"The model may repeat it to the user and keeps it in its context, where anybody who can prompt it can ask for it.",
		"Write the error to the log under a correlation id, and answer with a sentence of your own and that id.",
	},
	{
		KindAccepted,
		"The agent is told of success for a call that cannot have done what it meant.",
		"Validate the arguments against the input schema before the handler runs, or let the schema allow what the tool takes.",
	},
	{
		KindUnexpected,
		"The tool does not do what its own author expects of it.",
		"Correct the tool, or the case if that is what is wrong.",
	},
	{
		KindNoAnnotations,
		"Nobody can tell whether a repeat is safe, so that a host either gives up after a timeout or does the work twice.",
		"State readOnlyHint or idempotentHint if that is so, else destructiveHint, and let a tool that must not do its work twice take an idempotency_key.",
	},
	{
		KindEndlessList,
		"Clients that read the whole list hang or run out of memory before the first call.",
		"Leave nextCursor out on the last page, and never send the same cursor twice.",
	},
}

// explain returns the sentences of a kind.
func explain(kind Kind) (why, fix string) {
	for _, e := range explanations {
		if e.kind == kind {
			return e.why, e.fix
		}
	}
	return "", ""
}
