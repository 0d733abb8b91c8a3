package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

const (
	// shortText is the minimum length, in bytes, of a text that is removed. Chosen: shorter
	// ones are in every sentence.
	shortText = 4
	// longText is the minimum number of letters and digits of a text that is searched by
	// these alone, without the characters between them. Chosen: fewer are found across
	// words by chance.
	longText = 8
	// maxRecord is how many bytes of a text are looked at for a log. Chosen: as many as a
	// record shows, and 512 because what is taken out may be longer than its mark.
	maxRecord = sanitize.MaxLength + 512
	// maxWindows is how many windows of the arguments are looked for in the parts. Those of
	// further arguments are looked up in a set of the parts' windows, which costs more to make.
	// Chosen: the grams of 512 are an eighth of all.
	maxWindows = 512
	// maxTexts is how many short texts of a call are looked for. Chosen: tools have some ten
	// arguments, and these are a megabyte of hashes.
	maxTexts = 1 << 16
	// maxArguments is the maximum number of bytes of arguments that are read. Chosen: that
	// takes about fifty milliseconds.
	maxArguments = 8 << 20
	// argument replaces removed text, and omitted replaces a text that could not be
	// searched for all arguments.
	argument, omitted = "[argument]", "[left out: the call has too many arguments to look for in it]"
)

// Texts are the texts that must not be in a log: the values of a call's arguments, which
// errors quote, and its idempotency key.
type Texts struct {
	// Arguments are the call's arguments as JSON. Text that is not JSON is one text.
	Arguments []byte
	// IsName reports whether the name of a member is the tool's, so that it is not a
	// secret. Depth is 1 for an argument. If IsName is nil, all names are the tool's.
	IsName func(name string, depth int) bool
	// Key is the idempotency key of the call, or empty.
	Key string
}

// Remove puts [argument] in place of the texts in each part of a log record, before
// anything else has changed or cut it: however they are quoted, escaped or spelled, of
// longer ones any part of twelve letters and digits, and where a part of the record was cut,
// what a text begins or ends with. A text that is encoded once, as errors print bytes (in
// hexadecimal or decimal numbers, or in base64), is decoded for it. Texts of less than four bytes stay, and one of less than
// eight stays within a word that errors are made of. Of each part at most 2.5 KiB are kept. If
// there is more than can be looked for, nothing is kept.
//
// The work is linear in the length of the record and of the arguments.
func (t Texts) Remove(parts []string) {
	for i, part := range parts {
		if len(part) > maxRecord {
			end := maxRecord
			for end > maxRecord-utf8.UTFMax && !utf8.RuneStart(part[end]) {
				end--
			}
			parts[i] = part[:end] + "…"
		}
	}
	if len(t.Arguments) < shortText && len(t.Key) < shortText {
		return
	}
	runs, cut := runsOf(parts)
	all := slices.Clip(parts)
	for _, run := range runs {
		all = append(all, run.text)
	}
	r, _ := removers.Get().(*remover)
	defer r.free()
	r.cutParts = len(parts) + cut
	r.read(all, min(len(t.Arguments), maxWindows))
	if len(t.Arguments) > maxArguments || !r.look(t) {
		for i, part := range parts {
			if part != "" {
				parts[i] = omitted
			}
		}
		return
	}
	for _, g := range r.gone {
		if i := int(g.part) - len(parts); i >= 0 {
			r.gone = append(r.gone, gap{int16(runs[i].part), int16(runs[i].from), int16(runs[i].to)}) //nolint:gosec // a part has 3 KiB
		}
	}
	r.cutOut()
	copy(parts, r.parts)
}

// A remover searches for texts in the parts of a record.
type remover struct {
	parts             []string // a copy, so that the caller's need not be on the heap
	cutParts          int      // how many parts may have been cut at their end; the others are after them
	all               []place  // every symbol of the parts
	words             []place  // letters and digits alone
	cuts              []int    // in words, where a text was cut
	short             textSet  // texts that are looked for in all
	long              textSet  // texts and windows that are looked for in words
	windows           int      // how many windows long has
	allWide, wordWide hashSet  // windows of the parts, made when they are needed first
	edges             []edge
	gone              []gap
	isName            func(string, int) bool
}

// A place is the position of a symbol.
type place struct {
	symbol   symbol
	part     int16
	from, to int16
}

// removers is a pool, because a record needs more memory than it has bytes.
var removers = sync.Pool{New: func() any { return new(remover) }}

// free returns the memory to the pool without its content.
func (r *remover) free() {
	const most = 1 << 12 // of the short texts; chosen: few calls have more
	if cap(r.short.slots) > most || cap(r.long.slots) > most {
		return
	}
	r.isName = nil
	clear(r.parts)
	removers.Put(r)
}

// An edge is the beginning or the end of an argument, before or after a cut.
type edge struct {
	hash     uint64
	from, to int // positions in words
	behind   bool
}

// A gap is a range that is removed.
type gap struct{ part, from, to int16 }

// barrier separates parts. No text contains it.
const barrier symbol = 1<<31 - 1

// read finds the letters and digits of the parts, and where they were cut. Texts is how many
// texts there may be to look for.
func (r *remover) read(parts []string, texts int) {
	r.parts, r.all, r.cuts, r.edges, r.gone = append(r.parts[:0], parts...), r.all[:0], r.cuts[:0], r.edges[:0], r.gone[:0]
	r.short.reset(0)
	r.long.reset(texts)
	r.allWide.reset(0)
	r.wordWide.reset(0)
	r.windows = 0
	size := len(parts)
	for _, part := range parts {
		size += len(part)
	}
	list := slices.Grow(r.words[:0], size)[:size] // a symbol has at least one byte
	n := 0
	for p, part := range parts {
		for i := 0; i < len(part); {
			s, size := symbol(wordFolds[part[i]]), 1
			if s == special {
				s, size = next(part, i)
				if s == '…' || s == '.' && strings.HasPrefix(part[i:], "...") {
					r.cuts = append(r.cuts, n)
				}
				if !isWordSymbol(s) {
					s = 0
				}
			}
			if s != 0 {
				list[n] = place{s, int16(p), int16(i), int16(i + size)} //nolint:gosec // a part has 3 KiB
				n++
			}
			i += size
		}
		if part != "" {
			list[n] = place{barrier, int16(p), int16(len(part)), int16(len(part))} //nolint:gosec // as above
			n++
		}
	}
	r.words = list[:n]
}

// readAll finds all symbols of the parts. Only texts with few letters are searched in them.
func (r *remover) readAll() {
	if len(r.all) > 0 {
		return
	}
	for p, part := range r.parts {
		for i := 0; i < len(part); {
			s, size := symbol(allFolds[part[i]]), 1
			if s == special {
				s, size = next(part, i)
			}
			if s != 0 && s != '…' {
				r.all = append(r.all, place{s, int16(p), int16(i), int16(i + size)}) //nolint:gosec // as above
			}
			i += size
		}
		if part != "" {
			r.all = append(r.all, place{barrier, int16(p), int16(len(part)), int16(len(part))}) //nolint:gosec // as above
		}
	}
}

// cutOut puts [argument] in place of the gaps in each part.
func (r *remover) cutOut() {
	byEnd := func(a, b gap) int { return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.to, b.to)) }
	if !slices.IsSortedFunc(r.gone, byEnd) {
		slices.SortFunc(r.gone, byEnd)
	}
	for from := 0; from < len(r.gone); {
		to := from + 1
		for to < len(r.gone) && r.gone[to].part == r.gone[from].part {
			to++
		}
		p := r.gone[from].part
		r.parts[p] = without(r.parts[p], merged(r.gone[from:to]))
		from = to
	}
}

// merged returns gaps without overlaps, in the room of the list, which is ordered by where
// they end.
func merged(list []gap) []gap {
	n := len(list) // the merged ones are list[n:]
	for _, g := range slices.Backward(list) {
		if n < len(list) && g.to >= list[n].from {
			list[n].from = min(list[n].from, g.from)
		} else {
			n--
			list[n] = g
		}
	}
	return list[n:]
}

// without returns a part with [argument] in place of the gaps.
func without(part string, gaps []gap) string {
	var b strings.Builder
	b.Grow(len(part) + len(gaps)*len(argument))
	from := int16(0)
	for _, g := range gaps {
		b.WriteString(part[from:g.from])
		b.WriteString(argument)
		from = g.to
	}
	b.WriteString(part[from:])
	return b.String()
}

// remove removes the text from one symbol to another one of the same part.
func (r *remover) remove(list []place, from, to int) {
	g := gap{list[from].part, list[from].from, list[to-1].to}
	if n := len(r.gone); n > 0 {
		if last := &r.gone[n-1]; last.part == g.part && last.to >= g.from && last.to <= g.to {
			last.from, last.to = min(last.from, g.from), g.to
			return
		}
	}
	r.gone = append(r.gone, g)
}
