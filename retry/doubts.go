package retry

import (
	"sync"
	"time"
)

// maxDoubts is the maximum number of keys in doubts. Chosen: as many as a [Guard] holds.
const maxDoubts = 5000

// A doubts holds the idempotency keys of calls that may have taken effect, with the time of the
// first attempt: a server that started later does not know the key. A nil *doubts holds nothing.
type doubts struct {
	mu   sync.Mutex
	sent map[string]time.Time
}

// since returns the time of the first attempt with a key, or the zero time.
func (d *doubts) since(key string) time.Time {
	if d == nil {
		return time.Time{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sent[key]
}

// set adds a key, or removes it if the time is zero. If there are too many, it forgets one of them.
func (d *doubts) set(key string, sent time.Time) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for other := range d.sent {
		if len(d.sent) < maxDoubts {
			break
		}
		delete(d.sent, other)
	}
	switch {
	case key == "" || sent.IsZero():
		delete(d.sent, key)
	case d.sent == nil:
		d.sent = map[string]time.Time{key: sent}
	default:
		d.sent[key] = sent
	}
}
