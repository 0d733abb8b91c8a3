package resulttest

// A Kind says what is wrong with an answer of a server.
type Kind string

// The kinds of findings, in the order in which they are looked for.
const (
	// ServerDied is a session that ended in mid-call.
	ServerDied Kind = "server_died"
	// NoAnswer is a call that was not answered within [Options.Timeout].
	NoAnswer Kind = "no_answer"
	// ProtocolError is an error of JSON-RPC in place of a result.
	ProtocolError Kind = "protocol_error"
	// Unreadable is an answer that is no tool result.
	Unreadable Kind = "unreadable"
	// EmptyAsFailure is "nothing found", marked as a failure.
	EmptyAsFailure Kind = "empty_as_failure"
	// FailureAsSuccess is a failure that is not marked as one.
	FailureAsSuccess Kind = "failure_as_success"
	// NullList is null where an empty list belongs.
	NullList Kind = "null_list"
	// BareText is a failure in words alone.
	BareText Kind = "bare_text"
	// NoCategory is a failure without one of the four categories.
	NoCategory Kind = "no_category"
	// NoRetryability is a failure that does not say whether to repeat the call.
	NoRetryability Kind = "no_retryability"
	// NoMessage is a failure without a message.
	NoMessage Kind = "no_message"
	// NoHint is a failure that does not say what to do next.
	NoHint Kind = "no_hint"
	// OtherShape is a failure whose members are named otherwise than those of the
	// server's other tools.
	OtherShape Kind = "other_shape"
	// LeakFound is a failure that shows what belongs in the log.
	LeakFound Kind = "leak"
	// Accepted is a success for arguments that the input schema forbids.
	Accepted Kind = "accepted"
	// Unexpected is an answer other than the one that a [Case] wants.
	Unexpected Kind = "unexpected"
	// EndlessList is a list of tools that does not end.
	EndlessList Kind = "endless_list"
)

// A meaning is what a kind of finding means to an agent and its author, one
// sentence each, and the areas that it counts in.
type meaning struct {
	why, mend string
	areas     []Area
}

var meanings = map[Kind]meaning{
	ServerDied: {
		"One bad call takes the session, and every other call on it, away from all of the agent's tools.",
		"Recover from panics and uncaught exceptions around every handler, and answer with a result whose isError is true.",
		[]Area{AreaAnswers},
	},
	NoAnswer: {
		"The agent waits until its own limit, and cannot know whether the call was carried out.",
		"Put a time limit on the handler and on every upstream call in it, below that of the clients, and answer with a transient failure when it is over.",
		[]Area{AreaAnswers},
	},
	ProtocolError: {
		"Many hosts show a protocol error to nobody or end the turn on it, so that the model cannot mend its call.",
		"Return a result with isError true for everything that goes wrong in a tool, argument errors included, and keep protocol errors for calls that no tool can take.",
		[]Area{AreaAnswers},
	},
	Unreadable: {
		"Clients reject the answer as a whole, and the model sees neither data nor failure.",
		"Answer with a content list, if only an empty one, whose blocks have a type that the protocol knows.",
		[]Area{AreaAnswers},
	},
	EmptyAsFailure: {
		"The agent retries or reports an outage where the definite answer is that there is nothing.",
		"Leave isError unset, and say in the text what was looked for and that nothing was found.",
		[]Area{AreaEmptiness},
	},
	FailureAsSuccess: {
		"The agent takes the words of the failure for data and goes on with them.",
		"Set isError to true, and put the failure's envelope in the first text block.",
		[]Area{AreaEmptiness},
	},
	NullList: {
		"Code that iterates over the list breaks on null, and a model reads it as an unknown value.",
		"Start with an empty list rather than none, so that it is encoded as [].",
		[]Area{AreaEmptiness},
	},
	BareText: {
		"Nothing but the wording tells a timeout from a wrong argument, so that the agent has to guess whether to retry.",
		"Put a JSON object in the first text block, with errorCategory, isRetryable, message and hint.",
		[]Area{AreaStructure, AreaGuidance},
	},
	NoCategory: {
		"Without a category the agent cannot choose between waiting, mending its arguments, asking a person and asking for access.",
		"Set errorCategory to transient, validation, business or permission, and never to a word for unknown.",
		[]Area{AreaStructure},
	},
	NoRetryability: {
		"The agent repeats what cannot succeed, or gives up on what would have succeeded a second later.",
		"Set isRetryable to true or false, by whether the identical call may succeed if it is repeated.",
		[]Area{AreaStructure},
	},
	NoMessage: {
		"Neither the model nor the log can say what went wrong.",
		"Set message to one specific sentence.",
		[]Area{AreaStructure},
	},
	NoHint: {
		"The model knows that it failed and not what to do next, and tries something at random.",
		"Set hint to the next step in the imperative, such as which argument to change and to what.",
		[]Area{AreaGuidance},
	},
	OtherShape: {
		"An agent that has learned to read one tool's failures misreads those of this one.",
		"Make every failure of the server in one place, so that all tools name the same member alike.",
		[]Area{AreaStructure},
	},
	LeakFound: {
		"The model may repeat it to the user and keeps it in its context, where anybody who can prompt it can ask for it.",
		"Write the error to the log under a correlation id, and answer with a sentence of your own and that id.",
		[]Area{AreaSecrecy},
	},
	Accepted: {
		"The agent is told of success for a call that cannot have done what it meant.",
		"Validate the arguments against the input schema before the handler runs, or let the schema allow what the tool takes.",
		[]Area{AreaValidation},
	},
	Unexpected: {
		"The tool does not do what its own author expects of it.",
		"Correct the tool, or the case where that is what is wrong.",
		[]Area{AreaAnswers},
	},
	EndlessList: {
		"Clients that read the whole list hang or run out of memory before the first call.",
		"Leave nextCursor out on the last page, and never send the same cursor twice.",
		[]Area{AreaAnswers},
	},
}
