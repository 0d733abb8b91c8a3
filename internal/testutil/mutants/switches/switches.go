// Package switches turns the mutants in a test binary on and off: each function does what the
// original code did, unless the environment chooses mutant n.
package switches

import (
	"os"
	"strconv"
	"sync/atomic"
)

// The environment variables: Chosen is the mutant that is on; Reached is the file for the numbers
// of mutants reached.
const (
	Chosen  = "MUTANT"
	Reached = "MUTANTS_REACHED"
)

// Most limits the number of mutants.
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

// On reports whether mutant n is on, and records that it was reached.
func On(n int) bool {
	if log != nil && !seen[n].Swap(true) {
		_, _ = log.WriteString(strconv.Itoa(n) + "\n")
	}
	return n == chosen
}

// Not returns a condition; the mutant negates it.
func Not(n int, condition bool) bool { return condition != On(n) }

// And returns a && b; the mutant returns a || b.
func And(n int, a bool, b func() bool) bool {
	if On(n) {
		return a || b()
	}
	return a && b()
}

// Or returns a || b; the mutant returns a && b.
func Or(n int, a bool, b func() bool) bool {
	if On(n) {
		return a && b()
	}
	return a || b()
}

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Less returns a < b; the mutant returns a <= b.
func Less[T number | ~string](n int, a, b T) bool { return a < b || On(n) && a == b }

// LessEqual returns a <= b; the mutant returns a < b.
func LessEqual[T number | ~string](n int, a, b T) bool { return a < b || !On(n) && a == b }

// Greater returns a > b; the mutant returns a >= b.
func Greater[T number | ~string](n int, a, b T) bool { return a > b || On(n) && a == b }

// GreaterEqual returns a >= b; the mutant returns a > b.
func GreaterEqual[T number | ~string](n int, a, b T) bool { return a > b || !On(n) && a == b }

// Plus returns a + b; the mutant returns a - b.
func Plus[T number](n int, a, b T) T {
	if On(n) {
		return a - b
	}
	return a + b
}

// Minus returns a - b; the mutant returns a + b.
func Minus[T number](n int, a, b T) T {
	if On(n) {
		return a + b
	}
	return a - b
}

// Number returns v; the mutant returns v + 1.
func Number[T number](n int, v T) T {
	if On(n) {
		v++
	}
	return v
}

// Text returns v; the mutant returns "".
func Text[T ~string](n int, v T) T {
	if On(n) {
		return ""
	}
	return v
}

// Do runs f; the mutant does nothing.
func Do(n int, f func()) {
	if !On(n) {
		f()
	}
}
