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
	c.want(running, other(r), "While the first call runs")
	c.want(running, rerun(r), "While the first call runs, with Rerun")
	c.want(claimed, r, "Repeated by its owner, whose first reply may be lost")
	c.want(running, other(r), "After its owner has claimed twice")
	c.claimed(c.request())
}

func (c *check) conflicts() {
	r := c.claimed(c.request())
	c.want(conflict(""), otherArguments(r), "While a call with another fingerprint runs")
	for _, effect := range []toolerr.Effect{toolerr.EffectApplied, toolerr.EffectUnknown} {
		for _, kept := range [][]byte{answer, nil} {
			again := otherArguments(c.ended(effect, kept))
			c.want(conflict(effect), again, "After a call with another fingerprint and effect "+string(effect))
			again.Rerun = true
			c.want(conflict(effect), again, "With Rerun, after a call with another fingerprint and effect "+string(effect))
		}
	}
	again := otherArguments(c.abandoned())
	again.Rerun = true
	c.want(conflict(""), again, "With Rerun, after a call with another fingerprint whose lease has ended")
}

func (c *check) endings() {
	for with, kept := range someAnswers() {
		for effect, without := range map[toolerr.Effect]idempotency.Claim{toolerr.EffectApplied: done, toolerr.EffectUnknown: abandoned} {
			r, told, after := c.ended(effect, kept), without, "after effect "+string(effect)+", "+with
			if len(kept) > 0 {
				told = answered(kept)
			}
			for range 2 {
				c.want(told, other(r), after)
			}
			if effect == toolerr.EffectApplied {
				c.want(told, rerun(r), "with Rerun, "+after)
			}
		}
	}
}

func (c *check) released() {
	r := c.ended(toolerr.EffectNone, nil)
	second := otherArguments(r)
	c.want(claimed, second, "After a call without effect, with another fingerprint")
	c.want(conflict(""), other(r), "With the first fingerprint, after the second has claimed the id")
	c.finish(second, toolerr.EffectNone, answer)
	c.want(claimed, other(r), "After a second call without effect")
}

// takenOver lets a second owner claim ids, and tries to use them as the first.
func (c *check) takenOver() {
	for when, r := range map[string]idempotency.Request{
		"after a call without effect": c.ended(toolerr.EffectNone, nil),
		"after an unknown effect":     c.ended(toolerr.EffectUnknown, answer),
		"after one without an answer": c.ended(toolerr.EffectUnknown, nil),
		"after the end of the lease":  c.abandoned(),
	} {
		second := rerun(r)
		earlier := map[bool]toolerr.Effect{true: toolerr.EffectUnknown}[when != "after a call without effect"]
		c.want(idempotency.Claim{State: claimed.State, Effect: earlier}, second, "With Rerun, "+when)
		c.want(running, rerun(r), "With Rerun, while it runs again, "+when)
		for _, told := range []idempotency.Claim{running, answered(answer)} {
			owned := "by the first owner, " + when + " and a claim by another"
			c.lost(c.renew(r, longLease), "Renew "+owned)
			c.lost(c.end(r), "Finish "+owned)
			if got, err := c.store().Claim(c.ctx, r); err != nil || got.State == idempotency.StateClaimed {
				c.errorf("Claim %s returns %q and the error %v", owned, got.State, err)
			}
			c.want(told, other(r), "After Finish "+owned)
			c.finish(second, toolerr.EffectApplied, answer)
		}
	}
}

func (c *check) sameAttempt() {
	ended := func(call string, n int, effect toolerr.Effect, kept []byte) idempotency.Request {
		r := attempt(c.request(), call, n)
		r.Rerun = true
		c.claimed(r)
		c.finish(r, effect, kept)
		return r
	}
	long, same := token(), answered(answer)
	for name, of := range map[string]struct {
		call, again string
		first, n    int
		want        idempotency.Claim
	}{
		"the same attempt":                     {long, long, 2, 2, same},
		"an earlier attempt of the same call":  {long, long, 2, 1, same},
		"the next attempt":                     {long, long, 2, 3, claimed},
		"another call":                         {long, token(), 2, 2, claimed},
		"another call's first attempt":         {long, token(), 2, 1, claimed},
		"a call without numbers":               {long, "", 2, 0, claimed},
		"neither call has numbers":             {"", "", 0, 0, claimed},
		"the same number, without a call id":   {"", "", 2, 2, same},
		"an earlier number, without a call id": {"", "", 2, 1, claimed},
		"a later number, without a call id":    {"", "", 2, 3, claimed},
		"the same number, with a call id":      {"", long, 2, 2, claimed},
	} {
		for _, effect := range []toolerr.Effect{toolerr.EffectNone, toolerr.EffectUnknown} {
			again := attempt(ended(of.call, of.first, effect, answer), of.again, of.n)
			c.want(of.want, again, "Of "+name+", after effect "+string(effect))
			if of.want.State != idempotency.StateClaimed || of.n == 0 {
				continue
			}
			c.finish(again, effect, []byte("second"))
			c.want(answered([]byte("second")), other(again), "Once more of "+name+", after effect "+string(effect))
		}
	}
	c.want(claimed, other(ended("call", 1, toolerr.EffectNone, nil)), "Of the same attempt, after no effect and without an answer")
	c.want(claimed, otherArguments(ended("call", 1, toolerr.EffectNone, answer)), "Of the same attempt with another fingerprint, after no effect")
}

func (c *check) delayedClaim() {
	for _, effect := range []toolerr.Effect{toolerr.EffectNone, toolerr.EffectUnknown} {
		for _, kept := range [][]byte{nil, answer} {
			r := c.ended(effect, kept)
			r.Rerun = true
			got, err := c.store().Claim(c.ctx, r)
			if err != nil || got.State != idempotency.StateAnswered && got.State != idempotency.StateAbandoned {
				c.errorf("after effect %s, Claim by the owner that has finished returns %q and the error %v", effect, got.State, err)
			}
			c.want(claimed, rerun(r), "Of another owner after that")
		}
	}
}

func (c *check) finishedTwice() {
	r := c.ended(toolerr.EffectApplied, answer)
	c.finish(r, toolerr.EffectApplied, answer)
	c.want(answered(answer), other(r), "After the owner has finished twice")
	c.finish(r, toolerr.EffectApplied, nil)
	c.want(done, other(r), "After the owner has withdrawn its answer")
	c.lost(c.renew(r, longLease), "Renew after Finish")
	c.want(done, other(r), "After Renew by the owner that has finished")
}

func (c *check) leaseThatEnds() {
	r := c.abandoned()
	c.want(abandoned, other(r), "Claimed again after the end of the lease")
	c.finish(r, toolerr.EffectApplied, answer)
	c.want(answered(answer), other(r), "After the owner has finished, later than its lease")
	r = c.abandoned()
	c.want(claimed, r, "Repeated by the owner, after the end of its lease")
	c.want(running, rerun(r), "After the owner has claimed again")
}

func (c *check) renewed() {
	r := c.abandoned()
	if err := c.renew(r, longLease); err != nil {
		c.errorf("Renew after the end of the lease, when no other owner has claimed the id: %v", err)
	}
	c.want(running, rerun(r), "After the lease was renewed")
	if err := c.renew(r, shortLease); err != nil {
		c.errorf("Renew by the owner: %v", err)
	}
	c.waitForEnd(r, "A lease that was renewed for a millisecond")
	c.finish(r, toolerr.EffectApplied, answer)
	c.want(answered(answer), other(r), "After a call whose lease was renewed")
}

func (c *check) strangers() {
	unknown := c.request()
	c.lost(c.end(unknown), "Finish of an id that is not claimed")
	c.lost(c.renew(unknown, time.Minute), "Renew of an id that is not claimed")
	c.claimed(unknown)
	stranger := other(unknown)
	c.lost(c.renew(stranger, shortLease), "Renew by an owner that has claimed nothing")
	c.lost(c.end(stranger), "Finish by an owner that has claimed nothing")
	c.want(running, other(unknown), "After an unknown owner has tried to finish")
}
