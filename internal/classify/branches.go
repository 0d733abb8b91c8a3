package classify

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

// branches classifies the errors of a join. A branch that forbids a retry takes precedence: first
// one of category permission, then one classified by its author, then the first. Next comes an
// unclassified branch, then the branch that is least safe to repeat. The effect is the worst of all
// branches, because what one branch proves does not hold for the others. Of several %w errors, one
// about unparsable text counts only if no other is classified, its effect included.
func (w *walker) branches(errs []error, at place, named bool) finding {
	b := branching{walker: w}
	worst, several, unparsed := effect.None, undone, finding{}
	for _, err := range errs {
		if err == nil {
			continue
		}
		f := w.chain(err, at)
		if named && f.author == nil && (f.class == class.Unparsed || f.class == class.UnparsedRange) {
			unparsed = f // its text may be the answer that another branch is about
			continue
		}
		worst, several = effect.Worst(worst, w.classification(&f).Effect), max(several, f.batch)
		b.add(f, named)
	}
	f := b.finding()
	f.batch = several
	if f.isUnknown() && unparsed.class != class.Unknown {
		return unparsed
	}
	if own := w.classification(&f).Effect; effect.Worst(own, worst) != own {
		f.effect, f.unproven = worst, worst == ""
	}
	return f
}

// A branching accumulates the findings of a join's branches.
type branching struct {
	*walker

	forbids, unclassified, allows *finding
	longest                       time.Duration
	permanent                     bool
}

// add adds a branch. If named is set, an unclassified branch is only a name. Its effect still
// counts, because it may say that something was done.
func (b *branching) add(f finding, named bool) {
	b.permanent = b.permanent || f.permanent
	switch {
	case f.isUnknown():
		if b.unclassified == nil && !named {
			b.unclassified = &f
		}
	case !b.classification(&f).Retryable:
		if b.forbids == nil || b.rank(b.forbids) < b.rank(&f) {
			b.forbids = &f
		}
	default:
		b.longest = max(b.longest, f.after)
		if b.allows == nil || b.isWorse(&f, b.allows) {
			b.allows = &f
		}
	}
}

func (b *branching) finding() finding {
	switch {
	case b.forbids != nil:
		return *b.forbids
	case b.unclassified != nil && b.allows != nil:
		return finding{class: class.Internal, confidence: low}
	case b.unclassified != nil:
		return *b.unclassified
	case b.allows != nil:
		b.allows.after, b.allows.permanent = max(b.allows.after, b.longest), b.permanent
		return *b.allows
	}
	return finding{permanent: b.permanent}
}

// rank orders the findings that forbid a retry. The highest takes precedence.
func (w *walker) rank(f *finding) int {
	switch denied := w.classification(f).Category == class.Permission; {
	case denied && f.author != nil:
		return 3
	case denied:
		return 2
	case f.author != nil:
		return 1
	}
	return 0
}

// isWorse reports whether the effect of a is worse than that of b.
func (w *walker) isWorse(a, b *finding) bool {
	effectOfB := w.classification(b).Effect
	return effect.Worst(effectOfB, w.classification(a).Effect) != effectOfB
}
