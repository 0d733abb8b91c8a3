package redisstore

import "github.com/redis/go-redis/v9"

// Each script uses one key, as a cluster requires. The server's clock determines the time; numbers
// are formatted, because Lua shortens large ones.
const now = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function ms(n) return string.format('%.0f', n) end
`

var (
	// claim returns the record of a call, and stores the request if there is none. Its ARGV are
	// request, owner, lease and time to live in milliseconds; KEYS[1] is the call.
	claim = redis.NewScript(now + `
local row = redis.call('HMGET', KEYS[1], 'request', 'lease', 'effect', 'answer', 'version', 'owner')
if not row[1] then
	redis.call('HSET', KEYS[1], 'request', ARGV[1], 'owner', ARGV[2], 'lease', ms(now + ARGV[3]),
		'effect', '', 'answer', '', 'version', '1')
	redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return {ms(now), row[1], row[2], row[3], row[4], row[5], row[6]}`)

	// take replaces a call. Its ARGV are those of claim, then the owner and version that the call
	// must still have.
	take = redis.NewScript(now + `
local row = redis.call('HMGET', KEYS[1], 'owner', 'version')
if row[1] ~= ARGV[5] or row[2] ~= ARGV[6] then return 0 end
redis.call('HSET', KEYS[1], 'request', ARGV[1], 'owner', ARGV[2], 'lease', ms(now + ARGV[3]),
	'effect', '', 'answer', '')
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`)

	// renew extends a lease. Its ARGV are owner, lease, time to live.
	renew = redis.NewScript(now + `
local row = redis.call('HMGET', KEYS[1], 'owner', 'effect')
if row[1] ~= ARGV[1] or row[2] ~= '' then return 0 end
redis.call('HSET', KEYS[1], 'lease', ms(now + ARGV[2]))
redis.call('HINCRBY', KEYS[1], 'version', 1)
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return 1`)

	// finish stores the end of a call. Its ARGV are owner, effect, answer, time to live.
	finish = redis.NewScript(now + `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'effect', ARGV[2], 'answer', ARGV[3])
redis.call('HINCRBY', KEYS[1], 'version', 1)
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1`)

	// resolve takes an abandoned call from its owner. Its ARGV are the effect and time to live.
	resolve = redis.NewScript(now + `
if ARGV[1] ~= 'applied' and ARGV[1] ~= 'none' then return 0 end
local row = redis.call('HMGET', KEYS[1], 'effect', 'lease', 'owner')
if not row[1] then return 0 end
local again = row[1] == ARGV[1] and row[3] == 'resolved'
if not again and row[1] ~= 'unknown' and (row[1] ~= '' or tonumber(row[2]) > now) then return 0 end
redis.call('HSET', KEYS[1], 'effect', ARGV[1], 'answer', '', 'owner', 'resolved')
redis.call('HINCRBY', KEYS[1], 'version', 1)
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`)

	// forget deletes a call. Its ARGV is the owner.
	forget = redis.NewScript(`if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)

	// count adds a call to its principal's set, KEYS[1]. Its ARGV are id, time to live, maximum.
	count = redis.NewScript(now + `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms(now))
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ms(now + ARGV[2]), ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`)
)
