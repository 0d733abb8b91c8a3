package storecheck

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// answer is a short answer.
var answer = []byte(`{"out":1}`)

func (c *check) first() {
	r := c.claimed(c.request())
	c.want(idempotency.StateRunning, other(r), nil, "While the first call runs")
	c.want(idempotency.StateRunning, rerun(r), nil, "While the first call runs, with Rerun")
	c.want(idempotency.StateClaimed, r, nil, "Repeated by its owner, whose first reply may be lost")
	c.want(idempotency.StateRunning, other(r), nil, "After its owner has claimed twice")
	c.claimed(c.request())
}

func (c *check) conflicts() {
	r := c.claimed(c.request())
	c.conflict("", otherArguments(r), "While a call with another fingerprint runs")
	for _, effect := range []toolerr.Effect{toolerr.EffectApplied, toolerr.EffectUnknown} {
		for _, kept := range [][]byte{answer, nil} {
			r := c.claimed(c.request())
			c.finish(r, effect, kept)
			again := otherArguments(r)
			c.conflict(effect, again, "After a call with another fingerprint and effect "+string(effect))
			again.Rerun = true
			c.conflict(effect, again, "With Rerun, after a call with another fingerprint and effect "+string(effect))
		}
	}
	again := otherArguments(c.abandoned())
	again.Rerun = true
	c.conflict("", again, "With Rerun, after a call with another fingerprint whose lease has ended")
}

// conflict claims, and fails the test if the state is not StateConflict with the first call's
// effect. All effects but applied are equal.
func (c *check) conflict(effect toolerr.Effect, r idempotency.Request, when string) {
	c.tb.Helper()
	got, err := c.store().Claim(c.ctx, r)
	switch wasDone, isDone := effect == toolerr.EffectApplied, got.Effect == toolerr.EffectApplied; {
	case err != nil || got.State != idempotency.StateConflict || len(got.Answer) > 0:
		c.errorf("%s, Claim returns %q, an answer of %d bytes and the error %v, want %q", when, got.State, len(got.Answer), err, idempotency.StateConflict)
	case wasDone != isDone:
		c.errorf("%s, Claim returns %q with effect %q, want effect %q", when, got.State, got.Effect, effect)
	}
}

func (c *check) answers() {
	for name, kept := range someAnswers() {
		for _, effect := range []toolerr.Effect{toolerr.EffectApplied, toolerr.EffectUnknown} {
			r := c.claimed(c.request())
			c.finish(r, effect, kept)
			for range 2 {
				c.want(idempotency.StateAnswered, other(r), kept, "After an answer ("+name+") with effect "+string(effect))
			}
			if effect == toolerr.EffectApplied {
				c.want(idempotency.StateAnswered, rerun(r), kept, "With Rerun, after a call that was carried out")
			}
		}
	}
}

func (c *check) withoutAnswer() {
	for _, none := range [][]byte{nil, {}} {
		r := c.claimed(c.request())
		c.finish(r, toolerr.EffectApplied, none)
		c.want(idempotency.StateDone, other(r), nil, "After a call that was carried out, without an answer")
		c.want(idempotency.StateDone, rerun(r), nil, "With Rerun, after a call that was carried out, without an answer")
		r = c.claimed(c.request())
		c.finish(r, toolerr.EffectUnknown, none)
		c.want(idempotency.StateAbandoned, other(r), nil, "After an unknown effect, without an answer")
		c.want(idempotency.StateClaimed, rerun(r), nil, "With Rerun, after an unknown effect, without an answer")
	}
}

func (c *check) released() {
	r := c.claimed(c.request())
	c.finish(r, toolerr.EffectNone, nil)
	second := otherArguments(r)
	c.want(idempotency.StateClaimed, second, nil, "After a call without effect, with another fingerprint")
	c.want(idempotency.StateConflict, other(r), nil, "With the first fingerprint, after the second has claimed the id")
	c.lost(c.store().Finish(c.ctx, r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer}), "Finish by the first owner, after a second has claimed the id")
	c.finish(second, toolerr.EffectNone, answer)
	c.want(idempotency.StateClaimed, other(r), nil, "After a second call without effect")
}

func (c *check) unknown() {
	r := c.claimed(c.request())
	c.finish(r, toolerr.EffectUnknown, answer)
	second := rerun(r)
	c.want(idempotency.StateClaimed, second, nil, "With Rerun, after an unknown effect")
	c.want(idempotency.StateRunning, rerun(r), nil, "With Rerun, while it runs again")
	c.lost(c.store().Finish(c.ctx, r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer}), "Finish by the first owner, while it runs again")
	c.want(idempotency.StateRunning, other(r), nil, "After the first owner has tried to finish")
	c.finish(second, toolerr.EffectApplied, []byte("second"))
	c.want(idempotency.StateAnswered, rerun(r), []byte("second"), "After the second run")
}

func (c *check) sameAttempt() {
	for _, effect := range []toolerr.Effect{toolerr.EffectNone, toolerr.EffectUnknown} {
		ended := func(call string, n int) idempotency.Request {
			r := attempt(c.request(), call, n)
			r.Rerun = true
			c.claimed(r)
			c.finish(r, effect, answer)
			return r
		}
		long := token()
		for name, of := range map[string]struct {
			call, again string
			first, n    int
			want        idempotency.State
		}{
			"the same attempt":                     {long, long, 2, 2, idempotency.StateAnswered},
			"an earlier attempt of the same call":  {long, long, 2, 1, idempotency.StateAnswered},
			"the next attempt":                     {long, long, 2, 3, idempotency.StateClaimed},
			"another call":                         {long, token(), 2, 2, idempotency.StateClaimed},
			"another call's first attempt":         {long, token(), 2, 1, idempotency.StateClaimed},
			"a call without numbers":               {long, "", 2, 0, idempotency.StateClaimed},
			"neither call has numbers":             {"", "", 0, 0, idempotency.StateClaimed},
			"the same number, without a call id":   {"", "", 2, 2, idempotency.StateAnswered},
			"an earlier number, without a call id": {"", "", 2, 1, idempotency.StateClaimed},
			"a later number, without a call id":    {"", "", 2, 3, idempotency.StateClaimed},
			"the same number, with a call id":      {"", long, 2, 2, idempotency.StateClaimed},
		} {
			r := attempt(ended(of.call, of.first), of.again, of.n)
			kept := answer
			if of.want == idempotency.StateClaimed {
				kept = nil
			}
			c.want(of.want, r, kept, "Of "+name+", after effect "+string(effect))
		}
	}
	for _, next := range []idempotency.Request{{Call: "call", Attempt: 2}, {Call: "other", Attempt: 1}} {
		r := attempt(c.request(), "call", 1)
		c.claimed(r)
		c.finish(r, toolerr.EffectNone, answer)
		second := attempt(r, next.Call, next.Attempt)
		c.want(idempotency.StateClaimed, second, nil, "Of the next attempt, or another call's")
		c.finish(second, toolerr.EffectNone, []byte("second"))
		c.want(idempotency.StateAnswered, other(second), []byte("second"), "Of the second attempt once more, after no effect")
	}
	r := attempt(c.request(), "call", 1)
	c.claimed(r)
	c.finish(r, toolerr.EffectNone, nil)
	c.want(idempotency.StateClaimed, other(r), nil, "Of the same attempt, after no effect and without an answer")
	r = attempt(c.request(), "call", 1)
	c.claimed(r)
	c.finish(r, toolerr.EffectNone, answer)
	c.want(idempotency.StateClaimed, otherArguments(r), nil, "Of the same attempt with another fingerprint, after no effect")
}

func (c *check) delayedClaim() {
	for _, effect := range []toolerr.Effect{toolerr.EffectNone, toolerr.EffectUnknown} {
		for _, kept := range [][]byte{nil, answer} {
			r := c.request()
			r.Rerun = true
			c.claimed(r)
			c.finish(r, effect, kept)
			got, err := c.store().Claim(c.ctx, r)
			if err != nil || got.State != idempotency.StateAnswered && got.State != idempotency.StateAbandoned {
				c.errorf("after effect %s, Claim by the owner that has finished returns %q and the error %v", effect, got.State, err)
			}
			c.want(idempotency.StateClaimed, rerun(r), nil, "Of another owner after that")
		}
	}
}

func (c *check) finishedTwice() {
	r := c.claimed(c.request())
	for range 2 {
		c.finish(r, toolerr.EffectApplied, answer)
	}
	c.want(idempotency.StateAnswered, other(r), answer, "After the owner has finished twice")
	c.finish(r, toolerr.EffectApplied, nil)
	c.want(idempotency.StateDone, other(r), nil, "After the owner has withdrawn its answer")
	c.lost(c.renew(r, longLease), "Renew after Finish")
	c.want(idempotency.StateDone, other(r), nil, "After Renew by the owner that has finished")
}

func (c *check) leaseThatEnds() {
	r := c.abandoned()
	c.want(idempotency.StateAbandoned, other(r), nil, "Claimed again after the end of the lease")
	c.finish(r, toolerr.EffectApplied, answer)
	c.want(idempotency.StateAnswered, other(r), answer, "After the owner has finished, later than its lease")
	r = c.abandoned()
	again := r
	again.Lease = longLease
	c.want(idempotency.StateClaimed, again, nil, "Repeated by the owner, after the end of its lease")
	c.want(idempotency.StateRunning, rerun(r), nil, "After the owner has claimed again")
}

func (c *check) renewed() {
	r := c.abandoned()
	if err := c.renew(r, longLease); err != nil {
		c.errorf("Renew after the end of the lease, when no other owner has claimed the id: %v", err)
	}
	c.want(idempotency.StateRunning, rerun(r), nil, "After the lease was renewed")
	if err := c.renew(r, shortLease); err != nil {
		c.errorf("Renew by the owner: %v", err)
	}
	c.waitForEnd(r, "A lease that was renewed for a millisecond")
	c.finish(r, toolerr.EffectApplied, answer)
	c.want(idempotency.StateAnswered, other(r), answer, "After a call whose lease was renewed")
}

func (c *check) takenOver() {
	r := c.abandoned()
	second := rerun(r)
	c.want(idempotency.StateClaimed, second, nil, "With Rerun, after the end of the lease")
	late := idempotency.Ending{Effect: toolerr.EffectApplied, Answer: []byte("late")}
	for _, when := range []string{"while the second owner's handler runs", "after the second owner has finished"} {
		c.lost(c.renew(r, longLease), "Renew by the first owner, "+when)
		c.lost(c.store().Finish(c.ctx, r.ID, r.Owner, late), "Finish by the first owner, "+when)
		got, err := c.store().Claim(c.ctx, r)
		if err != nil || got.State == idempotency.StateClaimed {
			c.errorf("Claim by the first owner, %s, returns %q and the error %v", when, got.State, err)
		}
		c.finish(second, toolerr.EffectApplied, answer)
		c.want(idempotency.StateAnswered, other(r), answer, "After the second owner has finished")
	}
}

func (c *check) strangers() {
	end := idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer}
	unknown := c.request()
	c.lost(c.store().Finish(c.ctx, unknown.ID, unknown.Owner, end), "Finish of an id that is not claimed")
	c.lost(c.renew(unknown, time.Minute), "Renew of an id that is not claimed")
	c.claimed(unknown)
	stranger := other(unknown)
	c.lost(c.renew(stranger, shortLease), "Renew by an owner that has claimed nothing")
	c.lost(c.store().Finish(c.ctx, unknown.ID, stranger.Owner, end), "Finish by an owner that has claimed nothing")
	c.want(idempotency.StateRunning, other(unknown), nil, "After an unknown owner has tried to finish")
}
