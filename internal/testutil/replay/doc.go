// Package replay compares what a model sees when calls of public MCP servers fail, with
// and without result.Middleware. The recorded answers are in testdata. The typed errors
// behind them are reproduced with the client libraries that the servers use.
//
// Each case has a label, the name of a kind in label_test.go. A person assigned it from the text
// and from how the failure was provoked, before this module read the case. Half of the servers are
// marked heldOut: their cases stayed unread until the comparison was finished.
//
// Three labels were corrected then, because the text decides and not how the failure was provoked:
// run-500 of docker-python, query-html-200 of prometheus-go, missing-arg of grafana-go. Labels of
// servers that were recorded later were corrected too: branch-badref, mr-422, issue-create-notitle of
// gitlab-go; check-405 of digitalocean-go, whose answer is that of mr-405. lb-busy of digitalocean-go
// was recorded again: its arguments did not fit the tool's schema, so that no handler was called.
//
// The answers that a server wrote itself show that nothing is lost, and that no prose is
// interpreted. They show no improvement: beside prose there are no members. The typed errors test
// what the middleware knows. There a case counts as
//
//   - better: correct members beside the words that the model saw before;
//   - kind only: correct members, and the words stay with the server;
//   - same: the words, and nothing else;
//   - hidden: the words stay with the server, and are about its own failure;
//   - worse: a fault, or hidden words that the caller could have acted on.
//
// Withheld counts the repeats that could succeed and are safe, although isRetryable is false.
//
//	go test -v -run TestReplay .
//
// prints the comparison and every case with a fault. The program in record records another server.
package replay
