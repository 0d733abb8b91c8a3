package redact

// A hashSet is a set of non-zero hashes, with open addressing and a load factor of at most
// one half. All slots of an empty set are zero, also those beyond its length.
type hashSet struct {
	slots []uint64
	hits  []bool // one for each slot, if hits are counted
	n     int
}

// reset empties the set and reserves space for n hashes.
func (t *hashSet) reset(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	if size > cap(t.slots) {
		t.slots = make([]uint64, size)
	} else {
		if t.n > 0 {
			clear(t.slots)
		}
		t.slots = t.slots[:size]
	}
	t.n = 0
}

// find returns the slot of a hash, and whether the set contains it.
func (t *hashSet) find(h uint64) (int, bool) {
	mask := len(t.slots) - 1
	for i := int(h>>33) & mask; ; i = (i + 1) & mask {
		switch t.slots[i] {
		case h:
			return i, true
		case 0:
			return i, false
		}
	}
}

func (t *hashSet) has(h uint64) bool {
	_, ok := t.find(h)
	return ok
}

// add adds a hash, and grows the set if it is full.
func (t *hashSet) add(h uint64) {
	slot, ok := t.find(h)
	if ok {
		return
	}
	t.slots[slot] = h
	if t.n++; 2*t.n <= len(t.slots) {
		return
	}
	grown := hashSet{slots: make([]uint64, 2*len(t.slots)), n: t.n}
	for _, h := range t.slots {
		if h != 0 {
			slot, _ := grown.find(h)
			grown.slots[slot] = h
		}
	}
	*t = grown
}

const (
	// base is the base of the polynomial hashes. Chosen: any odd number.
	base = 0x9e3779b97f4a7c55
	// window is the number of consecutive symbols by which parts of an argument are
	// recognized. Chosen: no word of errors is longer.
	window = 12
)

// powers are the powers of base.
var powers = func() (p [window + 1]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * base
	}
	return p
}()

// keyed returns the hash of n symbols, which depends on n and is never zero.
func keyed(h uint64, n int) uint64 {
	if h = (h ^ uint64(n)) * 0xff51afd7ed558ccd; h == 0 { //nolint:gosec // n is small
		return 1
	}
	return h
}

// A gram is a hash of 12 bits of the last three symbols.
type gram uint32

const gramLength = 3

func (g gram) next(s symbol) gram { return (g<<4 ^ gram(s)) & (1<<12 - 1) } //nolint:gosec // a rune is not negative

// A textSet is a set of texts of at most a window of symbols.
type textSet struct {
	hashSet

	lengths uint16                 // a bit for each length in symbols
	ends    [(1 << 12) / 64]uint64 // a bit for each gram that a text ends with
}

// reset makes the set empty, with room for n texts.
func (t *textSet) reset(n int) {
	if t.n > 0 {
		t.lengths, t.ends = 0, [len(t.ends)]uint64{}
	}
	t.hashSet.reset(n)
}

// add adds a text of n symbols.
func (t *textSet) add(h uint64, n int, end gram) {
	t.hashSet.add(keyed(h, n))
	t.lengths |= 1 << n
	t.ends[end>>6] |= 1 << (end & 63)
	if n < gramLength { // any symbol may be before it
		for i := range t.ends {
			t.ends[i] = ^uint64(0)
		}
	}
}

// mayEnd reports whether a text of the set may end with these symbols.
func (t *textSet) mayEnd(end gram) bool { return t.ends[end>>6]>>(end&63)&1 != 0 }

// A roller hashes the last symbols of a text.
type roller struct {
	ring  [16]symbol
	n     int    // how many there were
	whole uint64 // of the first symbols, at most a window of them
	last  uint64 // of the last window
	end   gram   // the last three symbols
}

func (r *roller) push(s symbol) {
	h := uint64(s) //nolint:gosec // a rune is not negative
	r.end = r.end.next(s)
	if r.n < window {
		r.whole = r.whole*base + h
		r.last = r.whole
	} else {
		r.last = (r.last-uint64(r.ring[(r.n-window)&15])*powers[window-1])*base + h //nolint:gosec // as above
	}
	r.ring[r.n&15] = s
	r.n++
}

// tail returns the hash of the last k symbols.
func (r *roller) tail(k int) (h uint64) {
	for i := r.n - k; i < r.n; i++ {
		h = h*base + uint64(r.ring[i&15]) //nolint:gosec // a rune is not negative
	}
	return h
}
