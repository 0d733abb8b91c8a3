package codes

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A phraseRow holds texts of one class, separated by bars.
type phraseRow struct {
	class class.Class
	texts string
}

func phraseMap(rows []phraseRow) map[string]class.Class {
	m := map[string]class.Class{}
	for _, r := range rows {
		for text := range strings.SplitSeq(r.texts, "|") {
			m[text] = r.class
		}
	}
	return m
}

// texts are the whole texts of well-known sentinels.
var texts = sync.OnceValue(func() map[string]class.Class { return phraseMap(sentinelTexts) })

var sentinelTexts = []phraseRow{
	{class.TimedOut, "" +
		"timeout|records have timed out before they were able to be produced|http2: timeout awaiting response headers|timeout exceeded|" +
		"hystrix: timeout|net/http: timeout awaiting response headers"},
	{class.NotSent, "memcache: connect timeout|net/http: TLS handshake timeout"},
	{class.Unavailable, "" +
		"redis: connection pool exhausted|redigo: connection pool exhausted|redis: all ring shards are down|" +
		"ERR max number of clients reached|Transaction Conflict. Please retry|kafka: controller is not available|" +
		"the maximum amount of records are buffered, cannot buffer more|http2: no cached connection was available|" +
		"http2: client conn not usable|http2: client conn could not be established|" +
		"http2: Transport received Server's graceful shutdown GOAWAY|memcache: no servers configured or available|circuit breaker is open|" +
		"no Elasticsearch node available|timed out enqueuing operation|" +
		"circuit breaker open|bulkhead full|hystrix: circuit open|hystrix: max concurrency|the server is busy, retry later"},
	{class.ReplyLost, "" +
		"invalid connection|http2: client connection lost|server closed idle connection|http: server closed idle connection|" +
		"net/http: HTTP/1.x transport connection broken|leadership lost while committing log|server Unavailable"},
	{class.Throttled, "too many requests|rate limit exceeded"},
	// HTTP statuses, alone or as the Status of a response.
	{class.Overloaded, "Too Many Requests|429 Too Many Requests"},
	{class.ReplyLost, "" +
		"Internal Server Error|500 Internal Server Error|Bad Gateway|502 Bad Gateway|Service Unavailable|503 Service Unavailable"},
	{class.TimedOut, "Gateway Timeout|504 Gateway Timeout"},
	{class.Canceled, "net/http: request canceled"},
	{class.Internal, "sql: database is closed"},
	{class.Invalid, "" +
		"violates foreign key constraint|violates check constraint|unsupported data|invalid field|empty slice found|primary key required|" +
		"incompatible value|Key is using a reserved !badger! prefix|Invalid request|document is nil|" +
		"must provide at least one element in input slice|memcache: malformed: key is too long or contains invalid characters"},
	{class.FileInvalid, "path escapes from parent"},
	{class.Unparsed, "" +
		"invalid UUID format|gzip: invalid header|gzip: invalid checksum|zlib: invalid header|zlib: invalid checksum|" +
		"zlib: invalid dictionary|zip: unsupported compression algorithm|zip: not a valid zip file|zip: checksum error|archive/tar: invalid tar header|" +
		"encoding/hex: odd length hex string|image: unknown format"},
	{class.Missing, "bucket name required|key required|Key cannot be empty"},
	{class.NotFound, "" +
		"bucket not found|queue not found|task not found|file with given parameters not found|not found|record not found|404 Not Found|" +
		"no rows in result set|redigo: nil returned|memcache: cache miss|leveldb: not found|Key not found|http: named cookie not present"},
	{class.OutOfRange, "" +
		"key too large|value too large|Txn is too big to fit into one request|websocket: message too big|" +
		"kafka: message is larger than Consumer.Fetch.Max|bcrypt: password length exceeds 72 bytes"},
	{class.FileTooLarge, "bufio.Scanner: token too long|http: request body too large"},
	{class.Conflict, "task ID conflicts with another task|Existing key does not match lock use|memcache: compare-and-swap conflict"},
	{class.Exists, "duplicated key not allowed|bucket already exists|task already exists"},
	{class.Precondition, "" +
		"non-fast-forward update|worktree is not clean|bootstrap only works on new clusters|database is in read-only mode|queue is not empty|memcache: item not stored"},
	{class.Unauthenticated, "" +
		"token is malformed|token is unverifiable|token signature is invalid|token is expired|token is not valid yet|" +
		"token used before issued|token has invalid claims|token has invalid audience|token has invalid issuer|token has invalid subject|" +
		"token has invalid id|token is missing required claim|signature is invalid|" +
		"\"exp\" not satisfied|\"nbf\" not satisfied|\"iat\" not satisfied"},
}

// IsPermanentText reports whether a text is one of asynq's sentinels that forbid a retry.
func IsPermanentText(text string) bool {
	return text == "skip retry for the task" || text == "revoke task"
}

// A prefixRow holds prefixes of texts of one class, separated by bars. They follow the name
// of the library. The first row that fits applies.
type prefixRow struct {
	library string
	class   class.Class
	texts   string
}

var prefixes = []prefixRow{
	{"kafka", class.Unavailable, "client has run out of available brokers"},
	{"json", class.Unparsed, "unknown field|invalid|cannot unmarshal"},
	{"xml", class.Unparsed, ""},
	{"mail", class.Unparsed, ""},
	{"mime", class.Unparsed, ""},
	{"asn1", class.Unparsed, ""},
	{"jpeg", class.Unparsed, ""},
	{"png", class.Unparsed, ""},
	{"proto", class.Unparsed, "cannot parse|syntax error|invalid|unknown field"},
	{"proto", class.Missing, "required field"},
	{"yaml", class.Unparsed, ""},
	{"toml", class.Unparsed, ""},
	{"time", class.Unparsed, "invalid duration|unknown unit|missing unit"},
	{"template", class.Unparsed, ""},
	{"http", class.Unparsed, "no Host in request URL"},
	{"tls", class.Unparsed, "failed to find|failed to parse|private key"},
	{"x509", class.Unparsed, "malformed|invalid|failed to parse"},
	{"sql", class.Unparsed, "expected |converting |Scan error"},
	{"uuid", class.Unparsed, ""},
	{"crypto/bcrypt", class.Unauthenticated, ""},
	{"rate", class.Throttled, "Wait(n="},
	{"nats", class.TimedOut, "timeout"},
	{"nats", class.Unavailable, "no responders|no servers available|slow consumer|connection reconnecting"},
	{"nats", class.Unauthenticated, "Authorization Violation|authorization violation|authentication"},
	{"nats", class.Denied, "Permissions Violation|permissions violation"},
	{"nats", class.OutOfRange, "maximum payload"},
	{"nats", class.Invalid, "invalid|bad "},
	{"nats", class.Internal, "connection closed"},
	{"nats", class.NotFound, "key not found|no message found|stream not found|consumer not found|bucket not found|object not found"},
	{"nats", class.Exists, "key exists"},
	{"nats", class.ReplyLost, "stale connection|connection disconnected"},
	{"nats", class.Conflict, "wrong last sequence"},
	{"gocql", class.TimedOut, "no response received"},
	{"gocql", class.Unavailable, "no hosts available|no connections|unable to create session|too many query timeouts"},
	{"gocql", class.ReplyLost, "connection closed"},
	{"websocket", class.Internal, "bad handshake|close sent"},
	{"websocket", class.OutOfRange, "read limit exceeded"},
	{"mongo", class.NotFound, "no documents"},
	{"mongo", class.Internal, "client is disconnected"},
	{"redis", class.NotFound, "nil"},
	{"redis", class.Internal, "client is closed"},
	{"redis", class.Unavailable, "connection pool timeout"},
	{"redis", class.Conflict, "transaction failed"},
	{"etcdserver", class.Unavailable, "leader changed|no leader|not leader"},
	{"etcdserver", class.TimedOut, "request timed out"},
	{"etcdserver", class.Throttled, "too many requests"},
	{"etcdserver", class.Exhausted, "mvcc: database space exceeded"},
	{"etcdserver", class.Denied, "permission denied"},
	{"etcdserver", class.Unauthenticated, "authentication failed|invalid auth token"},
	{"etcdserver", class.NotFound, "key not found|requested lease not found"},
	{"etcdserver", class.Invalid, "duplicate key"},
	{"etcdserver", class.Exists, "lease already exists"},
	{"EvalSymlinks", class.FileInvalid, "too many links"}, // of path/filepath
	{"ssh", class.Precondition, "handshake failed: ssh: no common algorithm"},
	{"ssh", class.Unauthenticated, "" +
		"handshake failed: ssh: |handshake failed: knownhosts: |unable to authenticate|host key mismatch|cert has expired|" +
		"no auth passed yet"},
	{"ssh", class.Unparsed, "no key found"},
	{"zk", class.Unavailable, "could not connect to a server"},
	{"zk", class.ReplyLost, "connection closed|session has been expired by the server"},
	{"zk", class.Precondition, "node has children"},
	{"oauth2", class.Unauthenticated, "cannot fetch token|token expired"},
}

// redisCodes are the words with which Redis begins an error.
var redisCodes = sync.OnceValue(func() map[string]class.Class { return phraseMap(redisWords) })

var redisWords = []phraseRow{
	{class.Unavailable, "LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|READONLY|NOREPLICAS|MOVED|ASK|INPROG|NOMASTERLINK"},
	{class.Exhausted, "OOM|MISCONF"},
	{class.Invalid, "WRONGTYPE|ERR|CROSSSLOT|NOPROTO|SYNTAX|EXECABORT"},
	{class.NotFound, "NOSCRIPT|NOGROUP"},
	{class.Exists, "BUSYGROUP|BUSYKEY"},
	{class.Unauthenticated, "NOAUTH|WRONGPASS"},
	{class.Denied, "NOPERM|DENIED"},
}
