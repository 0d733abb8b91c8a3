package storm

import (
	"context"
	"sync"
	"syscall"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	serverRate    = 1200 // calls a second, at full capacity
	serverQueue   = 2 * time.Second
	clientTimeout = time.Second

	warmUp    = 30 * time.Second
	aftermath = 210 * time.Second
)

var errShed = toolerr.Transient("The queue is full.").WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)

// An outage reduces a server's capacity. With none left, it refuses connections.
type outage struct {
	capacity float64
	length   time.Duration
}

// A storm is a run, in a bubble. Its server has one queue, and refuses a call that would wait longer than
// serverQueue at full capacity. It works on calls even if the client is gone, which sustains the storm.
type storm struct {
	outage  outage
	cost    time.Duration // of a call, in work
	started time.Time

	mu      sync.Mutex
	busy    time.Duration // the work after which the server is idle
	seconds []second
}

// A second counts the calls that started and ended in it, and the attempts sent.
type second struct{ calls, attempts, succeeded, failed int }

// newStorm starts a run with a server that is smaller by the factor scale.
func newStorm(o outage, scale int) *storm {
	seconds := make([]second, (warmUp+o.length+aftermath)/time.Second)
	return &storm{outage: o, cost: time.Second * time.Duration(scale) / serverRate, started: time.Now(), seconds: seconds}
}

// work returns the work that the server can have done by a time, as time at full capacity.
func (o outage) work(at time.Duration) time.Duration {
	during := min(max(at-warmUp, 0), o.length)
	return at - time.Duration((1-o.capacity)*float64(during))
}

// when is the inverse of work, so that calls that are queued when the outage begins take longer too.
func (o outage) when(work time.Duration) time.Duration {
	late := float64(work - warmUp)
	switch {
	case late <= 0:
		return work
	case late < o.capacity*float64(o.length):
		return warmUp + time.Duration(late/o.capacity)
	}
	return work + time.Duration((1-o.capacity)*float64(o.length))
}

// send makes one attempt. Later calls do not change when it is done.
func (s *storm) send() error {
	wait, err := s.accept()
	time.Sleep(min(wait, clientTimeout)) // the simulation: in a bubble
	if wait > clientTimeout {
		return context.DeadlineExceeded
	}
	return err
}

// accept queues an attempt, and returns its duration.
func (s *storm) accept() (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(func(c *second) { c.attempts++ })
	now := time.Since(s.started)
	work := s.outage.work(now)
	if s.outage.capacity == 0 && warmUp <= now && now < warmUp+s.outage.length {
		s.busy = work // the queue is lost
		return 0, syscall.ECONNREFUSED
	}
	s.busy = max(s.busy, work)
	if s.busy-work >= serverQueue {
		return 0, errShed
	}
	s.busy += s.cost
	return s.outage.when(s.busy) - now, nil
}

// call makes and counts one call, with any number of attempts.
func (s *storm) call(do func(send func() error) error) {
	s.mu.Lock()
	s.count(func(c *second) { c.calls++ })
	s.mu.Unlock()
	err := do(s.send)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(func(c *second) {
		if err == nil {
			c.succeeded++
		} else {
			c.failed++
		}
	})
}

// count updates the counts of the current second. The caller holds the lock.
func (s *storm) count(add func(*second)) {
	if i := int(time.Since(s.started) / time.Second); i < len(s.seconds) {
		add(&s.seconds[i])
	}
}

// over reports whether no more calls start.
func (s *storm) over() bool {
	return time.Since(s.started) >= time.Duration(len(s.seconds))*time.Second
}

// openLoop starts a call of each client every second, whatever becomes of earlier calls.
func openLoop(s *storm, clients int, do caller) {
	var calls sync.WaitGroup
	for i := 0; !s.over(); i = (i + 1) % clients {
		calls.Go(func() { s.call(func(send func() error) error { return do(i, send) }) })
		time.Sleep(time.Second / time.Duration(clients)) // the simulation: in a bubble
	}
	calls.Wait()
}

// closedLoop lets each client call, think, and call again. A server at full capacity is then 0.5 s behind.
func closedLoop(s *storm, clients int, do caller) {
	const think = 2 * time.Second
	var agents sync.WaitGroup
	for i := range clients {
		agents.Go(func() {
			time.Sleep(think * time.Duration(i) / time.Duration(clients)) // the simulation: in a bubble
			for !s.over() {
				s.call(func(send func() error) error { return do(i, send) })
				time.Sleep(think) // the simulation: in a bubble
			}
		})
	}
	agents.Wait()
}

// amplification returns the number of attempts for each call started during the outage.
func (s *storm) amplification() float64 {
	var calls, attempts int
	for _, c := range s.seconds[warmUp/time.Second:][:s.outage.length/time.Second] {
		calls += c.calls
		attempts += c.attempts
	}
	return float64(attempts) / float64(calls)
}

// recovery returns the time from the end of the outage to that of the last second in which fewer than 99 %
// of the ended calls succeeded, or none did. If that is the end of the run, it has not recovered.
func (s *storm) recovery() time.Duration {
	end := int((warmUp + s.outage.length) / time.Second)
	i := len(s.seconds)
	for ; i > end; i-- {
		c := s.seconds[i-1]
		if c.succeeded == 0 || c.succeeded*100 < (c.succeeded+c.failed)*99 {
			break
		}
	}
	return time.Duration(i-end) * time.Second
}

// failures returns the number of failed calls.
func (s *storm) failures() int {
	n := 0
	for _, c := range s.seconds {
		n += c.failed
	}
	return n
}
