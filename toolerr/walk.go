package toolerr

import (
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"reflect"
	"time"
)

// A weight says how much a verdict is worth beside another one in the same
// chain. The outermost of the same weight wins.
type weight int

const (
	nothing    weight = iota
	weak              // a Timeout or Temporary method, a type's name, a text
	status            // an HTTP status
	solid             // a sentinel, a standard type, a library's code
	overridden        // a solid one that beats a status around it
)

// A finding is what is known of an error tree.
type finding struct {
	explicit *Error // an *Error in the tree
	verdict  verdict
	weight   weight
	vouched  bool // somebody says that a retry may help, and nothing else
	final    bool // somebody says that no retry helps
}

// retryable reports whether the finding allows a retry.
func (f *finding) retryable() bool {
	if f.explicit != nil {
		return f.explicit.retryable()
	}
	return f.verdict.retryable
}

// unknown reports whether nothing was found at all.
func (f *finding) unknown() bool { return f.explicit == nil && !f.verdict.known() }

// maxErrors is how many errors of a tree are looked at. Chosen: a tree of ten is
// large, and one that unwraps to itself has no end.
const maxErrors = 10_000

// judge walks the tree once.
func judge(err error) (f finding) {
	defer func() {
		if recover() != nil { // a method of an error in it
			f = finding{verdict: vInternal}
		}
	}()
	w := walker{left: maxErrors}
	f = w.chain(err, false)
	if w.left < 0 && f.explicit == nil {
		return finding{verdict: vInternal} // what was not seen may forbid a retry
	}
	return f
}

type walker struct{ left int }

// chain judges err and what it wraps. Dialing says that err comes from setting
// up a connection, over which nothing was sent yet.
func (w *walker) chain(err error, dialing bool) (f finding) {
	defer func() { f.settle() }()
	for err != nil {
		if w.left--; w.left < 0 {
			return f
		}
		if e := explicit(err); e != nil {
			f.explicit = e
			return f
		}
		if op, ok := err.(*net.OpError); ok && op != nil && op.Op == "dial" { //nolint:errorlint // one link of the chain
			dialing = true
		}
		f.add(inspect(err, dialing))
		switch x := err.(type) { //nolint:errorlint // one link of the chain
		case interface{ WrappedErrors() []error }: // go-multierror unwraps them one behind the other
			f.branch(w.branches(x.WrappedErrors(), dialing, false))
			return f
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ OrigErr() error }: // the AWS SDK's first version
			err = x.OrigErr()
		case interface{ Unwrap() []error }:
			f.branch(w.branches(x.Unwrap(), dialing, reflect.TypeOf(err) == formatted))
			return f
		default:
			return f
		}
	}
	return f
}

// formatted is what [fmt.Errorf] returns for several %w. Unlike the branches of a
// join, some of these are there to name the failure, not failures of their own.
var formatted = reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid))

// explicit returns the *Error that err is or says it is.
func explicit(err error) *Error {
	switch x := err.(type) { //nolint:errorlint // one link of the chain
	case *Error:
		return x
	case interface{ As(target any) bool }:
		var e *Error
		if x.As(&e) {
			return e
		}
	}
	return nil
}

// add takes in what was found further inside.
func (f *finding) add(g finding) {
	f.final = f.final || g.final
	f.vouched = f.vouched || g.vouched
	if !g.verdict.known() {
		if f.verdict.after == 0 {
			f.verdict.after = g.verdict.after
		}
		return
	}
	better := !f.verdict.known() || f.weight == weak && g.weight > weak || f.weight == status && g.weight == overridden
	after := f.verdict.after
	cut := f.verdict.retryable && g.verdict.retryable && f.verdict.effect == EffectNone && g.verdict.effect == EffectUnknown
	if better {
		f.verdict, f.weight = g.verdict, g.weight
	}
	if cut { // the outer one does not know that the reply was lost
		f.verdict.effect = EffectUnknown
	}
	if f.verdict.after == 0 {
		f.verdict.after = max(after, g.verdict.after)
	}
}

// branch takes in what the branches said.
func (f *finding) branch(g finding) {
	if g.explicit != nil {
		f.explicit = g.explicit
		return
	}
	f.add(g)
}

// settle applies what was said about retrying as such.
func (f *finding) settle() {
	if f.vouched && !f.final && !f.verdict.known() {
		after := f.verdict.after
		f.verdict, f.weight = vBroken, weak
		f.verdict.after = after
	}
	if !f.verdict.known() && f.verdict.after > 0 && !f.final { // only something that can be repeated has a delay
		after := f.verdict.after
		f.verdict, f.weight = vThrottled, weak
		f.verdict.after = after
	}
	if f.final {
		f.verdict.retryable = false
	}
}

// branches judges the errors of a join: of those that forbid a retry one of
// permission wins, which nothing else must hide, then an author's own, then the
// first; then one of which nothing is known, then the one whose repeat is least
// safe.
func (w *walker) branches(errs []error, dialing, named bool) finding {
	var forbids, unknown, allows *finding
	var longest time.Duration
	final := false
	for _, err := range errs {
		if err == nil {
			continue
		}
		if w.left < 0 {
			break
		}
		f := w.chain(err, dialing)
		final = final || f.final
		switch {
		case f.unknown():
			if unknown == nil && !named {
				unknown = &f
			}
		case !f.retryable():
			if forbids == nil || forbids.rank() < f.rank() {
				forbids = &f
			}
		case allows == nil || safer(allows, &f):
			longest = max(longest, f.verdict.after)
			allows = &f
		default:
			longest = max(longest, f.verdict.after)
		}
	}
	switch {
	case forbids != nil:
		return *forbids
	case unknown != nil && allows != nil:
		return finding{verdict: vInternal, weight: weak}
	case unknown != nil:
		return *unknown
	case allows != nil:
		allows.verdict.after = max(allows.verdict.after, longest)
		allows.final = final
		return *allows
	}
	return finding{final: final}
}

// rank says which of the findings that forbid a retry counts.
func (f *finding) rank() int {
	switch {
	case f.explicit != nil && f.explicit.Category == CategoryPermission:
		return 3
	case f.explicit == nil && f.verdict.category == CategoryPermission:
		return 2
	case f.explicit != nil:
		return 1
	}
	return 0
}

// safer reports whether repeating f is safer than repeating g.
func safer(f, g *finding) bool {
	return f.risk() < g.risk()
}

// risk ranks what may have happened.
func (f *finding) risk() int {
	effect := f.verdict.effect
	if f.explicit != nil {
		effect = f.explicit.Effect
	}
	switch effect {
	case EffectNone:
		return 0
	case "":
		return 1
	case EffectApplied:
		return 2
	case EffectUnknown:
		return 3
	}
	return 3
}

// transparent reports whether err only names what its inner error did.
func transparent(err error) bool {
	switch err.(type) { //nolint:errorlint // one link of the chain
	case *url.Error, *net.OpError, *os.SyscallError, *fs.PathError, *os.LinkError:
		return true
	}
	return reflect.TypeOf(err) == wrapped
}

// wrapped is what [fmt.Errorf] returns for one %w.
var wrapped = reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid))
