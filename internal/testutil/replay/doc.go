// Package replay compares what a model sees when calls of public MCP servers fail, with and without
// result.Middleware. The recorded answers are in testdata. The typed errors behind them are
// reproduced with the client libraries that the servers use.
//
// Each case has a label, the name of a kind in label_test.go. Before this module read the case, a
// person assigned the label by the text and by how the failure was provoked. Half of the recordings
// are marked heldOut: nobody read their cases until the comparison was finished.
//
// Three labels were then corrected (run-500 of docker-python, query-html-200 of prometheus-go and
// missing-arg of grafana-go), because the text decides, not how the failure was provoked. Labels of
// servers recorded later were corrected too: branch-badref, mr-422 and issue-create-notitle of
// gitlab-go, and check-405 of digitalocean-go, whose answer is the same as for mr-405 of gitlab-go.
// lb-busy of digitalocean-go was recorded again: its arguments violated the schema.
//
// The recorded answers show that no words are lost and that no prose is interpreted. They show no
// improvement, because prose gets no additional members. The typed errors test what the middleware
// recognizes. Each of their cases counts as
//
//   - better: the words that the model saw before, with correct members;
//   - kind only: correct members, but the words stay with the server;
//   - same: only the words;
//   - hidden: the words stay with the server, and are about its own failure;
//   - worse: a fault, or hidden words that the caller could have acted on.
//
// Withheld counts the cases where isRetryable is false although a safe repeat could succeed.
//
//	go test -v -run TestReplay .
//
// prints the comparison and every case with a fault. The program in record makes recordings.
package replay
