package toolerr

import (
	"slices"
	"strings"
)

// numbersOf returns how the numeric codes of a library's errors are judged, by
// its import path without the major version, or nil.
func numbersOf(pkg string) func(int64) verdict {
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
		{smtpCode, []string{"github.com/emersion/go-smtp"}},
		{amqpCode, []string{"github.com/rabbitmq/amqp091-go", "github.com/streadway/amqp"}},
		{http2Code, []string{"golang.org/x/net/http2"}},
		{sftpCode, []string{"github.com/pkg/sftp"}},
		{oracleCode, []string{"github.com/sijms/go-ora", "github.com/godror/godror"}},
	} {
		if slices.ContainsFunc(lib.paths, func(path string) bool { return pkg == path || strings.HasPrefix(pkg, path+"/") }) {
			return lib.table
		}
	}
	return nil
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
	case 33, 34, 54, 58, 61, 62, 64, -169: // authentication
		return vUnauthenticated
	case 3, 69, 70, 91, 80, -188, -189: // unknown topic, group, member
		return vNotFound
	case 36, 82, 92: // exists
		return vExists
	case 1, 10, 18, 26, 28, 32: // range, size
		return vOutOfRange
	case 4, 93, 112, 114, 115, 117, 119, 17, 21, 23, 24, 35, 37, 38, 39, 40, 42, 43, 87, 67, 63, 77: // malformed
		return vInvalid
	case 44, 49, 50, 60, 68, 73, 81, 84, 85, 86, 107: // policy, state
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
	case 88, 118: // cancelled
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
	case 1001, 1005, 1006, 1011, 1012, 1013, 1014: // going away, abnormal, restart, try again later
		return vBroken
	case 1002, 1003, 1007, 1010:
		return vInvalid
	case 1009:
		return vOutOfRange
	case 1008:
		return vDenied
	case 1015, 3000: // TLS handshake, unauthorized
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
	case -32020: // MCP: headers do not match
		return vInvalid
	case -32021, -32022, -32042: // MCP: capability, version, elicitation required
		return vPrecondition
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

func smtpCode(n int64) verdict { return fromReplyCode(int(n)) }

// amqpCode judges a reply code of AMQP 0-9-1 (section 1.2 of its reference).
func amqpCode(n int64) verdict {
	switch n {
	case 311: // content too large
		return vOutOfRange
	case 312, 404: // no route, not found
		return vNotFound
	case 313: // no consumers
		return vUnavailable
	case 402, 501, 502, 503, 505, 540: // path, frame, syntax, command, a method the broker lacks
		return vInvalid
	case 403:
		return vDenied
	case 405, 406, 530: // locked, precondition, not allowed
		return vPrecondition
	case 504: // closed by this side
		return vInternal
	case 506:
		return vExhausted
	case 320, 541: // closed by an operator, internal
		return vBroken
	}
	return verdict{}
}

// http2Code judges an error code of HTTP/2 (RFC 9113, section 7).
func http2Code(n int64) verdict {
	switch n {
	case 0x7: // REFUSED_STREAM: not processed
		return vUnavailable
	case 0xb: // ENHANCE_YOUR_CALM
		return vThrottled
	case 0x8: // CANCEL
		return vBroken
	}
	return verdict{}
}

// sftpCode judges a status of SFTP (draft-ietf-secsh-filexfer-13, section 9.1).
func sftpCode(n int64) verdict {
	switch n {
	case 2, 10: // no such file, path
		return vNotFound
	case 3:
		return vDenied
	case 6, 7: // no connection, connection lost
		return vBroken
	case 5, 8: // bad message, unsupported
		return vInvalid
	case 11:
		return vExists
	case 14: // no space
		return vExhausted
	case 15: // quota
		return vLimit
	case 4:
		return vInternal
	}
	return verdict{}
}
