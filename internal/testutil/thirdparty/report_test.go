package thirdparty

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	wantedShare     = 0.98
	wantedCases     = 700
	wantedLibraries = 110
	mostSentences   = 40
)

// textAlone is the mechanism of errors that have nothing but a text. They are internal, unless
// the whole text is that of a well-known sentinel.
const textAlone = "8"

// excused maps cases of the mechanisms 1 to 6 that From may get wrong to the reason.
var excused = map[string]string{
	"prometheus/api: server_error 503":      "the status stands in the text alone",
	"prometheus/api: client_error 429":      "the status stands in the text alone",
	"prometheus/api: client_error 403":      "the status stands in the text alone",
	"dropbox: 500":                          "the library leaves the status out",
	"Khan/genqlient: 200 could not resolve": "the library leaves GitHub's type out",
}

// dated are the cases whose delay is sent as a point in time.
var dated = []string{
	"go-github: primary rate limit (403)", "go-github: primary rate limit, local",
	"go-github: secondary rate limit, local",
}

type score struct{ cases, right, unsafe, naiveRight, naiveUnsafe int }

func (s *score) add(o score) {
	s.cases += o.cases
	s.right += o.right
	s.unsafe += o.unsafe
	s.naiveRight += o.naiveRight
	s.naiveUnsafe += o.naiveUnsafe
}

func TestFrom(t *testing.T) {
	var total score
	var order []string
	scores := map[string]*score{}
	sentences := map[string]bool{}
	byMechanism := map[string]*score{}
	for _, c := range slices.Concat(allCases, labelledCases(t)) {
		t.Run(c.key(), func(t *testing.T) {
			begin := time.Now()
			err := c.make(t)
			if err == nil {
				t.Fatal("the case made no error")
			}
			e := toolerr.From(err)
			if e == nil {
				t.Fatalf("From returned nil for %s", describe(err))
			}
			var published struct{ Message, Hint string }
			must(t, json.Unmarshal(e.AppendJSON(nil), &published))
			sentences[published.Message], sentences[published.Hint] = true, true
			s := check(t, c, err, e, time.Since(begin))
			if scores[c.library] == nil {
				scores[c.library] = &score{}
				order = append(order, c.library)
			}
			if byMechanism[c.mechanism] == nil {
				byMechanism[c.mechanism] = &score{}
			}
			scores[c.library].add(s)
			byMechanism[c.mechanism].add(s)
			total.add(s)
		})
	}
	t.Logf("by library\n%s", table(order, scores, total))
	mechanisms := []string{"1", "2", "3", "4", "5", "6", "7", "7b", "8", "9"}
	t.Logf("by mechanism\n%s", table(mechanisms, byMechanism, total))
	t.Logf("%d sentences for %d errors", len(sentences), total.cases)
	if float64(total.right) < wantedShare*float64(total.cases) {
		t.Errorf("%d of %d right, want %.0f %%", total.right, total.cases, 100*wantedShare)
	}
	if len(sentences) > mostSentences {
		t.Errorf("%d different sentences, want at most %d: not all are fixed", len(sentences), mostSentences)
	}
}

// check fails the test for forbidden results, and logs wrong ones. The case took that long.
func check(t *testing.T, c testCase, err error, e *toolerr.Error, took time.Duration) score {
	s := score{cases: 1}
	right, unsafe := compared(c, e.Category, e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable)
	right = right || c.mechanism == textAlone && e.Code == toolerr.CodeInternal
	s.right, s.unsafe = count(right), count(unsafe)
	category, retryable := naive(err)
	naiveRight, naiveUnsafe := compared(c, category, retryable)
	s.naiveRight, s.naiveUnsafe = count(naiveRight), count(naiveUnsafe)

	got := fmt.Sprintf("got %s retryable=%t code=%s, want %v retryable=%s, mechanism %s\n%s",
		e.Category, e.Retryable, e.Code, c.categories, c.retryable, c.mechanism, describe(err))
	reason, isExcused := excused[c.key()]
	switch {
	case unsafe:
		t.Errorf("unsafe: %s", got)
	case !right && c.mechanism <= "6" && !isExcused:
		t.Errorf("wrong: %s", got)
	case !right && isExcused:
		t.Logf("wrong, but excused: %s\n    excuse: %s", got, reason)
	case !right:
		t.Logf("wrong: %s", got)
	case isExcused:
		t.Logf("needs no excuse any more: %s", got)
	}

	if c.retryable != nil && c.retryable.unproven && e.Effect == toolerr.EffectNone {
		t.Errorf("unsafe: nothing proves that the call was not carried out: %s", got)
	}

	slack := time.Duration(0)
	if slices.Contains(dated, c.key()) {
		slack = took + time.Second // it shrinks until it is read, and is sent in whole seconds
	}
	if d := e.RetryAfter - c.after; c.after > 0 && d.Abs() > slack {
		t.Errorf("got a delay of %v, want %v\n%s", e.RetryAfter, c.after, describe(err))
	} else if c.after == 0 && e.RetryAfter != 0 {
		t.Logf("an unexpected delay of %v\n%s", e.RetryAfter, describe(err))
	}

	for _, e := range []*toolerr.Error{e, toolerr.From(fmt.Errorf("%s: %w", secret, err))} {
		if envelope := string(e.AppendJSON(nil)); strings.Contains(envelope, secret) {
			t.Errorf("the envelope publishes the error's text: %s", envelope)
		}
	}
	return s
}

func compared(c testCase, category toolerr.Category, retryable bool) (right, unsafe bool) {
	if c.retryable == nil || c.retryable.retryable == nil {
		return slices.Contains(c.categories, category), false
	}
	wanted := *c.retryable.retryable
	return slices.Contains(c.categories, category) && wanted == retryable, retryable && !wanted
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (e *expectation) String() string {
	if e == nil || e.retryable == nil {
		return "either"
	}
	return fmt.Sprint(*e.retryable)
}

func describe(err error) string {
	return fmt.Sprintf("    chain: %s\n    text: %.300q", chain(err), err.Error())
}

// chain names the types of err and of what it wraps.
func chain(err error) string {
	name := fmt.Sprintf("%T", err)
	if inner := errors.Unwrap(err); inner != nil {
		return name + " > " + chain(inner)
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var parts []string
		for _, inner := range several.Unwrap() {
			parts = append(parts, chain(inner))
		}
		return name + " > {" + strings.Join(parts, ", ") + "}"
	}
	return name
}

func table(rows []string, scores map[string]*score, total score) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(name string, s score) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t\n", name, s.cases, s.right, s.unsafe, s.naiveRight, s.naiveUnsafe)
	}
	fmt.Fprintln(w, "\tcases\tright\tunsafe\tnaive right\tnaive unsafe\t")
	for _, name := range rows {
		if s := scores[name]; s != nil {
			line(name, *s)
		}
	}
	line("total", total)
	_ = w.Flush()
	return b.String()
}

func TestCases(t *testing.T) {
	known := map[string]bool{}
	libraries := map[string]bool{}
	for _, c := range slices.Concat(allCases, labelledCases(t)) {
		if known[c.key()] {
			t.Errorf("%s is there twice", c.key())
		}
		known[c.key()] = true
		libraries[c.library] = true
	}
	if len(known) < wantedCases || len(libraries) < wantedLibraries {
		t.Errorf("%d cases of %d libraries, want %d of %d", len(known), len(libraries), wantedCases, wantedLibraries)
	}
	for key := range excused {
		if !known[key] {
			t.Errorf("no case is called %q", key)
		}
	}
}
