package main

import (
	"sync"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A fleet holds the instances that the tools stop and terminate. It is safe for concurrent use.
type fleet struct {
	mu     sync.Mutex
	states map[string]string // by instance id
}

const (
	running    = "running"
	stopped    = "stopped"
	terminated = "terminated"
)

func newFleet() *fleet {
	return &fleet{states: map[string]string{"i-101": running, "i-102": running, "i-103": stopped}}
}

type instanceIn struct {
	InstanceID string `json:"instance_id" jsonschema:"the instance's id, such as i-101"`
}

type instanceOut struct {
	InstanceID string `json:"instance_id"`
	State      string `json:"state"`
}

// change sets an instance's state, unless may returns an error for the current one.
func (f *fleet) change(id, to string, may func(from string) error) (instanceOut, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	from, ok := f.states[id]
	if !ok {
		// It names no near misses: a guess must not terminate somebody else's instance.
		return instanceOut{}, toolerr.NotFound("instance", id).WithField("instance_id").
			WithHint("Do not try other ids. Ask the user for the exact id of the instance, then call again with it.")
	}
	if err := may(from); err != nil {
		return instanceOut{}, err
	}
	f.states[id] = to
	return instanceOut{InstanceID: id, State: to}, nil
}
