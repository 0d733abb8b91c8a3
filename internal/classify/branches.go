package classify

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// branches classifies the errors of a join. Of those that forbid a retry one of
// permission wins, which nothing else must hide, then an author's own, then the
// first; then one of which nothing is known, then the one whose repeat is least
// safe. Whichever wins, the effect is the worst of them all: what one branch proves
// says nothing of the others.
func (w *walker) branches(errs []error, at place, named bool) finding {
	var b branching
	worst := 0
	effect, unproven := "", false
	for _, err := range errs {
		if err == nil || w.left < 0 {
			continue
		}
		f := w.chain(err, at)
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
		return finding{class: class.Internal, confidence: low}
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
	case f.author != nil && f.authored.Category == class.Permission:
		return 3
	case f.classification().Category == class.Permission:
		return 2
	case f.author != nil:
		return 1
	}
	return 0
}

// risk ranks what may have happened.
func (f *finding) risk() int {
	switch f.classification().Effect {
	case class.EffectNone:
		return 0
	case "":
		return 1
	case "applied":
		return 2
	}
	return 3
}
