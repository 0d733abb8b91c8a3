package retry

import (
	"context"
	"crypto/sha256"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A chain is the call that [Resume] continues. A nil chain is that of any other call.
type chain struct {
	tool     string
	argument string // the argument with the key
	key      string // the key of the first part; "" if it has none
}

type chainKey struct{}

func chainOf(ctx context.Context) *chain {
	c, _ := ctx.Value(chainKey{}).(*chain)
	return c
}

// add records the key of the first part, which Resume does not know if it was created here.
func (c *chain) add(tool, argument, key string) {
	if c != nil && c.key == "" && c.tool == tool {
		c.argument, c.key = argument, key
	}
}

// partKey returns the key of the part that continues from a position. It is derived from the
// key of the first part, so that repeating the whole chain repeats its answers.
func (c *chain) partKey(continueFrom any) string {
	position, err := jsonvalue.Canonical(continueFrom)
	if err != nil {
		return newKey()
	}
	sum := sha256.Sum256(append([]byte(c.key+"\x00"), position...))
	return formatKey([16]byte(sum[:16]))
}
