package redisstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The defaults of [Store], chosen as its documentation explains.
const (
	defaultPrefix    = "idempotency:"
	defaultMaxAge    = 24 * time.Hour
	defaultMaxAnswer = 1 << 20
	defaultMaxCalls  = 1_000_000
)

// forever replaces a negative MaxAge, chosen because Redis still accepts it as a time to live.
const forever = 100 * 365 * 24 * time.Hour

// tries is the maximum number of tries in a claim. It is chosen to be more than enough, because a
// try fails only if another request has just changed the call.
const tries = 20

// A Store is an [idempotency.Store] in Redis that many processes may share. Do not change its
// fields after its first use. It is safe for concurrent use. Set the client's MaxRetries to 10, so
// that it waits some seconds while a server restarts, and set ContextTimeoutEnabled.
type Store struct {
	// Client is the client of a server, a cluster or a sentinel. The caller closes it.
	Client redis.UniversalClient
	// Prefix starts each key in Redis. Default: "idempotency:".
	Prefix string
	// MaxAge is how long a call is remembered after it ends. After that, its key counts as new. A
	// call may be remembered longer, by up to an eighth of MaxAge plus a lease. Default: 24 h,
	// Stripe's minimum. A negative value means forever.
	MaxAge time.Duration
	// MaxAnswer is the maximum size of an answer in bytes. Finish returns an error for a longer
	// one, and package idempotency then stores only the effect. Default: 1 MiB, chosen as more than
	// any model reads. A negative value means no limit.
	MaxAnswer int
	// MaxCalls is the maximum number of remembered calls of a principal. Calls beyond it are
	// rejected with [idempotency.ErrFull]. Default: 1,000,000, chosen to allow ten a second for a
	// day. A negative value means no limit.
	MaxCalls int
}

// Check returns an error if the server, or a master of a cluster, may lose keys: if it has no
// append-only file, or may evict keys. Call it at startup. It needs permission to call INFO.
func (s *Store) Check(ctx context.Context) error {
	if err := s.invalid(); err != nil {
		return err
	}
	return s.each(ctx, func(ctx context.Context, server redis.Cmdable) error {
		info, err := infoOf(ctx, server, "persistence")
		if err == nil && info["aof_enabled"] != "1" {
			return errors.New("redisstore: Redis has no append-only file, and forgets all keys when it ends: set appendonly " +
				"to yes")
		}
		if err == nil {
			info, err = infoOf(ctx, server, "memory")
		}
		if policy := info["maxmemory_policy"]; err == nil && policy != "noeviction" {
			return fmt.Errorf("redisstore: Redis evicts keys, because its maxmemory-policy is %q: set it to noeviction", policy)
		}
		return failed("check", err)
	})
}

// each calls f with the server, or with each master of a cluster.
func (s *Store) each(ctx context.Context, f func(context.Context, redis.Cmdable) error) error {
	if cluster, ok := s.Client.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error { return f(ctx, master) })
	}
	return f(ctx, s.Client)
}

// invalid returns an error if a field is not valid.
func (s *Store) invalid() error {
	if 0 < s.MaxAge && s.MaxAge < time.Millisecond {
		return fmt.Errorf("redisstore: Store.MaxAge is %v: give it a unit, as in 24*time.Hour", s.MaxAge)
	}
	if s.Client == nil {
		return errNoClient
	}
	return nil
}

// Claim implements [idempotency.Store].
func (s *Store) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	if err := s.invalid(); err != nil {
		return idempotency.Claim{}, err
	}
	if lost, err := s.mayBeLost(ctx, r.UnknownFor); err != nil {
		return idempotency.Claim{}, failed("claim", err)
	} else if lost { // an unknown call may have been made
		unknown := r
		unknown.Owner = "another"
		if _, _, isNew, err := s.look(ctx, unknown); err != nil {
			return idempotency.Claim{}, failed("claim", err)
		} else if isNew {
			if err := s.count(ctx, unknown); err != nil {
				return idempotency.Claim{}, err
			}
			if err := s.Finish(ctx, r.ID, unknown.Owner, idempotency.Ending{Effect: toolerr.EffectUnknown}); err != nil {
				return idempotency.Claim{}, err
			}
		}
	}
	var earlier toolerr.Effect // of a try whose reply was lost
	for range tries {
		known, at, isNew, err := s.look(ctx, r)
		if err != nil {
			return idempotency.Claim{}, failed("claim", err)
		}
		if isNew {
			return idempotency.Claim{State: idempotency.StateClaimed}, s.count(ctx, r)
		}
		claim := known.Tell(r, at)
		claim.Effect = cmp.Or(claim.Effect, earlier)
		earlier = claim.Effect
		if claim.State != idempotency.StateClaimed {
			return claim, nil
		}
		taken, err := take.Run(ctx, s.Client, s.key(r.ID), append(s.claimArgs(r), known.owner, known.version)...).Int()
		if err != nil || taken == 1 {
			return claim, failed("claim", err)
		}
	}
	return idempotency.Claim{}, failed("claim", errMoved)
}

// Renew implements [idempotency.Store].
func (s *Store) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	return s.change(ctx, "renew", renew, id, owner, lease.Milliseconds(), (lease + s.maxAge()).Milliseconds())
}

// Finish implements [idempotency.Store].
func (s *Store) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	if most := cmp.Or(s.MaxAnswer, defaultMaxAnswer); most >= 0 && len(end.Answer) > most {
		return fmt.Errorf("redisstore: finish: the answer has %d bytes, Store.MaxAnswer is %d", len(end.Answer), most)
	}
	return s.change(ctx, "finish", finish, id, owner, string(end.Effect), end.Answer, s.maxAge().Milliseconds())
}

// Resolve implements [idempotency.Resolver].
func (s *Store) Resolve(ctx context.Context, id string, effect toolerr.Effect) error {
	return s.change(ctx, "resolve", resolve, id, string(effect), s.maxAge().Milliseconds())
}

// A record is the stored data of a call.
type record struct {
	idempotency.Record

	owner, version string // the owner is not the request's after Resolve
}

// look returns a call's record and the server's time. If there is no record, it stores the request.
func (s *Store) look(ctx context.Context, r idempotency.Request) (known record, now time.Time, isNew bool, err error) {
	row, err := claim.Run(ctx, s.Client, s.key(r.ID), s.claimArgs(r)...).Slice()
	if err != nil {
		return known, now, false, err
	}
	texts := make([]string, len(row))
	for i, v := range row {
		texts[i], _ = v.(string)
	}
	at, err := strconv.ParseInt(texts[0], 10, 64)
	if now = time.UnixMilli(at); err != nil || texts[1] == "" {
		return known, now, true, err
	}
	lease, err := strconv.ParseInt(texts[2], 10, 64)
	known.LeaseEnds, known.Effect, known.version, known.owner = time.UnixMilli(lease), toolerr.Effect(texts[3]), texts[5],
		texts[6]
	if texts[4] != "" {
		known.Answer = []byte(texts[4])
	}
	err = errors.Join(err, json.Unmarshal([]byte(texts[1]), &known.Request))
	known.Request.Owner = known.owner // Resolve takes the call from its owner
	return known, now, false, err
}

func (s *Store) claimArgs(r idempotency.Request) []any {
	request, _ := json.Marshal(r) // strings and numbers
	age := s.maxAge()
	return []any{request, r.Owner, r.Lease.Milliseconds(), (r.Lease + age + age/8).Milliseconds()}
}

// count counts a new call, or forgets it if its principal has no room left.
func (s *Store) count(ctx context.Context, r idempotency.Request) error {
	most := cmp.Or(s.MaxCalls, defaultMaxCalls)
	if most < 0 {
		return nil
	}
	age := s.maxAge()
	key := []string{cmp.Or(s.Prefix, defaultPrefix) + "of:" + r.Principal}
	fits, err := count.Run(ctx, s.Client, key, r.ID, (r.Lease + age + age/8).Milliseconds(), most).Int()
	if err == nil && fits == 1 {
		return nil
	}
	if gone := forget.Run(ctx, s.Client, s.key(r.ID), r.Owner).Err(); gone != nil || err != nil {
		return failed("claim", cmp.Or(err, gone))
	}
	return idempotency.ErrFull
}

// change runs a script that changes an owner's call.
func (s *Store) change(ctx context.Context, what string, script *redis.Script, id string, args ...any) error {
	if err := s.invalid(); err != nil {
		return err
	}
	changed, err := script.Run(ctx, s.Client, s.key(id), args...).Int()
	if err == nil && changed == 0 {
		return idempotency.ErrLost
	}
	return failed(what, err)
}

// mayBeLost reports whether a call of this age may be lost, because a server has started since.
func (s *Store) mayBeLost(ctx context.Context, age time.Duration) (bool, error) {
	if age <= 0 {
		return false, nil
	}
	var isYounger atomic.Bool // the masters of a cluster are asked concurrently
	err := s.each(ctx, func(ctx context.Context, server redis.Cmdable) error {
		info, err := infoOf(ctx, server, "server")
		seconds, _ := strconv.Atoi(info["uptime_in_seconds"])
		if err == nil && time.Duration(seconds)*time.Second <= age {
			isYounger.Store(true)
		}
		return err
	})
	return isYounger.Load(), err
}

// infoOf returns a section of INFO.
func infoOf(ctx context.Context, server redis.Cmdable, section string) (map[string]string, error) {
	text, err := server.Info(ctx, section).Result()
	members := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		members[name] = value
	}
	return members, err
}

var (
	errNoClient = errors.New("redisstore: set Store.Client")
	errMoved    = errors.New("other claims changed the call in between")
)

// failed adds the operation to an error, and classifies a temporary one as unavailable.
func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	var refused redis.Error
	word, _, _ := strings.Cut(err.Error(), " ")
	if !errors.As(err, &refused) ||
		strings.Contains(" LOADING READONLY CLUSTERDOWN TRYAGAIN MASTERDOWN BUSY OOM ", " "+word+" ") {
		away := toolerr.Unavailable("The server of idempotency keys is not available.", time.Second).WithEffect("").
			WithCause(err)
		return fmt.Errorf("redisstore: %s: %w (%s)", what, away, err.Error())
	}
	return fmt.Errorf("redisstore: %s: %w", what, err)
}

func (s *Store) key(id string) []string { return []string{cmp.Or(s.Prefix, defaultPrefix) + id} }

func (s *Store) maxAge() time.Duration {
	if s.MaxAge < 0 {
		return forever
	}
	return min(cmp.Or(s.MaxAge, defaultMaxAge), forever)
}
