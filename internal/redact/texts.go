package redact

import (
	"strings"
	"sync"
)

const (
	// shortText is the shortest text that is taken out, in bytes. Chosen: shorter
	// ones are in every sentence.
	shortText = 4
	// longText is how many letters and digits a text has at the least that is looked for by
	// these alone, without what is between them. Chosen: fewer are found across words.
	longText = 8
	// maxRecord is how many bytes of a text are looked at for a log. Chosen: twice as many as
	// it shows.
	maxRecord = 4 << 10
	// maxTexts is how many short texts of a call are looked for. Chosen: tools have some ten
	// arguments, and these are a megabyte of hashes.
	maxTexts = 1 << 16
	// maxArguments is how many bytes of arguments are looked through. Chosen: it takes some
	// fifty milliseconds.
	maxArguments = 8 << 20
	// argument stands for what was taken out, and omitted for a text of which nobody could
	// say what to take out.
	argument, omitted = "[argument]", "[left out: the call has too many arguments to look for in it]"
)

// Texts are what must not be in a log: the values of a call's arguments, which errors
// quote, and its key.
type Texts struct {
	// Arguments are the call's, as JSON. What is no JSON is one text.
	Arguments []byte
	// IsName reports whether a name of a member is one of the tool's, and no secret. Nil
	// knows them all. Depth is 1 for an argument.
	IsName func(name string, depth int) bool
	// Key is the idempotency key that was made for the call, if any.
	Key string
}

// Remove puts [argument] in place of the texts in each part of a log record, before
// anything else has changed or cut it: however they are quoted, escaped or spelled, of
// longer ones any part of twelve letters and digits, and where a part of the record was cut,
// what a text begins or ends with. Texts of less than four bytes stay, and one of less than
// eight stays within a word that errors are made of. Of each part at most 4 KiB are kept. If
// there is more than can be looked for, nothing is kept.
//
// The work is linear in the record and in the arguments.
func (t Texts) Remove(parts []string) {
	for i, part := range parts {
		if len(part) > maxRecord {
			parts[i] = strings.ToValidUTF8(part[:maxRecord], "") + "…"
		}
	}
	if len(t.Arguments) < shortText && len(t.Key) < shortText {
		return
	}
	r, _ := removers.Get().(*remover)
	defer r.free()
	r.read(parts)
	if len(t.Arguments) > maxArguments || !r.look(t) {
		for i, part := range parts {
			if part != "" {
				parts[i] = omitted
			}
		}
		return
	}
	for i := range parts {
		parts[i] = r.without(parts[i], i)
	}
}

// A remover finds texts in the parts of a record.
type remover struct {
	parts []string
	all   []place // every symbol of the parts
	words []place // letters and digits alone
	cuts  []int   // in words, where a text was cut
	// What is looked for in all and in words by their length in symbols.
	short, long       hashSet
	lengths           [2]uint16
	allWide, wordWide hashSet // windows of the parts, made when they are needed first
	edges             []edge
	gone              []gap
	depth             []int16 // how many gaps begin and end at each byte of a part
	isName            func(string, int) bool
}

// A place is where a symbol stands.
type place struct {
	symbol   symbol
	part     int16
	from, to int16
}

// removers are kept, because a record needs more room than it has bytes.
var removers = sync.Pool{New: func() any { return new(remover) }}

// free keeps the room, and nothing that was in it.
func (r *remover) free() {
	const most = 1 << 12 // of the short texts; chosen: few calls have more
	if cap(r.short.slots) > most || cap(r.long.slots) > most {
		return
	}
	r.parts, r.isName = nil, nil
	removers.Put(r)
}

// An edge is what stands before or behind a cut: what an argument begins or ends with.
type edge struct {
	hash     uint64
	from, to int // in words
	behind   bool
}

// A gap is what is taken out.
type gap struct{ part, from, to int16 }

// barrier stands between parts. No text has it.
const barrier symbol = 1<<31 - 1

// read finds the symbols of the parts, and where they were cut.
func (r *remover) read(parts []string) {
	r.parts, r.all, r.words, r.cuts, r.edges, r.gone = parts, r.all[:0], r.words[:0], r.cuts[:0], r.edges[:0], r.gone[:0]
	r.short.reset(0)
	r.long.reset(0)
	r.allWide.n, r.wordWide.n, r.lengths = 0, 0, [2]uint16{}
	for p, part := range parts {
		for i := 0; i < len(part); {
			c := part[i]
			from, symbol, size := i, symbol(c), 1
			switch {
			case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			case c >= 'A' && c <= 'Z':
				symbol |= 0x20
			case c == ' ':
				i++
				continue
			default:
				symbol, size = next(part, i)
				if symbol == '…' || symbol == '.' && strings.HasPrefix(part[i:], "...") {
					r.cuts = append(r.cuts, len(r.words))
					symbol = 0
				}
				if !isWordSymbol(symbol) {
					i += size
					continue
				}
			}
			i += size
			r.words = append(r.words, place{symbol, int16(p), int16(from), int16(i)}) //nolint:gosec // a part has 4 KiB
		}
		if part != "" {
			r.words = append(r.words, place{barrier, int16(p), int16(len(part)), int16(len(part))}) //nolint:gosec // as above
		}
	}
}

// readAll finds all symbols of the parts: only texts of few letters are looked for in them.
func (r *remover) readAll() {
	if len(r.all) > 0 {
		return
	}
	for p, part := range r.parts {
		for i := 0; i < len(part); {
			symbol, size := next(part, i)
			if symbol != 0 && symbol != '…' {
				r.all = append(r.all, place{symbol, int16(p), int16(i), int16(i + size)}) //nolint:gosec // as above
			}
			i += size
		}
		if part != "" {
			r.all = append(r.all, place{barrier, int16(p), int16(len(part)), int16(len(part))}) //nolint:gosec // as above
		}
	}
}

// without returns a part without what is taken out of it.
func (r *remover) without(part string, p int) string {
	found := false
	for _, g := range r.gone {
		if int(g.part) == p {
			if !found {
				found = true
				r.depth = append(r.depth[:0], make([]int16, len(part)+1)...)
			}
			r.depth[g.from]++
			r.depth[g.to]--
		}
	}
	if !found {
		return part
	}
	var b strings.Builder
	open := int16(0)
	for i := range len(part) {
		before := open
		open += r.depth[i]
		switch {
		case open == 0:
			b.WriteByte(part[i])
		case before == 0 || i == 0:
			b.WriteString(argument)
		}
	}
	return b.String()
}

// remove takes out what stands from one symbol to another one of the same part.
func (r *remover) remove(list []place, from, to int) {
	r.gone = append(r.gone, gap{list[from].part, list[from].from, list[to-1].to})
}
