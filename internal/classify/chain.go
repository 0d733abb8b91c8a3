package classify

import (
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"reflect"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
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
	authored class.Classification
	class    class.Class
	doubt    class.Class // in place of class if a Blame says that the error names something else
	blamed   bool        // byCaller's classification, not the class's
	field    string      // if blamed
	confidence
	after     time.Duration
	effect    string // in place of the class's, if not empty
	unproven  bool   // nothing proves that nothing was done
	words     bool   // the class was read from a text
	retryable bool   // an error says that a retry may help, and nothing else
	permanent bool   // an error says that no retry helps
}

// Known returns what the author of an error has said of it, and the error, or nil for
// one that no author has classified.
type Known func(error) (c class.Classification, author error)

// A Blame says whose fault the last error of a chain is: the caller's if what it
// names, or an error around it, stands in the call's arguments, and in which of them.
// The chain begins with the outermost error, and must not be kept.
type Blame func(chain []error) (field string, fault Fault)

// A Fault says whose fault an error is.
type Fault int

// The faults.
const (
	Unnamed Fault = iota // the error names nothing
	Own                  // the tool's
	Callers              // the caller's
)

// Error classifies err, without a panic whatever the methods of its tree do. Known
// recognises an error that its author has classified: the first one in the tree is
// returned as author, with known's classification of it; of several branches the
// one that forbids a retry counts, and the worst effect of them all, which then may
// differ from the author's. What is not recognised is internal.
//
// Blame is asked whose fault an error is that may be the tool's own or the caller's:
// a text that cannot be parsed, a file that is missing. If it is nil, such errors are
// the tool's own.
func Error(err error, known Known, blame Blame) (c class.Classification, author error) {
	f := classify(err, known, blame)
	return f.classification(), f.author
}

func classify(err error, known Known, blame Blame) (f finding) {
	defer func() {
		if recover() != nil { // a method of an error in the tree
			f = finding{class: class.Internal}
		}
	}()
	w := walker{left: maxErrors, known: known, blame: blame}
	f = w.chain(err, place{})
	if w.left < 0 && f.author == nil {
		return finding{class: class.Internal} // what was not seen may forbid a retry
	}
	return f
}

// classification is what is known in the end.
func (f *finding) classification() class.Classification {
	if f.author != nil {
		return f.authored
	}
	if f.class == class.Unknown {
		return class.Internal.Classification()
	}
	c := f.class.After(f.after)
	if f.blamed {
		c = f.class.AsCallersFault()
		c.Field = f.field
	}
	if f.unproven && c.Effect == class.EffectNone {
		c.Effect = ""
		if c.Retryable {
			c.Effect = class.EffectUnknown
		}
	}
	if f.effect != "" {
		c.Effect = f.effect
	}
	c.Words = f.words
	if f.permanent {
		c.Retryable, c.After = false, 0
	}
	return c
}

// isUnknown reports whether nothing was found at all.
func (f *finding) isUnknown() bool { return f.author == nil && f.class == class.Unknown }

type walker struct {
	left  int
	known Known
	blame Blame
	path  []error // from the outermost error to the one that is looked at, if there is a blame
}

// A place says what the errors around one are about.
type place struct {
	dialing bool // setting up a connection, over which nothing was sent yet
	file    bool // a file, or a system call
}

// chain classifies err, which stands at a place, and what it wraps.
func (w *walker) chain(err error, at place) (f finding) {
	outside := len(w.path)
	top, leaf := err, err
	for err != nil {
		leaf = err
		if w.left--; w.left < 0 {
			break
		}
		if f.authored, f.author = w.known(err); f.author != nil {
			break
		}
		switch e := err.(type) { //nolint:errorlint // one link of the chain
		case *net.OpError:
			at.dialing = at.dialing || e != nil && e.Op == "dial"
		case *fs.PathError, *os.LinkError, *os.SyscallError:
			at.file = true
		}
		f.add(w.attributed(err, inspect(err, at)))
		branches, inner, ok := unwrapped(err)
		switch {
		case !ok:
			f.permanent = true // what was not seen may forbid a retry
		case branches != nil:
			f.addBranch(w.branches(branches, at, reflect.TypeOf(err) == formatted))
			top = nil // its text is that of several errors
		case inner == nil:
			f.addHidden(w.branches(hidden(err), at, false))
		}
		err = inner
	}
	w.path = w.path[:outside]
	f.resolve()
	if f.isUnknown() && top != nil && w.left >= 0 {
		f.class, f.confidence, f.unproven = byText(top, leaf), low, true
		f.words = f.class != class.Unknown
	}
	return f
}

// attributed returns what was found of err by itself, blamed on the caller if the
// walker's Blame says so.
func (w *walker) attributed(err error, f finding) finding {
	if w.blame == nil {
		return f
	}
	w.path = append(w.path, err)
	doubt := f.doubt
	if f.class.MayBeCallersFault() {
		doubt = f.class
	}
	if doubt == class.Unknown {
		return f
	}
	switch field, fault := w.blame(w.path); fault {
	case Callers:
		return finding{class: doubt, blamed: true, field: field, confidence: high}
	case Own:
		return finding{class: doubt, confidence: low}
	case Unnamed:
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
	if g.class == class.Unknown {
		if f.after == 0 {
			f.after = g.after
		}
		return
	}
	outer, inner := f.classification(), g.classification()
	better := f.class == class.Unknown || f.confidence == low && g.confidence > low ||
		f.confidence == httpStatus && g.confidence == definitive && !g.class.IsVague() ||
		f.class == class.Invalid && f.confidence == low && !g.class.IsVague() && !g.class.Retryable() // which says what is invalid
	// The outer one does not know that the reply was lost.
	lost := f.class.Retryable() && g.class.Retryable() && outer.Effect == class.EffectNone && inner.Effect == class.EffectUnknown
	if better {
		f.class, f.confidence, f.effect, f.unproven = g.class, g.confidence, g.effect, g.unproven
		f.blamed, f.field, f.words = g.blamed, g.field, g.words
	}
	if lost {
		f.effect = class.EffectUnknown
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
	case f.class != class.Unknown || f.permanent:
	case f.retryable:
		f.class, f.confidence = class.ReplyLost, low
	case f.after > 0:
		f.class, f.confidence = class.Throttled, low
	}
}

// isWrapper reports whether err only names what its inner error did.
func isWrapper(err error) bool {
	switch err.(type) { //nolint:errorlint // one link of the chain
	case *url.Error, *net.OpError, *os.SyscallError, *fs.PathError, *os.LinkError:
		return true
	}
	return reflect.TypeOf(err) == formattedOne
}

// formattedOne is what [fmt.Errorf] returns for one %w.
var formattedOne = reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid))
