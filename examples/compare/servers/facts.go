package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// facts are what reaches an agent from a server, as it was seen to.
type facts struct {
	// answers are how many failures came back in which way.
	answers string
	// leaks is whether the secret came out, in any answer.
	leaks bool
	// retry is in how many failures there is data on whether to repeat the call,
	// next in how many on what to do.
	retry, next int
	// wait is how long data says to wait after the throttled call; 0 is nothing.
	wait time.Duration
	// field is for how many of the two wrong arguments data names the argument.
	field int
	// booking is what data says of the booking whose answer was lost.
	booking string
	// dropped is how many failures a strict client throws away.
	dropped int
	// Two facts are not in the table: all tell an empty answer apart, and the shape
	// follows from answers. told is whether an empty answer can be told from every failure by isError,
	// and oneShape whether what failures say stands in the same place in all of them.
	told, oneShape bool
}

var errDead = errors.New("the server does not answer a call that is all right")

// observe makes all calls of a server, and returns the answers, those that are
// no failures first. A server that has died is started again.
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

// wrongArgument is which one is wrong.
var wrongArgument = map[string]string{misspelt.name: "status", missing.name: "customer"}

// join puts the kinds into words, in their order.
func join(counts map[string]int) string {
	var words []string
	for _, kind := range kinds {
		if n := counts[kind]; n > 0 {
			words = append(words, strconv.Itoa(n)+" "+kind)
		}
	}
	return strings.Join(words, ", ")
}
