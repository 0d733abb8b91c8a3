package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// The messages in a subagent's log.
const (
	logPage     = "source answered"
	logAnswered = "call answered"
	logDecided  = "tool call decided" // of package retry
)

// A journal reads the log of a subagent for the transcript: nothing else shows what the subagent
// did by itself. The coordinator does not read it.
type journal struct {
	stderr io.Writer // gets it all
	done   chan struct{}

	mu      sync.Mutex
	rest    []byte
	records []record
}

// A record is a line of the log: a page from the source, or the decision about an attempt to get
// one. There is no decision if the first attempt succeeds.
type record struct {
	Message string `json:"msg"`
	Source  string `json:"source"`
	From    int    `json:"from"`
	Entries int    `json:"entries"`
	Total   int    `json:"total"`
	Decided struct {
		Action  string        `json:"action"`
		Reason  retry.Reason  `json:"reason"`
		Attempt int           `json:"attempt"`
		Delay   time.Duration `json:"delay"`
		Code    string        `json:"code"`
	} `json:"toolerr"`
}

func newJournal(stderr io.Writer) *journal {
	return &journal{stderr: stderr, done: make(chan struct{}, 100)}
}

// Write implements [io.Writer].
func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.rest = append(j.rest, p...)
	for {
		line, rest, ok := bytes.Cut(j.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		j.note(line)
		if _, err := j.stderr.Write(append(bytes.Clone(line), '\n')); err != nil {
			return 0, err
		}
		j.rest = rest
	}
}

func (j *journal) note(line []byte) {
	var r record
	if json.Unmarshal(line, &r) != nil {
		return
	}
	switch {
	case r.Message == logAnswered:
		select {
		case j.done <- struct{}{}:
		default: // nobody reads that far behind
		}
	case r.Source != "" && (r.Message == logPage || r.Message == logDecided):
		j.records = append(j.records, r)
	}
}

// take returns the records of a call that was answered after this many attempts. The log takes a
// different path from the answer, and may arrive later.
func (j *journal) take(attempts int) []record {
	late, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for range attempts {
		select {
		case <-j.done:
		case <-late.Done():
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	records := j.records
	j.records = nil
	return records
}

// String returns the record as a line of the transcript.
func (r record) String() string {
	var what string
	switch {
	case r.Message == logPage:
		return fmt.Sprintf("%s from %d: %d of %d entries", r.Source, r.From, r.Entries, r.Total)
	case r.Decided.Code != "":
		what = r.Decided.Code + ": "
	}
	wait := ""
	if r.Decided.Delay > 0 {
		wait = fmt.Sprintf(" after %v", r.Decided.Delay.Round(time.Millisecond))
	}
	return fmt.Sprintf("%s from %d, attempt %d: %s%s%s: %s", r.Source, r.From, r.Decided.Attempt, what, r.Decided.Action,
		wait, r.Decided.Reason)
}
