package classify

import (
	"strings"
	"sync"
)

// A phraseRow has texts of a class, separated by bars.
type phraseRow struct {
	class class
	texts string
}

func phraseMap(rows []phraseRow) map[string]class {
	m := map[string]class{}
	for _, r := range rows {
		for text := range strings.SplitSeq(r.texts, "|") {
			m[text] = r.class
		}
	}
	return m
}

// texts are whole texts of well-known sentinels.
var texts = sync.OnceValue(func() map[string]class { return phraseMap(sentinelTexts) })

var sentinelTexts = []phraseRow{
	{timedOut, "" +
		"timeout|records have timed out before they were able to be produced|http2: timeout awaiting response headers|timeout exceeded|" +
		"hystrix: timeout|net/http: timeout awaiting response headers"},
	{notSent, "memcache: connect timeout|net/http: TLS handshake timeout"},
	{unavailable, "" +
		"redis: connection pool exhausted|redigo: connection pool exhausted|redis: all ring shards are down|" +
		"ERR max number of clients reached|Transaction Conflict. Please retry|kafka: controller is not available|" +
		"the maximum amount of records are buffered, cannot buffer more|http2: no cached connection was available|" +
		"http2: client conn not usable|http2: client conn could not be established|" +
		"http2: Transport received Server's graceful shutdown GOAWAY|memcache: no servers configured or available|circuit breaker is open|" +
		"no Elasticsearch node available|timed out enqueuing operation|" +
		"circuit breaker open|bulkhead full|hystrix: circuit open|hystrix: max concurrency|the server is busy, retry later"},
	{replyLost, "" +
		"invalid connection|http2: client connection lost|server closed idle connection|http: server closed idle connection|" +
		"net/http: HTTP/1.x transport connection broken|leadership lost while committing log|server Unavailable"},
	{throttled, "too many requests|rate limit exceeded"},
	// HTTP statuses, alone or as the Status of a response.
	{overloaded, "Too Many Requests|429 Too Many Requests"},
	{replyLost, "" +
		"Internal Server Error|500 Internal Server Error|Bad Gateway|502 Bad Gateway|Service Unavailable|503 Service Unavailable"},
	{timedOut, "Gateway Timeout|504 Gateway Timeout"},
	{canceled, "net/http: request canceled"},
	{internal, "sql: database is closed"},
	{invalid, "" +
		"violates foreign key constraint|violates check constraint|unsupported data|invalid field|empty slice found|primary key required|" +
		"incompatible value|Key is using a reserved !badger! prefix|Invalid request|document is nil|" +
		"must provide at least one element in input slice|memcache: malformed: key is too long or contains invalid characters"},
	{fileInvalid, "path escapes from parent"},
	{unparsed, "" +
		"invalid UUID format|gzip: invalid header|gzip: invalid checksum|zlib: invalid header|zlib: invalid checksum|" +
		"zlib: invalid dictionary|zip: unsupported compression algorithm|zip: not a valid zip file|zip: checksum error|archive/tar: invalid tar header|" +
		"encoding/hex: odd length hex string|image: unknown format"},
	{missing, "bucket name required|key required|Key cannot be empty"},
	{notFound, "" +
		"bucket not found|queue not found|task not found|file with given parameters not found|not found|record not found|404 Not Found|" +
		"no rows in result set|redigo: nil returned|memcache: cache miss|leveldb: not found|Key not found|http: named cookie not present"},
	{outOfRange, "" +
		"key too large|value too large|Txn is too big to fit into one request|websocket: message too big|" +
		"kafka: message is larger than Consumer.Fetch.Max|bcrypt: password length exceeds 72 bytes"},
	{fileTooLarge, "bufio.Scanner: token too long|http: request body too large"},
	{conflict, "task ID conflicts with another task|Existing key does not match lock use|memcache: compare-and-swap conflict"},
	{exists, "duplicated key not allowed|bucket already exists|task already exists"},
	{precondition, "" +
		"non-fast-forward update|worktree is not clean|bootstrap only works on new clusters|database is in read-only mode|queue is not empty|memcache: item not stored"},
	{unauthenticated, "" +
		"token is malformed|token is unverifiable|token signature is invalid|token is expired|token is not valid yet|" +
		"token used before issued|token has invalid claims|token has invalid audience|token has invalid issuer|token has invalid subject|" +
		"token has invalid id|token is missing required claim|signature is invalid|" +
		"\"exp\" not satisfied|\"nbf\" not satisfied|\"iat\" not satisfied"},
}

// isPermanentText reports whether a text is a sentinel by which a program says not to
// retry: asynq's.
func isPermanentText(text string) bool {
	return text == "skip retry for the task" || text == "revoke task"
}

// A prefixRow has the beginnings of texts of a class behind the name of the library
// that they are from, separated by bars. Of several that fit the first counts.
type prefixRow struct {
	library string
	class   class
	texts   string
}

var prefixes = []prefixRow{
	{"kafka", unavailable, "client has run out of available brokers"},
	{"json", unparsed, "unknown field|invalid|cannot unmarshal"},
	{"xml", unparsed, ""},
	{"mail", unparsed, ""},
	{"mime", unparsed, ""},
	{"asn1", unparsed, ""},
	{"jpeg", unparsed, ""},
	{"png", unparsed, ""},
	{"proto", unparsed, "cannot parse|syntax error|invalid|unknown field"},
	{"proto", missing, "required field"},
	{"yaml", unparsed, ""},
	{"toml", unparsed, ""},
	{"time", unparsed, "invalid duration|unknown unit|missing unit"},
	{"template", unparsed, ""},
	{"http", unparsed, "no Host in request URL"},
	{"tls", unparsed, "failed to find|failed to parse|private key"},
	{"x509", unparsed, "malformed|invalid|failed to parse"},
	{"sql", unparsed, "expected |converting |Scan error"},
	{"uuid", unparsed, ""},
	{"crypto/bcrypt", unauthenticated, ""},
	{"rate", throttled, "Wait(n="},
	{"nats", timedOut, "timeout"},
	{"nats", unavailable, "no responders|no servers available|slow consumer|connection reconnecting"},
	{"nats", unauthenticated, "Authorization Violation|authorization violation|authentication"},
	{"nats", denied, "Permissions Violation|permissions violation"},
	{"nats", outOfRange, "maximum payload"},
	{"nats", invalid, "invalid|bad "},
	{"nats", internal, "connection closed"},
	{"nats", notFound, "key not found|no message found|stream not found|consumer not found|bucket not found|object not found"},
	{"nats", exists, "key exists"},
	{"nats", replyLost, "stale connection|connection disconnected"},
	{"nats", conflict, "wrong last sequence"},
	{"gocql", timedOut, "no response received"},
	{"gocql", unavailable, "no hosts available|no connections|unable to create session|too many query timeouts"},
	{"gocql", replyLost, "connection closed"},
	{"websocket", internal, "bad handshake|close sent"},
	{"websocket", outOfRange, "read limit exceeded"},
	{"mongo", notFound, "no documents"},
	{"mongo", internal, "client is disconnected"},
	{"redis", notFound, "nil"},
	{"redis", internal, "client is closed"},
	{"redis", unavailable, "connection pool timeout"},
	{"redis", conflict, "transaction failed"},
	{"etcdserver", unavailable, "leader changed|no leader|not leader"},
	{"etcdserver", timedOut, "request timed out"},
	{"etcdserver", throttled, "too many requests"},
	{"etcdserver", exhausted, "mvcc: database space exceeded"},
	{"etcdserver", denied, "permission denied"},
	{"etcdserver", unauthenticated, "authentication failed|invalid auth token"},
	{"etcdserver", notFound, "key not found|requested lease not found"},
	{"etcdserver", invalid, "duplicate key"},
	{"etcdserver", exists, "lease already exists"},
	{"EvalSymlinks", fileInvalid, "too many links"}, // of path/filepath
	{"ssh", precondition, "handshake failed: ssh: no common algorithm"},
	{"ssh", unauthenticated, "" +
		"handshake failed: ssh: |handshake failed: knownhosts: |unable to authenticate|host key mismatch|cert has expired|" +
		"no auth passed yet"},
	{"ssh", unparsed, "no key found"},
	{"zk", unavailable, "could not connect to a server"},
	{"zk", replyLost, "connection closed|session has been expired by the server"},
	{"zk", precondition, "node has children"},
	{"oauth2", unauthenticated, "cannot fetch token|token expired"},
}

// redisCodes are the words that Redis begins an error with.
var redisCodes = sync.OnceValue(func() map[string]class { return phraseMap(redisWords) })

var redisWords = []phraseRow{
	{unavailable, "LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|READONLY|NOREPLICAS|MOVED|ASK|INPROG|NOMASTERLINK"},
	{exhausted, "OOM|MISCONF"},
	{invalid, "WRONGTYPE|ERR|CROSSSLOT|NOPROTO|SYNTAX|EXECABORT"},
	{notFound, "NOSCRIPT|NOGROUP"},
	{exists, "BUSYGROUP|BUSYKEY"},
	{unauthenticated, "NOAUTH|WRONGPASS"},
	{denied, "NOPERM|DENIED"},
}
