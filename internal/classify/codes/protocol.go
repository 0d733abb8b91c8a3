package codes

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// smtpPackage is a library whose codes are those of [net/textproto] too.
const smtpPackage = "github.com/emersion/go-smtp"

// JSONRPC holds the numbers that JSON-RPC 2.0 defines. The others differ between servers.
var JSONRPC = Table{rows: jsonRPCRows}

var jsonRPCRows = []codeRow{
	{class.Invalid, ints{-32700, -32600, -32602}},
	{class.NotFound, ints{-32601}},
	{class.Internal, ints{-32603}},
}

// protocolCodes are the numbers of protocols, by the libraries that speak them.
var protocolCodes = []Table{
	// Kafka: the protocol; librdkafka's own are negative.
	{
		packages: "github.com/segmentio/kafka-go github.com/IBM/sarama github.com/Shopify/sarama github.com/twmb/franz-go github.com/confluentinc/confluent-kafka-go",
		rows: []codeRow{
			{class.Unavailable, ints{5, 6, 8, 9, 14, 15, 16, 19, 27, 41, 51, 52, 56, 74, 75, 76, 78, 79, 88, 100, 2, 22, 25, 46, 55}}, // elections, moves, rebalances
			{class.TimedOut, ints{7, 13, 20}},                               // timed out, network, too few replicas after the append
			{class.TimedOut, ints{-185, -192, -184, -190}},                  // timed out here
			{class.ReplyLost, ints{-195, -187, -193}},                       // transport, all brokers down, unknown broker
			{class.Invalid, ints{-199, -200, -198, -196}},                   // bad message, format
			{class.Denied, ints{29, 30, 31, 53, 65, 66}},                    // authorization
			{class.Unauthenticated, ints{33, 34, 54, 58, 61, 62, 64, -169}}, // authentication
			{class.NotFound, ints{3, 69, 70, 91, 80, -188, -189}},           // unknown topic, group, member
			{class.Exists, ints{36, 82, 92}},                                // exists
			{class.OutOfRange, ints{1, 10, 18, 26, 28, 32}},                 // range, size
			{class.Invalid, ints{4, 93, 112, 114, 115, 117, 119, 17, 21, 23, 24, 35, 37, 38, 39, 40, 42, 43, 87, 67, 63, 77}}, // malformed
			{class.Precondition, ints{44, 49, 50, 60, 68, 73, 81, 84, 85, 86, 107}},                                           // policy, state
			{class.Throttled, ints{89}},                // throttling quota
			{class.Conflict, ints{45, 47, 48, 90, 83}}, // sequence, epoch, fenced
		},
	},
	// NATS JetStream: server/errors.json, where the status says something else.
	{
		packages: "github.com/nats-io/nats.go",
		rows: []codeRow{
			{class.Conflict, ints{10071, 10164, 10065}},    // wrong last sequence, overlapping subjects
			{class.Exists, ints{10058, 10148, 10013}},      // name in use
			{class.NotFound, ints{10014, 10059, 10037}},    // consumer, stream, message not found
			{class.Unavailable, ints{10008, 10023, 10077}}, // no leader, insufficient resources, full
		},
	},
	// AMQP 0-9-1: section 1.2 of its reference.
	{
		packages: "github.com/rabbitmq/amqp091-go github.com/streadway/amqp",
		rows: []codeRow{
			{class.OutOfRange, ints{311}},                       // content too large
			{class.NotFound, ints{312, 404}},                    // no route, not found
			{class.Unavailable, ints{313}},                      // no consumers
			{class.Invalid, ints{402, 501, 502, 503, 505, 540}}, // path, frame, syntax, command, a method the broker lacks
			{class.Denied, ints{403}},
			{class.Precondition, ints{405, 406, 530}}, // locked, precondition, not allowed
			{class.Internal, ints{504}},               // closed by this side
			{class.Exhausted, ints{506}},
			{class.ReplyLost, ints{320, 541}}, // closed by an operator, internal
		},
	},
	// LDAP: RFC 4511, appendix A; from 80 on those of the client libraries.
	{
		packages: "github.com/go-ldap/ldap gopkg.in/ldap",
		rows: []codeRow{
			{class.Unavailable, ints{51, 52, 81, 91}}, // busy, unavailable, server down, connect
			{class.ReplyLost, ints{200}},
			{class.TimedOut, ints{3, 85}},                      // time limit
			{class.Canceled, ints{88, 118}},                    // cancelled
			{class.Unauthenticated, ints{7, 8, 13, 48, 49}},    // authentication
			{class.Denied, ints{50}},                           // rights
			{class.NotFound, ints{16, 32, 94}},                 // no such attribute, object, results
			{class.Exists, ints{20, 68}},                       // exists
			{class.Limit, ints{4, 11}},                         // size and admin limit
			{class.Precondition, ints{53, 65, 66, 67, 69, 71}}, // unwilling, schema and tree rules
			{class.Invalid, ints{2, 17, 18, 19, 21, 34, 36, 64, 87, 89, 201, 202, 203, 204, 205, 206, 207}}, // malformed
			{class.Internal, ints{1, 80, 82, 83, 84}},                                                       // other
		},
	},
	// SMTP (RFC 5321) and FTP (RFC 959): 4yz may be tried again, 5yz not.
	{
		packages: smtpPackage,
		ranges:   []codeRange{{400, 499, class.Unavailable}, {500, 599, class.Invalid}},
		rows: []codeRow{
			{class.Unauthenticated, ints{430, 530, 534, 535, 538}},
			{class.Denied, ints{532, 550, 551, 553, 571}},
			{class.Exhausted, ints{552, 452}},
		},
	},
	// WebSocket: RFC 6455, section 7.4, and its registry.
	{
		packages: "github.com/gorilla/websocket github.com/coder/websocket nhooyr.io/websocket github.com/gobwas/ws github.com/fasthttp/websocket",
		rows: []codeRow{
			{class.Internal, ints{1000}},                                      // closed as intended
			{class.ReplyLost, ints{1001, 1005, 1006, 1011, 1012, 1013, 1014}}, // going away, abnormal, restart, try again later
			{class.Invalid, ints{1002, 1003, 1007, 1010}},
			{class.OutOfRange, ints{1009}},
			{class.Denied, ints{1008}},
			{class.Unauthenticated, ints{1015, 3000}}, // TLS handshake, unauthorized
			{class.Denied, ints{3003}},
			{class.TimedOut, ints{3008}},
		},
	},
	// JSON-RPC 2.0, and MCP's own codes; the rest of the server's range differs from server to server.
	{
		packages: "github.com/modelcontextprotocol/go-sdk github.com/sourcegraph/jsonrpc2 github.com/ethereum/go-ethereum/rpc golang.org/x/exp/jsonrpc2",
		rows: append(jsonRPCRows,
			codeRow{class.Invalid, ints{-32020}},              // MCP: headers do not match
			codeRow{class.Precondition, ints{-32021, -32022}}, // MCP: capability, version
			codeRow{class.Denied, ints{-32042}},               // MCP: the user has to open a URL first
		),
	},
	// HTTP/2: RFC 9113, section 7.
	{
		packages: "golang.org/x/net/http2",
		rows: []codeRow{
			{class.Unavailable, ints{0x7}}, // REFUSED_STREAM: not processed
			{class.Throttled, ints{0xb}},   // ENHANCE_YOUR_CALM
			{class.ReplyLost, ints{0x8}},   // CANCEL
		},
	},
	// SFTP: draft-ietf-secsh-filexfer-13, section 9.1.
	{
		packages: "github.com/pkg/sftp",
		rows: []codeRow{
			{class.NotFound, ints{2, 10}}, // no such file, path
			{class.Denied, ints{3}},
			{class.ReplyLost, ints{6, 7}}, // no connection, connection lost
			{class.Invalid, ints{5, 8}},   // bad message, unsupported
			{class.Exists, ints{11}},
			{class.Exhausted, ints{14}}, // no space
			{class.Limit, ints{15}},     // quota
			{class.Internal, ints{4}},
		},
	},
}
