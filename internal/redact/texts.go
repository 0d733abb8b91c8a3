package redact

import (
	"strings"
	"sync"
)

const (
	// shortText is the minimum length, in bytes, of a text that is removed. Chosen: shorter
	// ones are in every sentence.
	shortText = 4
	// longText is the minimum number of letters and digits of a text that is searched by
	// these alone, without the characters between them. Chosen: fewer are found across
	// words by chance.
	longText = 8
	// maxRecord is the number of bytes of a text that are read for a log. Chosen: twice as
	// many as it shows.
	maxRecord = 4 << 10
	// maxTexts is the maximum number of short texts of a call. Chosen: tools have about ten
	// arguments, and these texts take a megabyte of hashes.
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

// Remove replaces the texts by [argument] in each part of a log record. It must be called
// before anything else changes or cuts the parts. It recognizes texts however they are
// quoted, escaped or spelled, parts of longer texts from twelve letters and digits on, and
// the beginning or the end of a text at a cut of the record. Texts under four bytes are
// kept, and texts under eight bytes are kept inside words of errors. At most 4 KiB of each
// part are kept. If there is more than can be searched for, nothing is kept.
//
// The work is linear in the length of the record and of the arguments.
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

// A remover searches for texts in the parts of a record.
type remover struct {
	parts []string
	all   []place // all symbols of the parts
	words []place // only the letters and digits
	cuts  []int   // positions in words at which a text was cut
	// The searched texts in all and in words, by their length in symbols.
	short, long       hashSet
	lengths           [2]uint16
	allWide, wordWide hashSet // windows of the parts, computed when first needed
	edges             []edge
	gone              []gap
	depth             []int16 // the number of gaps that begin minus those that end at each byte of a part
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
	r.parts, r.isName = nil, nil
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

// read finds the symbols of the parts and the cuts.
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

// readAll finds all symbols of the parts. Only texts with few letters are searched in them.
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

// without returns a part without its gaps.
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

// remove removes the text from one symbol to another one of the same part.
func (r *remover) remove(list []place, from, to int) {
	r.gone = append(r.gone, gap{list[from].part, list[from].from, list[to-1].to})
}
