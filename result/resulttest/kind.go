package resulttest

// A Kind names what is wrong with an answer or a tool.
type Kind string

// The kinds of findings, in the order of the checks.
const (
	// KindServerDied is a session that ended during a call.
	KindServerDied Kind = "server_died"
	// KindNoAnswer is a call that was not answered within [Options.Timeout].
	KindNoAnswer Kind = "no_answer"
	// KindProtocolError is a JSON-RPC error instead of a result.
	KindProtocolError Kind = "protocol_error"
	// KindUnreadable is an answer that is not a tool result.
	KindUnreadable Kind = "unreadable"
	// KindEmptyAsFailure is "nothing found" marked as a failure.
	KindEmptyAsFailure Kind = "empty_as_failure"
	// KindFailureAsSuccess is a failure without isError.
	KindFailureAsSuccess Kind = "failure_as_success"
	// KindNullList is null instead of an empty list.
	KindNullList Kind = "null_list"
	// KindBareText is a failure that is plain text, not a JSON object.
	KindBareText Kind = "bare_text"
	// KindNoCategory is a failure without one of the four categories.
	KindNoCategory Kind = "no_category"
	// KindNoRetryability is a failure without a boolean isRetryable.
	KindNoRetryability Kind = "no_retryability"
	// KindNoMessage is a failure without a message.
	KindNoMessage Kind = "no_message"
	// KindNoHint is a failure without a hint.
	KindNoHint Kind = "no_hint"
	// KindMasked is invalid input that is answered with the code internal, so that the
	// model cannot see its mistake. An identifier that does not exist, or a value outside
	// its format, is reported only if the tool accepts valid input.
	KindMasked Kind = "masked"
	// KindBadHint is advice that cannot be followed: it names a tool or an argument that
	// does not exist, suggests a value that is rejected too, returns a key that no
	// argument accepts, or marks arguments that the schema forbids as retryable.
	KindBadHint Kind = "bad_hint"
	// KindFalseEffect is a failure with the effect none or isRetryable true, although a
	// read-only tool shows that the call changed something; or a tool annotated as
	// idempotent whose repeat changes something.
	KindFalseEffect Kind = "false_effect"
	// KindKeyIgnored is a repeat with the same idempotency key that was executed again.
	KindKeyIgnored Kind = "key_ignored"
	// KindFalseWait is a wrong retryAfterMs: the call is still rejected after the wait, or
	// the failure is not retryable.
	KindFalseWait Kind = "false_wait"
	// KindDiffers is an answer that depends on the transport; see [Options.Other].
	KindDiffers Kind = "differs"
	// KindOtherShape is a failure whose members have other names than in the server's
	// other failures.
	KindOtherShape Kind = "other_shape"
	// KindLeak is a failure that shows internal information, such as a file path or a secret.
	KindLeak Kind = "leak"
	// KindAccepted is a success for arguments that the input schema forbids.
	KindAccepted Kind = "accepted"
	// KindUnexpected is an answer that a [Case] does not expect.
	KindUnexpected Kind = "unexpected"
	// KindNoAnnotations is a tool that does not state whether its calls can be repeated
	// safely: readOnlyHint and idempotentHint are not true, destructiveHint is absent,
	// and no argument is an idempotency key.
	KindNoAnnotations Kind = "no_annotations"
	// KindEndlessList is a tool list without an end.
	KindEndlessList Kind = "endless_list"
)

// explanations state why each kind of finding matters to an agent and how to fix it,
// in one sentence each. It is a list because a map would be built at the start of every
// program.
var explanations = []struct {
	kind     Kind
	why, fix string
}{
	{
		KindServerDied,
		"A single bad call ends the session, and the agent loses all of its tools.",
		"Recover from panics and uncaught exceptions in every handler, and return a result with isError true.",
	},
	{
		KindNoAnswer,
		"The agent waits until its own timeout, and cannot tell whether the call was executed.",
		"Set a timeout for the handler and its upstream calls that is shorter than the client's, and return a transient failure when it expires.",
	},
	{
		KindProtocolError,
		"Many hosts hide protocol errors from the model or end the turn, so the model cannot correct its call.",
		"Return a result with isError true for every failure of a tool, including invalid arguments, and use protocol errors only if the tool cannot be called at all.",
	},
	{
		KindUnreadable,
		"Clients reject the whole answer, and the model sees neither data nor an error.",
		"Return a content list, even if it is empty, with block types that the protocol defines.",
	},
	{
		KindEmptyAsFailure,
		"The agent retries or reports an outage, although the correct answer is that nothing was found.",
		"Leave isError unset, and state in the text what was searched for and that nothing was found.",
	},
	{
		KindFailureAsSuccess,
		"The agent treats the error text as data.",
		"Set isError to true, and put the error envelope in the first text block.",
	},
	{
		KindNullList,
		"Code that iterates over the list fails on null, and a model reads null as an unknown value.",
		"Initialize the list, so that it is encoded as [].",
	},
	{
		KindBareText,
		"The agent has only the wording to distinguish a timeout from a wrong argument, and has to guess whether to retry.",
		"Put a JSON object with errorCategory, isRetryable, message and hint in the first text block.",
	},
	{
		KindNoCategory,
		"The agent cannot choose between waiting, correcting its arguments, asking a person and requesting access.",
		"Set errorCategory to transient, validation, business or permission, and never to a placeholder such as unknown.",
	},
	{
		KindNoRetryability,
		"The agent repeats calls that cannot succeed, or gives up on calls that would succeed a second later.",
		"Set isRetryable to true if the same call may succeed later and is safe to repeat, otherwise to false.",
	},
	{
		KindNoMessage,
		"Neither the model nor the log shows what went wrong.",
		"Set message to one specific sentence.",
	},
	{
		KindNoHint,
		"The model knows that the call failed but not what to do next, and tries something at random.",
		"Set hint to the next step as an imperative, such as which argument to change and to what.",
	},
	{
		KindMasked,
		"The model mistakes its own error for a broken tool, and the operators look for a fault that does not exist.",
		"Return a validation failure that names the invalid argument and the expected value, or reveal the error text of the upstream service.",
	},
	{
		KindBadHint,
		"The agent follows the advice, fails again, and wastes an attempt.",
		"Name only tools and arguments that the server lists, suggest only values that the tool accepts, and set isRetryable to false if the arguments can never be valid.",
	},
	{
		KindFalseEffect,
		"The agent assumes that nothing happened and repeats the call, so the work is done twice.",
		"Set effect to none only before the first change, otherwise to unknown or applied, and set idempotentHint only if a repeat changes nothing.",
	},
	{
		KindKeyIgnored,
		"The agent relies on the key when it repeats a call after a lost answer, and the work is done twice.",
		"Store the answer under its key, and return the stored answer for every later call with that key.",
	},
	{
		KindFalseWait,
		"The agent waits as requested, fails again, and wastes its attempts.",
		"Compute the wait from the time at which the limit resets, in the unit that the member names, and omit it from failures that are not retryable.",
	},
	{
		KindDiffers,
		"The server works on one host and fails on another, and tests over a single transport cannot detect this.",
		"Build the server in one function, and put all middleware, limits and checks inside it rather than in one transport.",
	},
	{
		KindOtherShape,
		"An agent that can read one tool's failures misreads those of another.",
		"Build all failures of the server in one place, so that every tool uses the same member names.",
	},
	{
		KindLeak,
		"The text stays in the model's context, and anyone who can prompt the model can extract it.",
		"Log the error under a correlation id, and return that id with a sentence of your own.",
	},
	{
		KindAccepted,
		"The agent sees a success for a call that cannot have done what was intended.",
		"Validate the arguments against the input schema before the handler runs, or extend the schema to what the tool accepts.",
	},
	{
		KindUnexpected,
		"The tool does not behave as its author expects.",
		"Correct the tool, or the case if the expectation is wrong.",
	},
	{
		KindNoAnnotations,
		"A host cannot tell whether a repeat is safe, and either gives up after a timeout or does the work twice.",
		"Set readOnlyHint or idempotentHint if it applies, otherwise destructiveHint, and accept an idempotency_key if the work must not be done twice.",
	},
	{
		KindEndlessList,
		"Clients that read the whole list hang or run out of memory before the first call.",
		"Omit nextCursor on the last page, and never send the same cursor twice.",
	},
}

// explain returns the explanation of a kind.
func explain(kind Kind) (why, fix string) {
	for _, e := range explanations {
		if e.kind == kind {
			return e.why, e.fix
		}
	}
	return "", ""
}
