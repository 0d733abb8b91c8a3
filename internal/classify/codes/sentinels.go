package codes

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// FromText classifies a well-known sentinel of a library by its whole text.
func FromText(text string) class.Class { return sentinels()[text] }

// FromLibraryText classifies an error whose type has nothing but a text: a sentinel, or an
// error of Redis, whose protocol puts a code in front.
func FromLibraryText(pkg, text string) class.Class {
	if c := FromText(text); c != class.Unknown {
		return c
	}
	if strings.Contains(pkg, "redis") || strings.Contains(pkg, "valkey") {
		code, _, _ := strings.Cut(text, " ")
		return redisCodes()[code]
	}
	return class.Unknown
}

// FromMessage classifies the message that a service sends with a less specific code: a
// sentinel, or gRPC's own limit of sizes, which has the code of a rate limit.
func FromMessage(text string) class.Class {
	for _, start := range []string{
		"grpc: received message larger than max", "grpc: trying to send message larger than max",
		"grpc: received message after decompression larger than max",
	} {
		if strings.HasPrefix(text, start) {
			return class.OutOfRange
		}
	}
	if strings.HasPrefix(text, "etcdserver: ") {
		return FromText(text)
	}
	return class.Unknown
}

// A sentinelRow holds texts of one class, separated by bars. They follow the name of the
// library and a colon, if it is there.
type sentinelRow struct {
	library string
	class   class.Class
	texts   string
}

var sentinels = sync.OnceValue(func() map[string]class.Class {
	m := map[string]class.Class{}
	for _, row := range sentinelRows {
		for text := range strings.SplitSeq(row.texts, "|") {
			if row.library != "" {
				text = row.library + ": " + text
			}
			m[text] = row.class
		}
	}
	return m
})

// sentinelRows are exported sentinels. Their texts name the library, or are such that
// nobody would choose the same words for another failure.
var sentinelRows = []sentinelRow{
	{"net/http", class.TimedOut, "timeout awaiting response headers"},
	{"net/http", class.NotSent, "TLS handshake timeout"},
	{"net/http", class.Canceled, "request canceled"},
	{"net/http", class.ReplyLost, "HTTP/1.x transport connection broken"},
	{"http", class.ReplyLost, "server closed idle connection"},
	{"http", class.FileTooLarge, "request body too large"},
	{"http", class.NotFound, "named cookie not present"},
	{"http2", class.TimedOut, "timeout awaiting response headers"},
	{"http2", class.Unavailable, "no cached connection was available|client conn not usable|client conn could not be established|" +
		"Transport received Server's graceful shutdown GOAWAY"},
	{"http2", class.ReplyLost, "client connection lost"},
	{"sql", class.Internal, "database is closed"},
	{"bufio.Scanner", class.FileTooLarge, "token too long"},
	{"zip", class.Unparsed, "not a valid zip file|checksum error|unsupported compression algorithm"},
	{"gzip", class.Unparsed, "invalid header|invalid checksum"},
	{"zlib", class.Unparsed, "invalid header|invalid checksum|invalid dictionary"},
	{"archive/tar", class.Unparsed, "invalid tar header"},
	{"encoding/hex", class.Unparsed, "odd length hex string"},
	{"image", class.Unparsed, "unknown format"},
	{"", class.FileInvalid, "path escapes from parent"},
	{"bcrypt", class.OutOfRange, "password length exceeds 72 bytes"},
	{"crypto/bcrypt", class.Unauthenticated, "hashedPassword is not the hash of the given password"},
	{"ssh", class.Unauthenticated, "no auth passed yet"},
	{"oauth2", class.Unauthenticated, "token expired and refresh token is not set"},

	{"", class.NotFound, "no rows in result set|record not found|file with given parameters not found"},
	{"", class.Exists, "duplicated key not allowed"},
	{"", class.Invalid, "violates foreign key constraint|violates check constraint|must provide at least one element in input slice|" +
		"Key is using a reserved !badger! prefix"},
	{"", class.OutOfRange, "Txn is too big to fit into one request"},
	{"", class.Unavailable, "Transaction Conflict. Please retry|ERR max number of clients reached"},
	{"", class.Missing, "Key cannot be empty"},
	{"", class.ReplyLost, "invalid connection"}, // of go-sql-driver/mysql

	{"redis", class.NotFound, "nil"},
	{"redis", class.Internal, "client is closed"},
	{"redis", class.Unavailable, "connection pool timeout|connection pool exhausted|all ring shards are down"},
	{"redis", class.Conflict, "transaction failed"},
	{"redigo", class.NotFound, "nil returned"},
	{"redigo", class.Unavailable, "connection pool exhausted"},
	{"memcache", class.NotFound, "cache miss"},
	{"memcache", class.Conflict, "compare-and-swap conflict"},
	{"memcache", class.Precondition, "item not stored"},
	{"memcache", class.Invalid, "malformed: key is too long or contains invalid characters"},
	{"memcache", class.Unavailable, "no servers configured or available"},
	{"memcache", class.NotSent, "connect timeout"},
	{"leveldb", class.NotFound, "not found"},
	{"mongo", class.NotFound, "no documents in result"},
	{"mongo", class.Internal, "client is disconnected"},
	{"gocql", class.TimedOut, "no response received from cassandra within timeout period"},
	{"gocql", class.Unavailable, "no hosts available in the pool|no connections were made when creating the session|unable to create session|" +
		"too many query timeouts on the connection"},
	{"gocql", class.ReplyLost, "connection closed waiting for response"},
	{"", class.Unavailable, "no Elasticsearch node available"},

	{"nats", class.TimedOut, "timeout"},
	{"nats", class.Unavailable, "no responders available for request|no servers available for connection|slow consumer, messages dropped|connection reconnecting"},
	{"nats", class.Unauthenticated, "Authorization Violation|authorization violation|authentication expired|authentication revoked|account authentication expired"},
	{"nats", class.Denied, "permissions violation"},
	{"nats", class.OutOfRange, "maximum payload exceeded"},
	{"nats", class.Invalid, "invalid subject|invalid key|invalid argument|invalid bucket name|invalid queue name|invalid durable name|invalid object-store name"},
	{"nats", class.Internal, "connection closed|invalid connection"},
	{"nats", class.NotFound, "key not found|message not found|stream not found|consumer not found|bucket not found|object not found"},
	{"nats", class.Exists, "key exists|an object already exists with that name"},
	{"nats", class.ReplyLost, "stale connection|server is disconnected"},
	{"kafka", class.Unavailable, "client has run out of available brokers to talk to|controller is not available"},
	{"kafka", class.OutOfRange, "message is larger than Consumer.Fetch.Max"},
	{"", class.TimedOut, "records have timed out before they were able to be produced"},
	{"", class.Unavailable, "the maximum amount of records are buffered, cannot buffer more"},
	{"", class.Conflict, "task ID conflicts with another task"},
	{"websocket", class.Internal, "bad handshake|close sent"},
	{"websocket", class.OutOfRange, "read limit exceeded|message too big"},
	{"etcdserver", class.Unavailable, "leader changed|no leader|not leader"},
	{"etcdserver", class.TimedOut, "request timed out"},
	{"etcdserver", class.Exhausted, "mvcc: database space exceeded"},
	{"zk", class.Unavailable, "could not connect to a server"},
	{"zk", class.ReplyLost, "connection closed|session has been expired by the server"},
	{"zk", class.Unauthenticated, "client authentication failed|not authenticated"},
	{"zk", class.NotFound, "node does not exist"},
	{"zk", class.Exists, "node already exists"},
	{"zk", class.Conflict, "version conflict"},
	{"zk", class.Invalid, "invalid path"},
	{"zk", class.Precondition, "node has children"},
	{"redislock", class.Precondition, "lock not held"},
	{"", class.Precondition, "bootstrap only works on new clusters|non-fast-forward update|worktree is not clean"},
	{"", class.Unavailable, "timed out enqueuing operation"},
	{"", class.ReplyLost, "leadership lost while committing log"},
	{"", class.Conflict, "Existing key does not match lock use"},

	{"hystrix", class.TimedOut, "timeout"},
	{"hystrix", class.Unavailable, "circuit open|max concurrency"},
	{"", class.Unavailable, "circuit breaker is open|circuit breaker open|bulkhead full"},
	{"", class.Unavailable, "the server is busy, retry later"}, // of the MCP SDK, for old protocol versions
	{"", class.Unauthenticated, "token is malformed|token is unverifiable|token signature is invalid|token is expired|token is not valid yet|" +
		"token used before issued|token has invalid claims|token has invalid audience|token has invalid issuer|token has invalid subject|" +
		"token has invalid id|token is missing required claim|\"exp\" not satisfied|\"nbf\" not satisfied|\"iat\" not satisfied"},
}

// redisCodes are the words with which Redis begins an error.
var redisCodes = sync.OnceValue(func() map[string]class.Class {
	m := map[string]class.Class{}
	for _, row := range redisRows {
		for code := range strings.FieldsSeq(row.texts) {
			m[code] = row.class
		}
	}
	return m
})

var redisRows = []phraseRow{
	{class.Unavailable, "LOADING BUSY TRYAGAIN CLUSTERDOWN MASTERDOWN READONLY NOREPLICAS MOVED ASK INPROG NOMASTERLINK"},
	{class.Exhausted, "OOM MISCONF"},
	{class.Invalid, "WRONGTYPE"},
	{class.Exists, "BUSYGROUP BUSYKEY"},
	{class.Internal, "ERR CROSSSLOT NOPROTO SYNTAX EXECABORT NOSCRIPT NOGROUP NOAUTH WRONGPASS NOPERM DENIED"}, // the command and the login are the server's own
}
