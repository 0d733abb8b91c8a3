package main

import (
	"strings"
	"time"
)

// says is 1 where data plays the role, else 0.
func (a answer) says(r role) int {
	if _, path := r.find(a.data()); path != "" {
		return 1
	}
	return 0
}

// names reports whether data says that this argument is at fault. A path to it
// may be written in any way.
func (a answer) names(argument string) bool {
	value, _ := roleField.find(a.data())
	path, _ := value.(string)
	return strings.Trim(path, "/.$#") == argument
}

// wait returns how long data says to wait.
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

// booking returns what data says of a call that may have been carried out: that,
// and whether to repeat it.
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

// standsIn reports whether what a failure says stands where it stood in the
// failures before, and whether it comes in the same kind of answer.
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
