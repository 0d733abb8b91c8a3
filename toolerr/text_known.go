package toolerr

// texts are whole texts of well-known sentinels.
var texts = map[string]verdict{
	"timeout":                                                        vTimeout, // bbolt
	"invalid connection":                                             vBroken,
	"http2: client connection lost":                                  vBroken,
	"redis: connection pool exhausted":                               vUnavailable,
	"redigo: connection pool exhausted":                              vUnavailable,
	"redis: all ring shards are down":                                vUnavailable,
	"ERR max number of clients reached":                              vUnavailable,
	"Transaction Conflict. Please retry":                             vUnavailable,
	"kafka: controller is not available":                             vUnavailable,
	"the maximum amount of records are buffered, cannot buffer more": vUnavailable,
	"http2: no cached connection was available":                      vUnavailable,
	"http2: client conn not usable":                                  vUnavailable,
	"http2: client conn could not be established":                    vUnavailable,
	"http2: Transport received Server's graceful shutdown GOAWAY":    vUnavailable,
	"records have timed out before they were able to be produced":    vTimeout,
	"http2: timeout awaiting response headers":                       vTimeout,
	"duplicated key not allowed":                                     vExists,
	"bucket already exists":                                          vExists,
	"task already exists":                                            vExists,
	"task ID conflicts with another task":                            vConflict,
	"Existing key does not match lock use":                           vConflict,
	"violates foreign key constraint":                                vInvalid,
	"violates check constraint":                                      vInvalid,
	"unsupported data":                                               vInvalid,
	"invalid field":                                                  vInvalid,
	"empty slice found":                                              vInvalid,
	"primary key required":                                           vInvalid,
	"incompatible value":                                             vInvalid,
	"Key is using a reserved !badger! prefix":                        vInvalid,
	"Invalid request":                                                vInvalid,
	"document is nil":                                                vInvalid,
	"must provide at least one element in input slice":               vInvalid,
	"invalid UUID format":                                            vUnparsed,
	"bucket not found":                                               vNotFound,
	"queue not found":                                                vNotFound,
	"task not found":                                                 vNotFound,
	"file with given parameters not found":                           vNotFound,
	"database is in read-only mode":                                  vPrecondition,
	"queue is not empty":                                             vPrecondition,
	"bucket name required":                                           vMissing,
	"key required":                                                   vMissing,
	"Key cannot be empty":                                            vMissing,
	"key too large":                                                  vOutOfRange,
	"value too large":                                                vOutOfRange,
	"Txn is too big to fit into one request":                         vOutOfRange,
	"websocket: message too big":                                     vOutOfRange,
	"kafka: message is larger than Consumer.Fetch.Max":               vOutOfRange,
	"bcrypt: password length exceeds 72 bytes":                       vOutOfRange,
	"token is malformed":                                             vUnauthenticated,
	"token is unverifiable":                                          vUnauthenticated,
	"token signature is invalid":                                     vUnauthenticated,
	"token is expired":                                               vUnauthenticated,
	"token is not valid yet":                                         vUnauthenticated,
	"token used before issued":                                       vUnauthenticated,
	"token has invalid claims":                                       vUnauthenticated,
	"token has invalid audience":                                     vUnauthenticated,
	"token has invalid issuer":                                       vUnauthenticated,
	"token has invalid subject":                                      vUnauthenticated,
	"token has invalid id":                                           vUnauthenticated,
	"token is missing required claim":                                vUnauthenticated,
	"signature is invalid":                                           vUnauthenticated,
	"not found":                                                      vNotFound, // gocql
	"record not found":                                               vNotFound, // gorm
	"404 Not Found":                                                  vNotFound, // gitlab
	"no rows in result set":                                          vNotFound, // pgx
	"redigo: nil returned":                                           vNotFound,
	"memcache: cache miss":                                           vNotFound,
	"leveldb: not found":                                             vNotFound,
	"Key not found":                                                  vNotFound, // badger
	"memcache: compare-and-swap conflict":                            vConflict,
	"memcache: item not stored":                                      vPrecondition,
	"memcache: no servers configured or available":                   vUnavailable,
	"memcache: connect timeout":                                      vNotSent,
	"memcache: malformed: key is too long or contains invalid characters": vInvalid,
	"circuit breaker is open":                        vUnavailable, // gobreaker, go-resiliency
	"circuit breaker open":                           vUnavailable, // failsafe-go
	"too many requests":                              vThrottled,   // gobreaker, half open
	"rate limit exceeded":                            vThrottled,   // failsafe-go
	"bulkhead full":                                  vUnavailable, // failsafe-go
	"timeout exceeded":                               vTimeout,     // failsafe-go
	"hystrix: timeout":                               vTimeout,
	"hystrix: circuit open":                          vUnavailable,
	"hystrix: max concurrency":                       vUnavailable,
	"sql: database is closed":                        vInternal,
	"gzip: invalid header":                           vUnparsed,
	"gzip: invalid checksum":                         vUnparsed,
	"zlib: invalid header":                           vUnparsed,
	"zlib: invalid checksum":                         vUnparsed,
	"zlib: invalid dictionary":                       vUnparsed,
	"zip: not a valid zip file":                      vUnparsed,
	"zip: unsupported compression algorithm":         vInvalid,
	"zip: checksum error":                            vUnparsed,
	"archive/tar: invalid tar header":                vUnparsed,
	"encoding/hex: odd length hex string":            vUnparsed,
	"image: unknown format":                          vUnparsed,
	"bufio.Scanner: token too long":                  vOutOfRange,
	"path escapes from parent":                       vInvalid,     // os.Root
	"the server is busy, retry later":                vUnavailable, // the MCP SDK, shedding load
	"server closed idle connection":                  vBroken,      // net/http
	"http: server closed idle connection":            vBroken,
	"http: request body too large":                   vOutOfRange,
	"http: named cookie not present":                 vNotFound,
	"net/http: request canceled":                     vCanceled,
	"net/http: timeout awaiting response headers":    vTimeout,
	"net/http: TLS handshake timeout":                vNotSent,
	"net/http: HTTP/1.x transport connection broken": vBroken,
}

// finalTexts are sentinels by which a program says not to retry.
var finalTexts = map[string]bool{
	"skip retry for the task": true, // asynq
	"revoke task":             true,
}

type textRule struct {
	text    string
	verdict verdict
}

// prefixed are beginnings of texts behind the name of the library they are from.
var prefixed = map[string][]textRule{
	"kafka":         {{"client has run out of available brokers", vUnavailable}},
	"json":          {{"unknown field", vUnparsed}, {"invalid", vUnparsed}, {"cannot unmarshal", vUnparsed}},
	"xml":           {{"", vUnparsed}},
	"mail":          {{"", vUnparsed}},
	"mime":          {{"", vUnparsed}},
	"asn1":          {{"", vUnparsed}},
	"jpeg":          {{"", vUnparsed}},
	"png":           {{"", vUnparsed}},
	"proto":         {{"cannot parse", vUnparsed}, {"syntax error", vUnparsed}, {"invalid", vUnparsed}, {"unknown field", vUnparsed}, {"required field", vMissing}},
	"yaml":          {{"", vUnparsed}},
	"toml":          {{"", vUnparsed}},
	"time":          {{"invalid duration", vUnparsed}, {"unknown unit", vUnparsed}, {"missing unit", vUnparsed}},
	"sql":           {{"expected ", vInvalid}, {"converting ", vInvalid}, {"Scan error", vInvalid}},
	"uuid":          {{"", vUnparsed}},
	"crypto/bcrypt": {{"", vUnauthenticated}},
	"rate":          {{"Wait(n=", vThrottled}},
	"nats": {
		{"timeout", vTimeout},
		{"no responders", vUnavailable},
		{"no servers available", vUnavailable},
		{"Authorization Violation", vUnauthenticated},
		{"authorization violation", vUnauthenticated},
		{"authentication", vUnauthenticated},
		{"Permissions Violation", vDenied},
		{"permissions violation", vDenied},
		{"maximum payload", vOutOfRange},
		{"invalid", vInvalid},
		{"bad ", vInvalid},
		{"connection closed", vInternal},
		{"key not found", vNotFound},
		{"no message found", vNotFound},
		{"key exists", vExists},
		{"slow consumer", vUnavailable},
		{"connection reconnecting", vUnavailable},
		{"stale connection", vBroken},
		{"connection disconnected", vBroken},
		{"stream not found", vNotFound},
		{"consumer not found", vNotFound},
		{"bucket not found", vNotFound},
		{"object not found", vNotFound},
		{"wrong last sequence", vConflict},
	},
	"gocql": {
		{"no response received", vTimeout},
		{"no hosts available", vUnavailable},
		{"no connections", vUnavailable},
		{"unable to create session", vUnavailable},
		{"connection closed", vBroken},
		{"too many query timeouts", vUnavailable},
	},
	"websocket": {{"bad handshake", vInternal}, {"close sent", vInternal}, {"read limit exceeded", vOutOfRange}},
	"mongo":     {{"no documents", vNotFound}, {"client is disconnected", vInternal}},
	"redis":     {{"nil", vNotFound}, {"client is closed", vInternal}, {"connection pool timeout", vUnavailable}, {"transaction failed", vConflict}},
	"etcdserver": {
		{"leader changed", vUnavailable},
		{"no leader", vUnavailable},
		{"not leader", vUnavailable},
		{"request timed out", vTimeout},
		{"too many requests", vThrottled},
		{"mvcc: database space exceeded", vExhausted},
		{"permission denied", vDenied},
		{"authentication failed", vUnauthenticated},
		{"invalid auth token", vUnauthenticated},
		{"key not found", vNotFound},
		{"duplicate key", vInvalid},
		{"requested lease not found", vNotFound},
		{"lease already exists", vExists},
	},
	"ssh": {
		{"handshake failed: ssh: no common algorithm", vPrecondition},
		{"handshake failed: ssh: ", vUnauthenticated},
		{"handshake failed: knownhosts: ", vUnauthenticated},
		{"unable to authenticate", vUnauthenticated},
		{"host key mismatch", vUnauthenticated},
		{"cert has expired", vUnauthenticated},
		{"no auth passed yet", vUnauthenticated},
		{"no key found", vInvalid},
	},
	"oauth2": {{"cannot fetch token", vUnauthenticated}, {"token expired", vUnauthenticated}},
}

// redisCodes are the words that Redis begins an error with.
var redisCodes = map[string]verdict{
	"LOADING": vUnavailable, "BUSY": vUnavailable, "TRYAGAIN": vUnavailable, "CLUSTERDOWN": vUnavailable, "MASTERDOWN": vUnavailable,
	"READONLY": vUnavailable, "NOREPLICAS": vUnavailable, "MOVED": vUnavailable, "ASK": vUnavailable,
	"NOAUTH": vUnauthenticated, "WRONGPASS": vUnauthenticated, "NOPERM": vDenied, "DENIED": vDenied,
	"WRONGTYPE": vInvalid, "ERR": vInvalid, "NOSCRIPT": vNotFound, "CROSSSLOT": vInvalid, "NOPROTO": vInvalid, "SYNTAX": vInvalid,
	"OOM": vExhausted, "MISCONF": vExhausted, "EXECABORT": vInvalid, "BUSYGROUP": vExists, "NOGROUP": vNotFound, "BUSYKEY": vExists, "INPROG": vUnavailable, "NOMASTERLINK": vUnavailable,
}
