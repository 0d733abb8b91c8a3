package leaks_test

import (
	"math"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// sample makes a text that matches an expression. Optional parts come half of the time.
func sample(r *rand.Rand, re *syntax.Regexp) string {
	var b strings.Builder
	write(&b, r, re)
	return b.String()
}

func write(b *strings.Builder, r *rand.Rand, re *syntax.Regexp) {
	repeat := func(least, most int) {
		if most < 0 || most > least+20 {
			most = least + 20
		}
		for range least + r.IntN(most-least+1) {
			write(b, r, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 { // as it is issued
			text = strings.ToLower(text)
		}
		b.WriteString(text)
	case syntax.OpCharClass:
		b.WriteRune(oneOf(r, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('.') // that is what is meant
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	case syntax.OpAlternate:
		write(b, r, re.Sub[r.IntN(len(re.Sub))])
	default:
		for _, sub := range re.Sub {
			write(b, r, sub)
		}
	}
}

// oneOf returns a printable character of a class, if it has one.
func oneOf(r *rand.Rand, class []rune) rune {
	var all []rune
	for c := rune(' '); c < 0x7f; c++ {
		for i := 0; i < len(class); i += 2 {
			if c >= class[i] && c <= class[i+1] {
				all = append(all, c)
				break
			}
		}
	}
	if len(all) == 0 {
		return class[0]
	}
	return all[r.IntN(len(all))]
}

// group returns the last group of an expression that is in no other, or nil.
func group(re *syntax.Regexp) (last *syntax.Regexp) {
	if re.Op == syntax.OpCapture {
		return re
	}
	for _, sub := range re.Sub {
		if found := group(sub); found != nil {
			last = found
		}
	}
	return last
}

// entropy is Shannon's, in bits for each character.
func entropy(s string) (bits float64) {
	counts := map[rune]float64{}
	for _, c := range s {
		counts[c]++
	}
	for _, n := range counts {
		p := n / float64(len([]rune(s)))
		bits -= p * math.Log2(p)
	}
	return bits
}
