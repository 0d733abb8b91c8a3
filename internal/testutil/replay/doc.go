// Package replay compares what a model sees when calls of public MCP servers fail, with
// and without result.Middleware. The recorded answers are in testdata. The typed errors
// behind them are reproduced with the client libraries that the servers use.
//
// Each case has a label, the name of a kind in label_test.go. A person assigned it from
// the text and from the way in which the failure was provoked, before this module read
// the case. A third of the servers are marked heldOut: their cases stayed unread until
// the comparison was finished.
//
// Three labels were corrected then, because the text decides and not the provocation:
// run-500 of docker-python, query-html-200 of prometheus-go, missing-arg of grafana-go.
// Three labels of gitlab-go, which was recorded later, were corrected too: branch-badref,
// mr-422, issue-create-notitle.
//
//	go test -v -run TestReplay .
//
// prints the comparison and every case with a fault. The program in record records
// another server.
package replay
