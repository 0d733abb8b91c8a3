package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// facts describe what an agent learns from a server's answers.
type facts struct {
	// answers counts the failures by kind of answer.
	answers string
	// leaks states whether any answer contains the secret.
	leaks bool
	// retry counts the failures whose data says whether to retry; next, those whose data says what
	// to do.
	retry, next int
	// wait is the wait in the data of the throttled call's answer; 0 means none.
	wait time.Duration
	// field is how many of the two wrong arguments the data names.
	field int
	// booking is what the data says about the booking whose answer was lost.
	booking string
	// dropped counts the failures that a strict client discards.
	dropped int
	// Two facts are not in the table, because they are the same for all servers or follow from
	// answers: told, whether isError distinguishes an empty answer from every failure, and
	// oneShape, whether all failures are answers of one kind, with each member in one place.
	told, oneShape bool
}

var errDead = errors.New("the server does not answer a valid call")

// observe makes all calls to a server, and returns the answers, successes first. A server that no
// longer answers is restarted.
func observe(ctx context.Context, name, version string) (strict strictClient, answers []answer, err error) {
	c, err := startChild(ctx, name, version)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if c != nil {
			c.close()
		}
	}()
	if strict, err = newStrictClient(c.list(ctx)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, call := range append([]call{found, nothingFound}, failures...) {
		a := answer{call: call, wire: c.call(ctx, call)}
		next := answer{wire: c.call(ctx, found)}
		a.alive = next.kind() == kindSuccess
		answers = append(answers, a)
		if a.alive {
			continue
		}
		c.close()
		if c, err = startChild(ctx, name, version); err != nil {
			return nil, nil, err
		}
	}
	if !answers[0].alive {
		return nil, nil, fmt.Errorf("%s: %w", name, errDead)
	}
	return strict, answers, nil
}

// factsOf returns the facts that the answers show.
func factsOf(strict strictClient, answers []answer) facts {
	f := facts{booking: "nothing", told: true, oneShape: true}
	counts, places := map[string]int{}, map[*role]string{}
	for _, a := range answers {
		f.leaks = f.leaks || a.leaks()
		switch a.call.name {
		case found.name:
			continue
		case nothingFound.name:
			f.told = f.told && a.kind() == kindSuccess
			continue
		case misspelt.name, missing.name:
			if a.names(wrongArgument[a.call.name]) {
				f.field++
			}
		case throttled.name:
			f.wait = a.wait()
		case lost.name:
			f.booking = a.booking()
		}
		counts[a.kind()]++
		f.told = f.told && a.kind() != kindSuccess
		f.retry += a.says(roleRetry)
		f.next += a.says(roleNext)
		if strict.accept(a) != nil {
			f.dropped++
		}
		f.oneShape = f.oneShape && a.standsIn(places)
	}
	f.answers = join(counts)
	return f
}

// wrongArgument maps the name of a call to the argument that is wrong in it.
var wrongArgument = map[string]string{misspelt.name: "status", missing.name: "customer"}

// join returns a list of the kinds with their counts, in the order of kinds.
func join(counts map[string]int) string {
	var words []string
	for _, kind := range kinds {
		if n := counts[kind]; n > 0 {
			words = append(words, strconv.Itoa(n)+" "+kind)
		}
	}
	return strings.Join(words, ", ")
}
