package toolerr

import (
	"slices"
	"strings"
)

// numbersOf returns how the numeric codes of a library's errors are judged, by
// its import path without the major version, or nil.
func numbersOf(pkg, _ string) func(int64) verdict {
	for _, lib := range []struct {
		table func(int64) verdict
		paths []string
	}{
		{sqliteCode, []string{"modernc.org/sqlite", "github.com/mattn/go-sqlite3", "github.com/ncruces/go-sqlite3", "zombiezen.com/go/sqlite", "github.com/glebarez/go-sqlite", "crawshaw.io/sqlite"}},
		{mysqlCode, []string{"github.com/go-sql-driver/mysql", "github.com/go-mysql-org/go-mysql/mysql"}},
		{mssqlCode, []string{"github.com/microsoft/go-mssqldb", "github.com/denisenkom/go-mssqldb"}},
		{mongoCode, []string{"go.mongodb.org/mongo-driver"}},
		{kafkaCode, []string{"github.com/segmentio/kafka-go", "github.com/IBM/sarama", "github.com/Shopify/sarama", "github.com/twmb/franz-go", "github.com/confluentinc/confluent-kafka-go"}},
		{ldapCode, []string{"github.com/go-ldap/ldap", "gopkg.in/ldap"}},
		{webSocketCode, []string{"github.com/gorilla/websocket", "github.com/coder/websocket", "nhooyr.io/websocket", "github.com/gobwas/ws", "github.com/fasthttp/websocket"}},
		{jsonRPCCode, []string{"github.com/modelcontextprotocol/go-sdk", "github.com/sourcegraph/jsonrpc2", "github.com/ethereum/go-ethereum/rpc", "golang.org/x/exp/jsonrpc2"}},
		{cassandraCode, []string{"github.com/gocql/gocql", "github.com/apache/cassandra-gocql-driver"}},
		{clickHouseCode, []string{"github.com/ClickHouse/clickhouse-go", "github.com/ClickHouse/ch-go"}},
		{jetStreamCode, []string{"github.com/nats-io/nats.go"}},
	} {
		if slices.ContainsFunc(lib.paths, func(path string) bool { return pkg == path || strings.HasPrefix(pkg, path+"/") }) {
			return lib.table
		}
	}
	return nil
}

// sqliteCode judges a result code of SQLite, extended or primary
// (sqlite.org/rescode.html).
func sqliteCode(n int64) verdict {
	switch n {
	case 1555, 2067, 2579: // PRIMARYKEY, UNIQUE, ROWID
		return vExists
	case 1299: // NOTNULL
		return vMissing
	case 1811: // TRIGGER
		return vPrecondition
	}
	switch n & 0xff {
	case 5, 6, 15, 17: // BUSY, LOCKED, PROTOCOL, SCHEMA
		return vUnavailable
	case 3, 23: // PERM, AUTH
		return vDenied
	case 8: // READONLY
		return vPrecondition
	case 9, 4: // INTERRUPT, ABORT
		return vCanceled
	case 13, 7, 10: // FULL, NOMEM, IOERR
		return vExhausted
	case 18, 25: // TOOBIG, RANGE
		return vOutOfRange
	case 1, 19, 20, 24, 26: // ERROR, CONSTRAINT, MISMATCH, FORMAT, NOTADB
		return vInvalid
	case 2, 11, 14, 21: // INTERNAL, CORRUPT, CANTOPEN, MISUSE
		return vInternal
	}
	return verdict{}
}

// mysqlCode judges an error number of MySQL and MariaDB (their server error
// reference).
func mysqlCode(n int64) verdict {
	switch n {
	case 1205, 1213, 3572, 1614: // lock wait timeout, deadlock, NOWAIT, XA deadlock: rolled back
		return vUnavailable
	case 1040, 1203, 2002, 2003, 1158, 1159: // too many connections, no connection
		return vUnavailable
	case 1053, 1927, 2006, 2013, 2055, 1160, 1161: // shutdown, killed or lost connection
		return vBroken
	case 3024, 1969: // MAX_EXECUTION_TIME: rolled back
		return vNotSent
	case 1317, 1028: // interrupted
		return vCanceled
	case 1062, 1586, 1022, 1007, 1050, 1061, 1826: // duplicate entry, database, table, key
		return vExists
	case 1048, 1364: // a column without a value
		return vMissing
	case 1264, 1406, 1690, 1265, 1441: // out of range, too long
		return vOutOfRange
	case 1049, 1146, 1051, 1091, 1032, 1305: // unknown database, table, key, routine
		return vNotFound
	case 1054, 1064, 1149, 1366, 1292, 1411, 1216, 1452, 3819, 4025, 1136, 1210, 1054 + 10000, 1109, 1046, 1065, 3140: // malformed, or a constraint
		return vInvalid
	case 1217, 1451, 1644, 1290, 1836, 1792: // row is referenced, SIGNAL, read-only
		return vPrecondition
	case 1045, 1698, 1251, 1524, 1820, 1862: // login
		return vUnauthenticated
	case 1044, 1142, 1143, 1227, 1370, 1410, 1419, 1130, 1129: // rights
		return vDenied
	case 1226: // max_questions and the like
		return vLimit
	case 1021, 1114, 1037, 1038, 1041: // disk, table or memory full
		return vExhausted
	}
	return verdict{}
}

// mssqlCode judges an error number of SQL Server (sys.messages).
func mssqlCode(n int64) verdict {
	switch n {
	case 1205, 1222, 3960, 3935, 41302, 41305, 41325: // deadlock, lock timeout, snapshot conflict
		return vUnavailable
	case 10928, 10929, 40501, 49918, 49919, 49920, 40544: // Azure: throttled
		return vThrottled
	case 40613, 40197, 40143, 4060, 4221, 615, 233, 17830: // Azure: moving, not available
		return vUnavailable
	case 2627, 2601, 2714, 1801: // unique, exists
		return vExists
	case 515: // not null
		return vMissing
	case 547, 102, 156, 207, 245, 8114, 8115, 241, 105, 137, 201, 8144, 8178: // constraint, syntax, conversion
		return vInvalid
	case 220, 8152, 2628: // overflow, truncation
		return vOutOfRange
	case 208, 911, 2812, 3701, 15151: // unknown object, database, procedure
		return vNotFound
	case 18456, 18452, 18470, 18486, 18487, 18488: // login
		return vUnauthenticated
	case 229, 230, 262, 297, 300, 916, 15247: // rights
		return vDenied
	case 1105, 9002: // full
		return vExhausted
	case 3906, 3930, 3908: // read-only database, doomed transaction
		return vPrecondition
	}
	if n >= 50000 { // THROW and RAISERROR of the database's own rules
		return vPrecondition
	}
	return verdict{}
}

// mongoCode judges an error code of MongoDB (src/mongo/base/error_codes.yml).
func mongoCode(n int64) verdict {
	switch n {
	case 11000, 11001, 12582, 48, 68, 85, 86: // duplicate key, namespace or index
		return vExists
	case 112, 91, 189, 10107, 13435, 13436, 11600, 11602, 133, 134, 246, 150, 13388, 234, 46, 24: // conflict, no primary, shutting down
		return vUnavailable
	case 6, 7, 89, 9001, 317: // network
		return vBroken
	case 50, 262, 202: // time limit
		return vTimeout
	case 11601, 237, 290: // interrupted
		return vCanceled
	case 13, 31, 33: // rights
		return vDenied
	case 18, 11, 8000, 391: // login
		return vUnauthenticated
	case 26, 27, 43, 47, 59, 61, 73, 53: // not found
		return vNotFound
	case 2, 4, 9, 14, 15, 17, 20, 28, 40, 52, 54, 55, 56, 57, 66, 72, 121, 168, 197, 40323, 40324, 16410, 51091: // malformed
		return vInvalid
	case 10334, 17280, 17419, 17420: // too large
		return vOutOfRange
	case 251, 263, 20000 + 1, 225: // transactions
		return vPrecondition
	case 14031, 39: // full
		return vExhausted
	case 462, 12501, 16500: // throttled, Cosmos too
		return vThrottled
	}
	return verdict{}
}

// kafkaCode judges an error code of Kafka's protocol; librdkafka's own are
// negative.
func kafkaCode(n int64) verdict {
	switch n {
	case 5, 6, 8, 9, 14, 15, 16, 19, 27, 41, 51, 52, 56, 74, 75, 76, 78, 79, 88, 100, 2, 22, 25, 46, 55: // elections, moves, rebalances
		return vUnavailable
	case 7, 13, 20: // timed out, network, too few replicas after the append
		return vTimeout
	case -185, -192, -184, -190: // timed out here
		return vTimeout
	case -195, -187, -193: // transport, all brokers down, unknown broker
		return vBroken
	case -199, -200, -198, -196: // bad message, format
		return vInvalid
	case 29, 30, 31, 53, 65, 66: // authorization
		return vDenied
	case 58, 33, 34, 54, -169: // authentication
		return vUnauthenticated
	case 3, 69, 70, 91, 80, -188, -189: // unknown topic, group, member
		return vNotFound
	case 36, 82: // exists
		return vExists
	case 1, 10, 18, 26, 28: // range, size
		return vOutOfRange
	case 17, 21, 23, 24, 35, 37, 38, 39, 40, 42, 43, 87, 76 + 1000, 67, 63, 77: // malformed
		return vInvalid
	case 44, 50, 49, 68, 60: // policy, state
		return vPrecondition
	case 89: // throttling quota
		return vThrottled
	case 45, 47, 48, 90, 83: // sequence, epoch, fenced
		return vConflict
	}
	return verdict{}
}

// ldapCode judges a result code of LDAP (RFC 4511, appendix A); 200 is the
// client's network error.
func ldapCode(n int64) verdict {
	switch n {
	case 51, 52, 81, 91: // busy, unavailable, server down, connect
		return vUnavailable
	case 200:
		return vBroken
	case 3, 85: // time limit
		return vTimeout
	case 88, 118, 11800: // cancelled
		return vCanceled
	case 7, 8, 13, 48, 49: // authentication
		return vUnauthenticated
	case 50: // rights
		return vDenied
	case 16, 32, 94: // no such attribute, object, results
		return vNotFound
	case 20, 68: // exists
		return vExists
	case 4, 11: // size and admin limit
		return vLimit
	case 53, 65, 66, 67, 69, 71: // unwilling, schema and tree rules
		return vPrecondition
	case 2, 17, 18, 19, 21, 34, 36, 64, 87, 89, 201, 202, 203, 204, 205, 206, 207: // malformed
		return vInvalid
	case 1, 80, 82, 83, 84: // other
		return vInternal
	}
	return verdict{}
}

// webSocketCode judges a close code (RFC 6455, section 7.4, and its registry).
func webSocketCode(n int64) verdict {
	switch n {
	case 1000:
		return vInternal // closed as intended
	case 1001, 1012, 1013: // going away, restart, try again later
		return vUnavailable
	case 1005, 1006, 1011, 1014: // none, abnormal, internal, bad gateway
		return vBroken
	case 1002, 1003, 1007, 1010:
		return vInvalid
	case 1009:
		return vOutOfRange
	case 1008:
		return vDenied
	case 1015:
		return vUnauthenticated
	case 3000:
		return vUnauthenticated
	case 3003:
		return vDenied
	case 3008:
		return vTimeout
	}
	return verdict{}
}

// jsonRPCCode judges an error code of JSON-RPC 2.0. Those of the server's own
// range mean something else with each server.
func jsonRPCCode(n int64) verdict {
	switch n {
	case -32700, -32600, -32602:
		return vInvalid
	case -32601:
		return vNotFound
	case -32603:
		return vInternal
	}
	return verdict{}
}

// cassandraCode judges an error code of Cassandra's native protocol.
func cassandraCode(n int64) verdict {
	switch n {
	case 0x1000, 0x1001, 0x1002: // too few replicas, overloaded, bootstrapping
		return vUnavailable
	case 0x1100, 0x1500: // write timed out, failed
		return vTimeout
	case 0x1200, 0x1300: // read timed out, failed
		return vNotSent
	case 0x0100:
		return vUnauthenticated
	case 0x2100:
		return vDenied
	case 0x2000, 0x2200, 0x2300, 0x000A:
		return vInvalid
	case 0x2400:
		return vExists
	case 0x2500: // unprepared: the driver prepares it again
		return vUnavailable
	}
	return verdict{}
}

// clickHouseCode judges an error code of ClickHouse (src/Common/ErrorCodes.cpp).
func clickHouseCode(n int64) verdict {
	switch n {
	case 159, 160: // timeout, too slow
		return vTimeout
	case 202, 203, 252, 241, 242, 285, 319 + 10000: // too many queries or parts, memory, read-only replica
		return vUnavailable
	case 209, 210, 32, 279: // network
		return vBroken
	case 394: // cancelled
		return vCanceled
	case 192, 193, 194, 516: // login
		return vUnauthenticated
	case 164, 291, 482, 497: // rights
		return vDenied
	case 60, 81, 16, 47, 10: // unknown table, database, column
		return vNotFound
	case 57, 82, 44: // exists
		return vExists
	case 6, 26, 27, 36, 38, 41, 42, 43, 46, 53, 62, 70, 72, 117, 386: // malformed
		return vInvalid
	case 201: // quota
		return vLimit
	case 243: // disk full
		return vExhausted
	}
	return verdict{}
}

// jetStreamCode judges an error code of NATS JetStream (server/errors.json), of
// those whose status says something else.
func jetStreamCode(n int64) verdict {
	switch n {
	case 10071, 10164, 10065: // wrong last sequence, overlapping subjects
		return vConflict
	case 10058, 10148, 10013: // name in use
		return vExists
	case 10014, 10059, 10037: // consumer, stream, message not found
		return vNotFound
	case 10008, 10023, 10077: // no leader, insufficient resources, full
		return vUnavailable
	}
	return verdict{}
}
