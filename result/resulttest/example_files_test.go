package resulttest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A fileStore is a persistent store for one process, with a file for each id. None is deleted.
type fileStore struct {
	dir string
	mu  sync.Mutex
}

// Claim implements [idempotency.Store]. An unreadable file is an error: the call is not executed.
func (s *fileStore) Claim(_ context.Context, r idempotency.Request) (idempotency.Claim, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, err := s.read(r.ID)
	if err != nil {
		return idempotency.Claim{}, err
	}
	now := time.Now()
	claim := known.Tell(r, now)
	if claim.State != idempotency.StateClaimed {
		return claim, nil
	}
	return claim, s.write(idempotency.Record{Request: r, LeaseEnds: now.Add(r.Lease)})
}

// Renew implements [idempotency.Store].
func (s *fileStore) Renew(_ context.Context, id, owner string, lease time.Duration) error {
	return s.change(id, owner, func(known *idempotency.Record) error {
		if known.Effect != "" {
			return idempotency.ErrLost
		}
		known.LeaseEnds = time.Now().Add(lease)
		return nil
	})
}

// Finish implements [idempotency.Store].
func (s *fileStore) Finish(_ context.Context, id, owner string, end idempotency.Ending) error {
	return s.change(id, owner, func(known *idempotency.Record) error {
		known.Ending = end
		return nil
	})
}

// change updates the record of an owner.
func (s *fileStore) change(id, owner string, to func(*idempotency.Record) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, err := s.read(id)
	switch {
	case err != nil:
		return err
	case known.Request.Owner != owner:
		return idempotency.ErrLost
	}
	if err := to(&known); err != nil {
		return err
	}
	return s.write(known)
}

// read returns the zero Record if there is no file.
func (s *fileStore) read(id string) (known idempotency.Record, err error) {
	raw, err := os.ReadFile(filepath.Join(s.dir, id))
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &known)
	}
	return known, err
}

// write replaces the file atomically.
func (s *fileStore) write(known idempotency.Record) error {
	raw, err := json.Marshal(known)
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, known.Request.ID)
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// A custom store in files. Its test is
//
//	resulttest.TestStore(t, func() idempotency.Store { return store })
func ExampleTestStore_files() {
	dir, err := os.MkdirTemp("", "keys")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	first := idempotency.Request{ID: "call-1", Fingerprint: "arguments", Owner: "a", Lease: time.Minute}
	before := &fileStore{dir: dir}
	claim, err := before.Claim(ctx, first)
	fmt.Println(claim.State, err)
	fmt.Println(before.Finish(ctx, "call-1", "a",
		idempotency.Ending{Effect: toolerr.EffectApplied, Answer: []byte("paid")}))

	after := &fileStore{dir: dir} // of the next process
	repeat := first
	repeat.Owner = "b"
	claim, err = after.Claim(ctx, repeat)
	fmt.Println(claim.State, string(claim.Answer), err)
	// Output:
	// claimed <nil>
	// <nil>
	// answered paid <nil>
}
