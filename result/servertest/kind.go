package servertest

import (
	_ "embed" // the table of findings
	"strings"
	"sync"
)

// A Kind names what is wrong with an answer or a tool.
type Kind string

// The kinds of findings. The table findings.md states why each matters and how to fix it.
const (
	KindServerDied       Kind = "server_died"        // a session that ended during a call
	KindNoAnswer         Kind = "no_answer"          // a call that was not answered within [Options.Timeout]
	KindProtocolError    Kind = "protocol_error"     // a JSON-RPC error instead of a result
	KindUnreadable       Kind = "unreadable"         // an answer that is not a tool result
	KindEmptyAsFailure   Kind = "empty_as_failure"   // "nothing found" marked as a failure
	KindFailureAsSuccess Kind = "failure_as_success" // a failure without isError
	KindNullList         Kind = "null_list"          // null instead of an empty list
	KindBareText         Kind = "bare_text"          // a failure that is plain text, not a JSON object
	KindIncomplete       Kind = "incomplete"         // a failure without a category, a boolean isRetryable or a message
	KindNoHint           Kind = "no_hint"            // a failure without a hint
	KindMasked           Kind = "masked"             // invalid input, and only that, is answered with the code internal
	KindBadHint          Kind = "bad_hint"           // advice that names what does not exist, or a repeat that fails again
	KindFalseEffect      Kind = "false_effect"       // a change after effect none, isRetryable true or an idempotentHint
	KindKeyIgnored       Kind = "key_ignored"        // a repeat with the same idempotency key that was executed again
	KindNewKeys          Kind = "new_keys"           // a description that makes a model send a new key with each repeat
	KindFalseWait        Kind = "false_wait"         // retryAfterMs in a failure that is not retryable
	KindCredential       Kind = "credential"         // a failure that shows a password, key or token
	KindLeak             Kind = "leak"               // a failure that shows internal information, such as a file path
	KindSameAnswer       Kind = "same_answer"        // a failure that is the same for different mistakes
	KindAccepted         Kind = "accepted"           // a success for arguments that the input schema forbids
	KindUnexpected       Kind = "unexpected"         // an answer that a [Case] does not expect
	KindNotCalled        Kind = "not_called"         // a tool that was not called, or not with all calls
	KindNoSuccess        Kind = "no_success"         // a tool none of whose calls succeeded
	KindUntested         Kind = "untested"           // a server whose failures state nothing that a call could test
	KindNoAnnotations    Kind = "no_annotations"     // a tool that does not state whether its calls can be repeated
)

//go:embed findings.md
var findingsTable string

// explanations reads the table: kind, severity, why it matters, how to fix it.
var explanations = sync.OnceValue(func() map[Kind]Finding {
	rows := map[Kind]Finding{}
	for line := range strings.Lines(findingsTable) {
		if cells := strings.Split(strings.Trim(line, "| \n"), " | "); len(cells) == 4 && line[2] == '`' {
			rows[Kind(strings.Trim(cells[0], "`"))] = Finding{Severity: cells[1], Why: cells[2], Fix: cells[3]}
		}
	}
	return rows
})
