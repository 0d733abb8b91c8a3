// Package replay compares what a model sees when calls of public MCP servers fail, with and without
// result.Middleware. The recorded answers are in testdata. The typed errors behind them are
// reproduced with the client libraries that the servers use.
//
// Each case has a label, the name of a kind in label_test.go. A person assigned it by the text and
// by how the failure was provoked, before this module read the case. Half of the recordings are
// marked heldOut: their cases stayed unread until the comparison was finished.
//
// Three labels were then corrected, because the text decides, not how the failure was provoked:
// run-500 of docker-python, query-html-200 of prometheus-go, missing-arg of grafana-go. Labels of
// servers recorded later were corrected too: branch-badref, mr-422, issue-create-notitle of
// gitlab-go; check-405 of digitalocean-go, whose answer is that of gitlab-go's mr-405. lb-busy of
// digitalocean-go was recorded again: its arguments violated the schema, so no handler ran.
//
// The recorded answers show that no words are lost and that no prose is interpreted. They show no
// improvement, because prose gets no further members. The typed errors test what the middleware
// recognizes. Each of their cases counts as
//
//   - better: the words that the model saw before, with correct members;
//   - kind only: correct members, but the words stay with the server;
//   - same: only the words;
//   - hidden: the words stay with the server, and are about its own failure;
//   - worse: a fault, or hidden words that the caller could have acted on.
//
// Withheld counts the safe repeats that could succeed although isRetryable is false.
//
//	go test -v -run TestReplay .
//
// prints the comparison and every case with a fault. The program in record makes a recording.
package replay
