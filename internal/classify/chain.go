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

// A confidence orders the classes found in one chain. The highest takes precedence; of
// equal ones the outermost does.
type confidence int

const (
	none       confidence = iota
	low                   // a Timeout or Temporary method, a type's name, a text
	httpStatus            // an HTTP status
	high                  // a sentinel, a standard type
	definitive            // a library's own code, which takes precedence over an HTTP status around it
)

// A finding is the classification of an error tree.
type finding struct {
	author   error // the error in the tree that its author classified
	authored class.Classification
	class    class.Class
	doubt    class.Class // replaces class if a Blame reports that the error names something else
	blamed   bool        // the classification is that of [class.Class.AsCallersFault]
	field    string      // set if blamed
	confidence
	after     time.Duration
	effect    string // replaces the class's effect if not empty
	unproven  bool   // not proven that nothing was done
	words     bool   // class was read from text
	retryable bool   // an error declares that a retry may help, and nothing else
	permanent bool   // an error declares that no retry helps
}

// Known returns the classification that an error's author gave it, and the error, or nil if
// its author did not classify it.
type Known func(error) (c class.Classification, author error)

// A Blame reports whose fault the last error of a chain is, and which argument is at fault.
// It is the caller's if what that error, or one around it, names is in the call's
// arguments. The chain begins with the outermost error and must not be retained.
type Blame func(chain []error) (field string, fault Fault)

// A Fault is the party whose fault an error is.
type Fault int

// The faults.
const (
	Unnamed Fault = iota // the error names nothing
	Own                  // the tool's
	Callers              // the caller's
)

// Error classifies err. It does not panic, whatever the methods of the errors in its tree
// do. Known recognizes errors that their author classified: the first one in the tree is
// returned as author, with its classification. Of several branches the one that forbids a
// retry takes precedence, with the worst effect of all branches, which may then differ from
// the author's. An unrecognized error is internal.
//
// Blame is called for errors that may be the tool's or the caller's fault, such as text
// that cannot be parsed or a missing file. If it is nil, they are the tool's.
func Error(err error, known Known, blame Blame) (c class.Classification, author error) {
	f := classify(err, known, blame)
	return f.classification(), f.author
}

func classify(err error, known Known, blame Blame) (f finding) {
	defer func() {
		if recover() != nil { // a method of an error in the tree panicked
			f = finding{class: class.Internal}
		}
	}()
	w := walker{left: maxErrors, known: known, blame: blame}
	f = w.chain(err, place{})
	if w.left < 0 && f.author == nil {
		return finding{class: class.Internal} // the rest of the tree may forbid a retry
	}
	return f
}

// classification returns the resulting classification.
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

// isUnknown reports whether the tree is unclassified.
func (f *finding) isUnknown() bool { return f.author == nil && f.class == class.Unknown }

type walker struct {
	left  int
	known Known
	blame Blame
	path  []error // from the outermost error to the current one, if there is a blame

	textless bool // the text is not read
}

// A place describes the context of an error: what the errors around it report.
type place struct {
	dialing bool // setting up a connection; nothing was sent yet
	file    bool // an operation on a file, or a system call
}

// chain classifies err, in the context at, and what it wraps.
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
			f.permanent = true // the rest of the chain may forbid a retry
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
	if f.isUnknown() && top != nil && w.left >= 0 && !w.textless {
		f.class, f.confidence, f.unproven = byText(top, leaf), low, true
		f.words = f.class != class.Unknown
	}
	return f
}

// attributed returns the finding of err alone, attributed to the caller if the walker's
// Blame reports so.
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

// formatted is the type that [fmt.Errorf] returns for several %w. Unlike the branches of a
// join, some of its errors only name the failure.
var formatted = reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid))

// add adds a finding from further inside.
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
		f.class == class.Invalid && f.confidence == low && !g.class.IsVague() && !g.class.Retryable() // the inner error states what is invalid
	// The outer error does not report that the reply was lost.
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

// addBranch adds the finding of a join's branches.
func (f *finding) addBranch(g finding) {
	if g.author != nil {
		f.author, f.authored = g.author, g.authored
		return
	}
	f.add(g)
}

// resolve applies what the errors declare about retrying if nothing else is known. Only
// retryable classes have a delay.
func (f *finding) resolve() {
	switch {
	case f.class != class.Unknown || f.permanent:
	case f.retryable:
		f.class, f.confidence = class.ReplyLost, low
	case f.after > 0:
		f.class, f.confidence = class.Throttled, low
	}
}

// isWrapper reports whether err only adds the name of an operation to its inner error.
func isWrapper(err error) bool {
	switch err.(type) { //nolint:errorlint // one link of the chain
	case *url.Error, *net.OpError, *os.SyscallError, *fs.PathError, *os.LinkError:
		return true
	}
	return reflect.TypeOf(err) == formattedOne
}

// formattedOne is the type that [fmt.Errorf] returns for one %w.
var formattedOne = reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid))
