// Package switches holds the switches of the mutants that are compiled into a test binary: each
// function does what the code did, unless its mutant is the one that the environment chooses.
package switches

import (
	"os"
	"strconv"
	"sync/atomic"
)

// The variables of the environment: the mutant that is on, and the file that gets the numbers of
// those that are reached.
const (
	Chosen  = "MUTANT"
	Reached = "MUTANTS_REACHED"
)

// Most is how many mutants there may be.
const Most = 1 << 16

var (
	chosen, _ = strconv.Atoi(os.Getenv(Chosen))
	log       *os.File
	seen      [Most]atomic.Bool
)

func init() {
	if name := os.Getenv(Reached); name != "" {
		log, _ = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // of the tool
	}
}

// On reports whether mutant n is chosen.
func On(n int) bool {
	if log != nil && !seen[n].Swap(true) {
		_, _ = log.WriteString(strconv.Itoa(n) + "\n")
	}
	return n == chosen
}

// Not negates a condition.
func Not(n int, condition bool) bool { return condition != On(n) }

// And is a && b, or a || b.
func And(n int, a bool, b func() bool) bool {
	if On(n) {
		return a || b()
	}
	return a && b()
}

// Or is a || b, or a && b.
func Or(n int, a bool, b func() bool) bool {
	if On(n) {
		return a && b()
	}
	return a || b()
}

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Less is a < b, or a <= b.
func Less[T number | ~string](n int, a, b T) bool { return a < b || On(n) && a == b }

// LessEqual is a <= b, or a < b.
func LessEqual[T number | ~string](n int, a, b T) bool { return a < b || !On(n) && a == b }

// Greater is a > b, or a >= b.
func Greater[T number | ~string](n int, a, b T) bool { return a > b || On(n) && a == b }

// GreaterEqual is a >= b, or a > b.
func GreaterEqual[T number | ~string](n int, a, b T) bool { return a > b || !On(n) && a == b }

// Plus is a + b, or a - b.
func Plus[T number](n int, a, b T) T {
	if On(n) {
		return a - b
	}
	return a + b
}

// Minus is a - b, or a + b.
func Minus[T number](n int, a, b T) T {
	if On(n) {
		return a + b
	}
	return a - b
}

// Number is v, or one more.
func Number[T number](n int, v T) T {
	if On(n) {
		v++
	}
	return v
}

// Text is v, or the empty text.
func Text[T ~string](n int, v T) T {
	if On(n) {
		return ""
	}
	return v
}

// Do runs f, or does nothing.
func Do(n int, f func()) {
	if !On(n) {
		f()
	}
}
