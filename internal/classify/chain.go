package classify

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// Known returns the classification that an error's author gave it, and that error or nil.
type Known func(error) (c class.Classification, author error)

// A Blame reports whose fault the last error of a chain is, and which argument is at fault. The
// caller is at fault if the call's arguments contain what that error, or one around it, names. The
// chain begins with the outermost error and must not be retained. Rejection is what a service or a
// library's parser says of a statement or a text, if the error is such a rejection.
type Blame func(chain []error, rejection string) (field string, fault Fault)

// A Fault says whose fault an error is.
type Fault int

// The faults.
const (
	Unnamed Fault = iota // the error names nothing
	Own                  // the tool's
	Callers              // the caller's
)

// Error classifies err. If a method of an error panics, the whole tree is internal. Known
// recognizes errors that their author classified: the first one in the tree is returned as author,
// with its classification. Of several branches, one that forbids a retry takes precedence, but the
// effect is the worst of all branches, and may differ from the author's. An unrecognized error is
// internal.
//
// Blame is called for errors that may be the tool's or the caller's fault, such as text that cannot
// be parsed or a missing file. If Blame is nil, all but [fs.ErrNotExist], [fs.ErrPermission] and
// [fs.ErrInvalid] alone are the tool's.
func Error(err error, known Known, blame Blame) (c class.Classification, author error) {
	defer func() {
		if recover() != nil { // a method of an error in the tree panicked
			c, author = Internal(), nil
		}
	}()
	w := walker{left: maxErrors, known: known, blame: blame}
	f := w.chain(err, place{})
	if f.author == nil && w.left < 0 {
		return Internal(), nil // the rest of the tree may forbid a retry
	}
	return f.classification(), f.author
}

// A walker walks an error tree once. It calls Error on what has an Unwrap method only for SQLSTATE 57014
// and, with a Blame, for the rejection of a statement and a library's parse error, because the text of
// nested joins grows quadratically.
type walker struct {
	left  int
	known Known
	blame Blame
	path  []error // from the outermost error to the current one, if there is a blame
}

// A place holds what is known from the errors around an error.
type place struct {
	dialing bool // setting up a connection; nothing was sent yet
	file    bool // an operation on a file or a program, or a system call
	program bool // a program was to be started
}

func (at place) inside(wrapper error) place {
	switch e := wrapper.(type) { //nolint:errorlint // one link of the chain
	case *net.OpError:
		at.dialing = at.dialing || e.Op == "dial"
	case *fs.PathError:
		at.file, at.program = true, at.program || e.Op == "fork/exec"
	case *exec.Error:
		at.file, at.program = true, true
	case *os.LinkError, *os.SyscallError:
		at.file = true
	}
	return at
}

// chain classifies err, found at a place, and what it wraps.
func (w *walker) chain(err error, at place) (f finding) {
	outside, repeats := len(w.path), false
	for err != nil {
		if w.left--; w.left < 0 {
			break
		}
		if given, author := w.known(err); author != nil {
			f.given, f.author = given, author
			f.effect, f.unproven = "", false // these are of the errors around it
			break
		}
		t := typeInfoOf(reflect.TypeOf(err))
		at = at.inside(err)
		g := t.inspect(err, at)
		if w.blame != nil {
			g = w.attributed(err, g)
		}
		f.add(&g)
		f.batch = max(f.batch, t.writes.of(err))
		repeats = repeats || t.repeats || reflect.TypeOf(err) == wrapped && givesUp(err.Error())
		branches, inner := unwrap(err)
		if !t.unwraps {
			branches = t.hidden(err)
		}
		if branches != nil {
			g := w.branches(branches, at, reflect.TypeOf(err) == formatted)
			// An error that is not declared as wrapped does not prove, by a class that allows a retry, that
			// nothing else was done.
			g.unproven = g.unproven || !t.unwraps && g.class.Retryable()
			f.addBranch(&g)
		}
		err = inner
	}
	w.path = w.path[:outside]
	f.unproven = f.unproven || repeats && f.author == nil // an attempt before the last may have been carried out
	f.resolve()
	return f
}

// attributed applies the fault that Blame (not nil) reports to f, the finding of err alone.
func (w *walker) attributed(err error, f finding) finding {
	w.path = append(w.path, err)
	doubt := f.doubt
	if f.class.AsCallersFault().Known() {
		doubt = f.class
	}
	if doubt == class.Unknown {
		return f
	}
	rejection := ""
	if t := typeInfoOf(reflect.TypeOf(err)); doubt.RejectsStatement() || doubt == class.Unparsed && t.isForeign {
		l := t.link(err)
		rejection = cmp.Or(l.paths.message(l.object).text, l.text())
	}
	switch field, fault := w.blame(w.path, rejection); fault {
	case Callers:
		given := doubt.AsCallersFault()
		given.Field = field
		return finding{class: doubt, given: given, confidence: high}
	case Own:
		return finding{class: doubt, confidence: low}
	case Unnamed:
	}
	return f
}

// formatted is the type that [fmt.Errorf] returns for several %w. Unlike the branches of a join,
// some of the wrapped errors may only name the failure.
var formatted = reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid))

// wrapped is the type that [fmt.Errorf] returns for one %w.
var wrapped = reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid))

// givesUp reports whether a text is hashicorp/go-retryablehttp's for the last of several attempts.
func givesUp(text string) bool {
	const longest = 1 << 10 // of the method and the address before it
	_, after, _ := strings.Cut(text[:min(len(text), longest)], " giving up after ")
	count, isIt := strings.CutSuffix(strings.SplitN(after, ":", 2)[0], " attempt(s)")
	return isIt && count != "1"
}

// wrapperTypes are types that add only context to their inner error, such as an operation's name.
var wrapperTypes = []reflect.Type{
	reflect.TypeFor[*url.Error](), reflect.TypeFor[*net.OpError](), reflect.TypeFor[*os.SyscallError](),
	reflect.TypeFor[*fs.PathError](), reflect.TypeFor[*os.LinkError](), reflect.TypeFor[*exec.Error](),
	wrapped,
}

// plainTypes are the types of errors from [errors.New], and from [fmt.Errorf] without %w.
var plainTypes = []reflect.Type{
	reflect.TypeOf(errors.New("")),
	reflect.TypeOf(fmt.Errorf("%d", 0)), //nolint:err113,forbidigo,perfsprint // for its type
}

// IsPlain reports whether an error, not nil, is a text and nothing else, by its type.
func IsPlain(err error) bool { return typeInfoOf(reflect.TypeOf(err)).isPlain }
