package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A ledger is a file with a line for each call that reached a server and for each completed action.
// It is the memory of the services behind the server, so it outlives the server's processes.
type ledger string

// The words that the ledger's lines begin with.
const (
	called  = "call"
	shipped = "shipped"
	refund  = "refunded"
)

// write appends a line.
func (l ledger) write(words ...string) error {
	f, err := os.OpenFile(string(l), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, strings.Join(words, " "))
	return errors.Join(err, f.Close())
}

// lines returns the lines that begin with these words, or none if the file cannot be read.
func (l ledger) lines(words ...string) []string {
	text, err := os.ReadFile(string(l))
	if err != nil {
		return nil
	}
	begin := strings.Join(words, " ") + " "
	var found []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line+" ", begin) {
			found = append(found, line)
		}
	}
	return found
}

// done returns the completed actions, shipments first, without their keys.
func (l ledger) done() []string {
	var done []string
	for _, line := range append(l.lines(shipped), l.lines(refund)...) {
		words := strings.Fields(line)
		done = append(done, words[0]+" "+words[1])
	}
	return done
}

// twice returns how many of the actions repeat an earlier one.
func twice(done []string) int {
	return len(done) - len(slices.Compact(slices.Sorted(slices.Values(done))))
}
