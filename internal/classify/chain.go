package classify

import (
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"reflect"
	"time"
)

// A confidence says how much a class is worth beside another one in the same
// chain. Of the same confidence the outermost wins.
type confidence int

const (
	none       confidence = iota
	low                   // a Timeout or Temporary method, a type's name, a text
	httpStatus            // an HTTP status
	high                  // a sentinel, a standard type
	definitive            // a library's own code, which beats a status around it
)

// A finding is what is known of an error tree.
type finding struct {
	author   error // an error in the tree that its author has classified
	authored Classification
	class    class
	confidence
	after     time.Duration
	effect    string // in place of the class's, if not empty
	unproven  bool   // nothing proves that nothing was done
	retryable bool   // an error says that a retry may help, and nothing else
	permanent bool   // an error says that no retry helps
}

// Error classifies err, without a panic whatever the methods of its tree do. Known
// recognises an error that its author has classified: the first one in the tree is
// returned as author, with known's classification of it; of several branches the
// one that forbids a retry counts, and the worst effect of them all, which then may
// differ from the author's. What is not recognised is internal.
func Error(err error, known func(error) (c Classification, author error)) (c Classification, author error) {
	f := classify(err, known)
	return f.classification(), f.author
}

func classify(err error, known func(error) (Classification, error)) (f finding) {
	defer func() {
		if recover() != nil { // a method of an error in the tree
			f = finding{class: internal}
		}
	}()
	w := walker{left: maxErrors, known: known}
	f = w.chain(err, false)
	if w.left < 0 && f.author == nil {
		return finding{class: internal} // what was not seen may forbid a retry
	}
	return f
}

// classification is what is known in the end.
func (f *finding) classification() Classification {
	if f.author != nil {
		return f.authored
	}
	if f.class == unknown {
		return classes[internal]
	}
	c := f.class.after(f.after)
	if f.unproven && c.Effect == effectNone {
		c.Effect = ""
		if c.Retryable {
			c.Effect = effectUnknown
		}
	}
	if f.effect != "" {
		c.Effect = f.effect
	}
	if f.permanent {
		c.Retryable, c.After = false, 0
	}
	return c
}

// isUnknown reports whether nothing was found at all.
func (f *finding) isUnknown() bool { return f.author == nil && f.class == unknown }

type walker struct {
	left  int
	known func(error) (Classification, error)
}

// chain classifies err and what it wraps. Dialing says that err comes from setting
// up a connection, over which nothing was sent yet.
func (w *walker) chain(err error, dialing bool) (f finding) {
	top, leaf := err, err
	for err != nil {
		leaf = err
		if w.left--; w.left < 0 {
			break
		}
		if f.authored, f.author = w.known(err); f.author != nil {
			break
		}
		if op, ok := err.(*net.OpError); ok && op != nil && op.Op == "dial" { //nolint:errorlint // one link of the chain
			dialing = true
		}
		f.add(inspect(err, dialing))
		branches, inner, ok := unwrapped(err)
		switch {
		case !ok:
			f.permanent = true // what was not seen may forbid a retry
		case branches != nil:
			f.addBranch(w.branches(branches, dialing, reflect.TypeOf(err) == formatted))
			top = nil // its text is that of several errors
		case inner == nil:
			f.addHidden(w.branches(hidden(err), dialing, false))
		}
		err = inner
	}
	f.resolve()
	if f.isUnknown() && top != nil && w.left >= 0 {
		f.class, f.confidence, f.unproven = byText(top, leaf), low, true
	}
	return f
}

// formatted is what [fmt.Errorf] returns for several %w. Unlike the branches of a
// join, some of these are there to name the failure, not failures of their own.
var formatted = reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid))

// add takes in what was found further inside.
func (f *finding) add(g finding) {
	f.permanent = f.permanent || g.permanent
	f.retryable = f.retryable || g.retryable
	if g.class == unknown {
		if f.after == 0 {
			f.after = g.after
		}
		return
	}
	outer, inner := f.classification(), g.classification()
	better := f.class == unknown || f.confidence == low && g.confidence > low ||
		f.confidence == httpStatus && g.confidence == definitive && !g.class.isVague() ||
		f.class == invalid && f.confidence == low && !g.class.isVague() && !g.class.retryable() // which says what is invalid
	// The outer one does not know that the reply was lost.
	lost := f.class.retryable() && g.class.retryable() && outer.Effect == effectNone && inner.Effect == effectUnknown
	if better {
		f.class, f.confidence, f.effect, f.unproven = g.class, g.confidence, g.effect, g.unproven
	}
	if lost {
		f.effect = effectUnknown
	}
	if f.after == 0 || better && g.after > 0 {
		f.after = g.after
	}
}

// addBranch takes in what the branches of a join said.
func (f *finding) addBranch(g finding) {
	if g.author != nil {
		f.author, f.authored = g.author, g.authored
		return
	}
	f.add(g)
}

// resolve applies what was said about retrying as such, where nothing else is
// known. Only what can be repeated has a delay.
func (f *finding) resolve() {
	switch {
	case f.class != unknown || f.permanent:
	case f.retryable:
		f.class, f.confidence = replyLost, low
	case f.after > 0:
		f.class, f.confidence = throttled, low
	}
}

// branches classifies the errors of a join. Of those that forbid a retry one of
// permission wins, which nothing else must hide, then an author's own, then the
// first; then one of which nothing is known, then the one whose repeat is least
// safe. Whichever wins, the effect is the worst of them all: what one branch proves
// says nothing of the others.
func (w *walker) branches(errs []error, dialing, named bool) finding {
	var b branching
	worst := 0
	effect, unproven := "", false
	for _, err := range errs {
		if err == nil || w.left < 0 {
			continue
		}
		f := w.chain(err, dialing)
		if r := f.risk(); r > worst {
			worst, effect, unproven = r, f.classification().Effect, f.unproven
		}
		b.add(f, named)
	}
	f := b.finding()
	if f.risk() < worst {
		f.effect, f.authored.Effect, f.unproven = effect, effect, unproven
	}
	return f
}

// A branching is what the branches of a join have said so far.
type branching struct {
	forbids, unclassified, allows *finding
	longest                       time.Duration
	permanent                     bool
}

// add takes in a branch. Named says that an unclassified one names the failure, and
// is none of its own.
func (b *branching) add(f finding, named bool) {
	b.permanent = b.permanent || f.permanent
	switch {
	case f.isUnknown():
		if b.unclassified == nil && !named {
			b.unclassified = &f
		}
	case !f.classification().Retryable:
		if b.forbids == nil || b.forbids.rank() < f.rank() {
			b.forbids = &f
		}
	default:
		b.longest = max(b.longest, f.after)
		if b.allows == nil || b.allows.risk() < f.risk() {
			b.allows = &f
		}
	}
}

func (b *branching) finding() finding {
	switch {
	case b.forbids != nil:
		return *b.forbids
	case b.unclassified != nil && b.allows != nil:
		return finding{class: internal, confidence: low}
	case b.unclassified != nil:
		return *b.unclassified
	case b.allows != nil:
		b.allows.after, b.allows.permanent = max(b.allows.after, b.longest), b.permanent
		return *b.allows
	}
	return finding{permanent: b.permanent}
}

// rank says which of the findings that forbid a retry counts.
func (f *finding) rank() int {
	switch {
	case f.author != nil && f.authored.Category == permission:
		return 3
	case f.classification().Category == permission:
		return 2
	case f.author != nil:
		return 1
	}
	return 0
}

// risk ranks what may have happened.
func (f *finding) risk() int {
	switch f.classification().Effect {
	case effectNone:
		return 0
	case "":
		return 1
	case "applied":
		return 2
	}
	return 3
}

// isWrapper reports whether err only names what its inner error did.
func isWrapper(err error) bool {
	switch err.(type) { //nolint:errorlint // one link of the chain
	case *url.Error, *net.OpError, *os.SyscallError, *fs.PathError, *os.LinkError:
		return true
	}
	return reflect.TypeOf(err) == wrapped
}

// wrapped is what [fmt.Errorf] returns for one %w.
var wrapped = reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid))
