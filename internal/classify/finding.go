package classify

import (
	"cmp"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

// A confidence ranks a class. In [finding.add] it decides between an outer and an inner error.
type confidence uint8

const (
	none       confidence = iota
	guess                 // a word in a field with any name, a line of a status
	low                   // a method such as Timeout, a type's name, a fixed text, the tool's fault
	httpStatus            // an HTTP status
	high                  // a sentinel, most standard types
	definitive            // a library's own code, which takes precedence over an HTTP status around it
)

// A finding is the classification of an error tree.
type finding struct {
	author error                // the error in the tree that its author classified
	given  class.Classification // the author's, or that of [class.Class.AsCallersFault]
	effect string               // replaces the effect of the class or the author if not empty
	after  time.Duration
	class  class.Class
	doubt  class.Class // replaces class if a Blame reports whose fault the error is
	confidence
	unproven bool // not proven that nothing was done
	batch
	retryable bool // an error declares that a retry may help
	permanent bool // an error declares that no retry helps
}

// classification returns the author's classification of a tree, or else that of its class.
func (f *finding) classification() class.Classification {
	c := f.given
	switch {
	case f.author != nil, c.Known():
	case f.class == class.Unknown:
		return class.Unexpected()
	default:
		c = f.class.After(f.after)
	}
	if f.unproven && c.Effect == class.EffectNone {
		c.Effect = ""
		if c.Retryable && f.author == nil {
			c.Effect = class.EffectUnknown
		}
	}
	c.Effect = effect.Worst(cmp.Or(f.effect, c.Effect), [...]string{effect.None, effect.Unknown, effect.Applied}[f.batch])
	if f.permanent && f.author == nil {
		c.Retryable, c.After = false, 0
	}
	return c
}

func (f *finding) isUnknown() bool { return f.author == nil && f.class == class.Unknown }

// add adds the finding of an inner error.
func (f *finding) add(g *finding) {
	f.batch = max(f.batch, g.batch)
	f.permanent = f.permanent || g.permanent
	f.retryable = f.retryable || g.retryable
	if g.class == class.Unknown {
		f.after = cmp.Or(f.after, g.after)
		return
	}
	better := f.class == class.Unknown || f.confidence <= low && g.confidence > f.confidence ||
		f.confidence == httpStatus && g.confidence == definitive && !g.class.IsVague() ||
		// the inner error states what is invalid
		f.class == class.Invalid && f.confidence <= httpStatus && !g.class.IsVague() && !g.class.Retryable() &&
			(f.confidence < httpStatus || g.given.Known() || g.class != class.Unparsed && g.class != class.UnparsedRange)
	// Only the inner error, or a status around it, reports that the reply was lost.
	outer, inner := f.classification().Effect, g.classification().Effect
	lost := f.class.Retryable() && g.class.Retryable() && (outer == class.EffectNone && inner == class.EffectUnknown ||
		f.confidence == httpStatus && outer == class.EffectUnknown && inner == class.EffectNone)
	if better {
		isRefused := f.class == class.Invalid && f.confidence == httpStatus // a status of 400 proves it
		f.class, f.confidence, f.effect, f.unproven = g.class, g.confidence, g.effect, g.unproven && !isRefused
		f.given = g.given
	}
	if lost {
		f.effect = class.EffectUnknown
	}
	if f.after == 0 || better && g.after > 0 {
		f.after = g.after
	}
}

// addBranch adds the finding of a join's branches. They may be about more than the error's own class, so
// one that forbids a retry takes precedence over a class that allows it.
func (f *finding) addBranch(g *finding) {
	if g.author != nil {
		f.author, f.given, f.effect, f.unproven = g.author, g.given, g.effect, g.unproven
		f.batch = max(f.batch, g.batch)
		return
	}
	if f.class.Retryable() && !g.class.Retryable() && !g.class.IsVague() {
		f.class = class.Unknown
	}
	f.add(g)
}

// resolve classifies an unclassified tree by what its errors declare about retrying, or by a delay.
func (f *finding) resolve() {
	switch {
	case f.class != class.Unknown || f.permanent:
	case f.retryable:
		f.class, f.confidence = class.ReplyLost, low
	case f.after > 0:
		f.class, f.confidence = class.Throttled, low
	}
}

// branches classifies the errors of a join. A branch that forbids a retry takes precedence: first
// one of category permission, then one classified by its author, then the first. Next comes an
// unclassified branch, then the branch that is least safe to repeat. The effect is the worst of all
// branches, because what one branch proves does not hold for the others. Of several %w errors, an
// unclassified one is only a name, and one about unparsable text counts only if no other is
// classified, its effect included.
func (w *walker) branches(errs []error, at place, named bool) finding {
	var best, unparsed finding
	worst, several, highest, own := effect.None, undone, 0, ""
	var longest time.Duration // of the branches that allow a retry, if there are any
	var allows, permanent bool
	for _, err := range errs {
		if err == nil {
			continue
		}
		f := w.chain(err, at)
		if named && f.author == nil && (f.class == class.Unparsed || f.class == class.UnparsedRange) {
			unparsed = f // its text may be the answer that another branch is about
			continue
		}
		c := f.classification()
		worst, several, permanent = effect.Worst(worst, c.Effect), max(several, f.batch), permanent || f.permanent
		if c.Retryable {
			allows, longest = true, max(longest, f.after)
		}
		r := f.rank(c)
		isWorse := r == 1 && r == highest && effect.Worst(own, c.Effect) != own
		if (r > highest || isWorse) && (!named || !f.isUnknown()) {
			best, highest, own = f, r, c.Effect
		}
	}
	switch {
	case best.isUnknown() && allows:
		best = finding{class: class.Internal, confidence: low}
	case best.isUnknown(), best.classification().Retryable:
		best.after, best.permanent = max(best.after, longest), permanent
	}
	best.batch = several
	if best.isUnknown() && unparsed.class != class.Unknown {
		return unparsed
	}
	if effect.Worst(own, worst) != own {
		best.effect, best.unproven = worst, worst == ""
	}
	return best
}

// rank orders the findings of branches, which have these classifications. The highest takes precedence.
func (f *finding) rank(c class.Classification) (rank int) {
	switch {
	case c.Retryable:
		return 1
	case f.isUnknown():
		return 2
	}
	if rank = 3; f.author != nil {
		rank++
	}
	if c.Category == class.Permission {
		rank += 2
	}
	return rank
}
