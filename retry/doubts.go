package retry

import (
	"sync"
	"time"
)

// maxDoubts is the maximum number of keys in doubts, chosen to equal a [Guard]'s limit.
const maxDoubts = 5000

// A doubts holds the idempotency keys of calls that may have taken effect, each with the time of
// its first attempt: a server that started later may not know the key. A nil *doubts holds nothing.
type doubts struct {
	mu   sync.Mutex
	sent map[string]time.Time
}

// since returns the time of the first attempt with a key, or the zero time.
func (d *doubts) since(key string) time.Time {
	if d == nil || key == "" {
		return time.Time{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sent[key]
}

// set adds a key, or removes it if the time is zero. If there are too many, it forgets an arbitrary one.
func (d *doubts) set(key string, sent time.Time) {
	if d == nil || key == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.sent, key)
	switch {
	case sent.IsZero():
		return
	case d.sent == nil:
		d.sent = map[string]time.Time{}
	case len(d.sent) == maxDoubts:
		for other := range d.sent {
			delete(d.sent, other)
			break
		}
	}
	d.sent[key] = sent
}
