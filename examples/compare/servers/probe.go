package main

import (
	"strings"
	"time"
)

// says returns 1 if the data has a member with the role, otherwise 0.
func (a answer) says(r role) int {
	if _, path := r.find(a.data()); path != "" {
		return 1
	}
	return 0
}

// names reports whether the data names this argument as the one at fault, as a bare name or in a
// common path syntax.
func (a answer) names(argument string) bool {
	value, _ := roleField.find(a.data())
	path, _ := value.(string)
	return strings.Trim(path, "/.$#") == argument
}

// wait returns the wait that the data states, or 0.
func (a answer) wait() time.Duration {
	if ms, is := number(roleMillis.find(a.data())); is {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if s, is := number(roleSeconds.find(a.data())); is {
		return time.Duration(s * float64(time.Second))
	}
	return 0
}

func number(value any, _ string) (float64, bool) {
	n, is := value.(float64)
	return n, is
}

// booking returns what the JSON says about a call that may have been executed: its effect, and
// whether to retry.
func (a answer) booking() string {
	var words []string
	if effect, path := roleEffect.find(a.data()); path != "" {
		if text, is := effect.(string); is {
			words = append(words, "effect "+text)
		} else {
			words = append(words, path)
		}
	}
	if retry, path := roleRetry.find(a.data()); path != "" {
		words = append(words, choose(retry == true, "retry", "no retry"))
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// standsIn reports whether a failure is the same kind of answer as the previous failures, with its
// members in the same places.
func (a answer) standsIn(places map[*role]string) bool {
	same := true
	check := func(key *role, place string) {
		if before, known := places[key]; known && before != place {
			same = false
		}
		places[key] = place
	}
	check(nil, a.kind())
	for _, r := range []*role{&roleRetry, &roleField, &roleNext, &roleMillis, &roleSeconds, &roleEffect} {
		if _, path := r.find(a.data()); path != "" {
			check(r, path)
		}
	}
	return same
}

func choose(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}
