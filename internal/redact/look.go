package redact

import (
	"unicode/utf8"
	"unsafe"
)

// look searches for the texts, and reports whether it could search for all.
func (r *remover) look(t Texts) bool {
	r.isName = t.IsName
	r.readEdges()
	r.leaves(unsafe.String(unsafe.SliceData(t.Arguments), len(t.Arguments))) // nothing of it is retained
	if t.Key != "" {
		r.leaf(t.Key, false)
	}
	if r.short.n+r.long.n > maxTexts {
		return false
	}
	if r.short.n > 0 {
		r.readAll()
		r.findTexts(r.all, &r.short, true)
	}
	r.findTexts(r.words, &r.long, false)
	r.findWide(r.all, &r.allWide)
	r.findWide(r.words, &r.wordWide)
	for _, e := range r.edges {
		if e.to > e.from && e.hash == 0 {
			r.remove(r.words, e.from, e.to)
		}
	}
	return true
}

// leaf reads the JSON body of one text: it marks the windows that the parts contain, and
// remembers a text without a window as a whole.
func (r *remover) leaf(text string, isNumber bool) {
	if len(text) < shortText {
		return
	}
	var words roller
	for i := 0; i < len(text); {
		s, size := symbol(wordFolds[text[i]]), 1
		if s == special {
			s, size = next(text, i)
			if !isWordSymbol(s) {
				s = 0
			}
		}
		i += size
		if s == 0 {
			continue
		}
		words.push(s)
		switch {
		case words.n < window:
			if len(r.edges) > 0 && words.n >= shortText {
				r.edge(keyed(words.whole, words.n), false, i == len(text))
			}
		case r.windows < maxWindows:
			r.windows++
			r.long.add(words.last, window, words.end)
		default:
			r.mark(r.words, &r.wordWide, words.last)
		}
	}
	for k := shortText; k < min(words.n, window) && len(r.edges) > 0; k++ {
		r.edge(keyed(words.tail(k), k), true, false)
	}
	switch {
	case words.n < longText && (!isNumber || words.n < shortText):
		r.shortLeaf(text)
	case words.n < window && r.long.n <= maxTexts:
		r.long.add(words.whole, words.n, words.end)
	}
}

// shortLeaf looks at a text of few letters and digits: it remembers the text as a whole, or
// marks the windows of one with many signs.
func (r *remover) shortLeaf(text string) {
	var all roller
	size := 0
	for i := 0; i < len(text); {
		s, n := symbol(allFolds[text[i]]), 1
		if s == special {
			s, n = next(text, i)
		}
		i += n
		if s != 0 {
			size += utf8.RuneLen(s)
			all.push(s)
		}
	}
	switch {
	case size < shortText:
	case all.n >= window:
		r.signs(text)
	case r.short.n <= maxTexts:
		r.short.add(all.whole, all.n, all.end)
	}
}

// signs marks the windows of a text with more signs than letters and digits.
func (r *remover) signs(text string) {
	r.readAll()
	var all roller
	for i := 0; i < len(text); {
		s, n := next(text, i)
		i += n
		if s == 0 {
			continue
		}
		if all.push(s); all.n >= window {
			r.mark(r.all, &r.allWide, all.last)
		}
	}
}

// mark marks the windows of the parts with this hash.
func (r *remover) mark(list []place, wide *hashSet, h uint64) {
	if wide.n == 0 {
		if len(list) <= window {
			return
		}
		wide.reset(len(list))
		wide.hits = append(wide.hits[:0], make([]bool, len(wide.slots))...)
		var roll roller
		for _, at := range list {
			if roll.push(at.symbol); roll.n >= window {
				wide.add(keyed(roll.last, window))
			}
		}
	}
	if slot, ok := wide.find(keyed(h, window)); ok {
		wide.hits[slot] = true
	}
}

// findWide removes the marked windows.
func (r *remover) findWide(list []place, wide *hashSet) {
	if wide.n == 0 {
		return
	}
	var roll roller
	for i, at := range list {
		if roll.push(at.symbol); roll.n < window {
			continue
		}
		if slot, ok := wide.find(keyed(roll.last, window)); ok && wide.hits[slot] {
			r.remove(list, i+1-window, i+1)
		}
	}
}

// findTexts takes out the texts of the set: of those that end with the same symbol the
// longest.
func (r *remover) findTexts(list []place, set *textSet, careful bool) {
	if set.n == 0 {
		return
	}
	end := gram(0)
	for i := range list {
		if end = end.next(list[i].symbol); set.mayEnd(end) {
			if k := r.longest(list[:i+1], set, careful); k > 0 {
				r.remove(list, i+1-k, i+1)
			}
		}
	}
}

// longest returns the length of the longest text of the set that the list ends with, or 0.
func (r *remover) longest(list []place, set *textSet, careful bool) (longest int) {
	h, last := uint64(0), len(list)-1
	for k := 1; set.lengths>>k != 0 && k <= len(list); k++ {
		first := &list[len(list)-k]
		h += uint64(first.symbol) * powers[k-1] //nolint:gosec // a rune is not negative
		if set.lengths>>k&1 == 0 || !set.has(keyed(h, k)) {
			continue
		}
		if !careful || !r.isWordOfErrors(r.parts[first.part], int(first.from), int(list[last].to)) {
			longest = k
		}
	}
	return longest
}

// readEdges finds the texts that begin before a cut or end after it. The end of a part may
// be a cut without a mark, so that more symbols must match.
func (r *remover) readEdges() {
	const most = 8 // chosen: a record is cut at its end, and quotes a few texts
	for _, cut := range r.cuts[:min(len(r.cuts), most)] {
		r.edgesAt(cut, shortText)
		for k := shortText; k < window && cut+k <= len(r.words) && r.words[cut+k-1].symbol != barrier; k++ {
			r.edges = append(r.edges, edge{hash: keyed(hashOf(r.words[cut:cut+k]), k), from: cut, to: cut + k, behind: true})
		}
	}
	for i, at := range r.words {
		if at.symbol == barrier && int(at.part) < r.cutParts && len(r.edges) < 4*most*window {
			r.edgesAt(i, longText)
		}
	}
}

// edgesAt adds the possible beginnings of texts before a cut.
func (r *remover) edgesAt(cut, least int) {
	for k := least; k < window && cut >= k && r.words[cut-k].symbol != barrier; k++ {
		from := cut - k
		if from > 0 && r.words[from-1].part == r.words[from].part && r.words[from-1].to == r.words[from].from {
			continue // inside a word
		}
		r.edges = append(r.edges, edge{hash: keyed(hashOf(r.words[from:cut]), k), from: from, to: cut})
	}
}

func hashOf(list []place) (h uint64) {
	for _, at := range list {
		h = h*base + uint64(at.symbol) //nolint:gosec // a rune is not negative
	}
	return h
}

// edge removes the text at a cut if an argument begins or ends with it. Edges that were
// found have no hash.
func (r *remover) edge(h uint64, behind, whole bool) {
	if whole {
		return
	}
	for i := range r.edges {
		if e := &r.edges[i]; e.hash == h && e.behind == behind {
			e.hash = 0
		}
	}
}
