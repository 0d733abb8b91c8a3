package classify

// smtpPackage is a library whose codes are those of [net/textproto] too.
const smtpPackage = "github.com/emersion/go-smtp"

// protocolCodes are the numbers of protocols, by the libraries that speak them.
var protocolCodes = []codeTable{
	// Kafka: the protocol; librdkafka's own are negative.
	{
		packages: "github.com/segmentio/kafka-go github.com/IBM/sarama github.com/Shopify/sarama github.com/twmb/franz-go github.com/confluentinc/confluent-kafka-go",
		rows: []codeRow{
			{unavailable, ints{5, 6, 8, 9, 14, 15, 16, 19, 27, 41, 51, 52, 56, 74, 75, 76, 78, 79, 88, 100, 2, 22, 25, 46, 55}}, // elections, moves, rebalances
			{timedOut, ints{7, 13, 20}},                               // timed out, network, too few replicas after the append
			{timedOut, ints{-185, -192, -184, -190}},                  // timed out here
			{replyLost, ints{-195, -187, -193}},                       // transport, all brokers down, unknown broker
			{invalid, ints{-199, -200, -198, -196}},                   // bad message, format
			{denied, ints{29, 30, 31, 53, 65, 66}},                    // authorization
			{unauthenticated, ints{33, 34, 54, 58, 61, 62, 64, -169}}, // authentication
			{notFound, ints{3, 69, 70, 91, 80, -188, -189}},           // unknown topic, group, member
			{exists, ints{36, 82, 92}},                                // exists
			{outOfRange, ints{1, 10, 18, 26, 28, 32}},                 // range, size
			{invalid, ints{4, 93, 112, 114, 115, 117, 119, 17, 21, 23, 24, 35, 37, 38, 39, 40, 42, 43, 87, 67, 63, 77}}, // malformed
			{precondition, ints{44, 49, 50, 60, 68, 73, 81, 84, 85, 86, 107}},                                           // policy, state
			{throttled, ints{89}},                // throttling quota
			{conflict, ints{45, 47, 48, 90, 83}}, // sequence, epoch, fenced
		},
	},
	// NATS JetStream: server/errors.json, where the status says something else.
	{
		packages: "github.com/nats-io/nats.go",
		rows: []codeRow{
			{conflict, ints{10071, 10164, 10065}},    // wrong last sequence, overlapping subjects
			{exists, ints{10058, 10148, 10013}},      // name in use
			{notFound, ints{10014, 10059, 10037}},    // consumer, stream, message not found
			{unavailable, ints{10008, 10023, 10077}}, // no leader, insufficient resources, full
		},
	},
	// AMQP 0-9-1: section 1.2 of its reference.
	{
		packages: "github.com/rabbitmq/amqp091-go github.com/streadway/amqp",
		rows: []codeRow{
			{outOfRange, ints{311}},                       // content too large
			{notFound, ints{312, 404}},                    // no route, not found
			{unavailable, ints{313}},                      // no consumers
			{invalid, ints{402, 501, 502, 503, 505, 540}}, // path, frame, syntax, command, a method the broker lacks
			{denied, ints{403}},
			{precondition, ints{405, 406, 530}}, // locked, precondition, not allowed
			{internal, ints{504}},               // closed by this side
			{exhausted, ints{506}},
			{replyLost, ints{320, 541}}, // closed by an operator, internal
		},
	},
	// LDAP: RFC 4511, appendix A; from 80 on those of the client libraries.
	{
		packages: "github.com/go-ldap/ldap gopkg.in/ldap",
		rows: []codeRow{
			{unavailable, ints{51, 52, 81, 91}}, // busy, unavailable, server down, connect
			{replyLost, ints{200}},
			{timedOut, ints{3, 85}},                      // time limit
			{canceled, ints{88, 118}},                    // cancelled
			{unauthenticated, ints{7, 8, 13, 48, 49}},    // authentication
			{denied, ints{50}},                           // rights
			{notFound, ints{16, 32, 94}},                 // no such attribute, object, results
			{exists, ints{20, 68}},                       // exists
			{limit, ints{4, 11}},                         // size and admin limit
			{precondition, ints{53, 65, 66, 67, 69, 71}}, // unwilling, schema and tree rules
			{invalid, ints{2, 17, 18, 19, 21, 34, 36, 64, 87, 89, 201, 202, 203, 204, 205, 206, 207}}, // malformed
			{internal, ints{1, 80, 82, 83, 84}}, // other
		},
	},
	// SMTP (RFC 5321) and FTP (RFC 959): 4yz may be tried again, 5yz not.
	{
		packages: smtpPackage,
		ranges:   []codeRange{{400, 499, unavailable}, {500, 599, invalid}},
		rows: []codeRow{
			{unauthenticated, ints{430, 530, 534, 535, 538}},
			{denied, ints{532, 550, 551, 553, 571}},
			{exhausted, ints{552, 452}},
		},
	},
	// WebSocket: RFC 6455, section 7.4, and its registry.
	{
		packages: "github.com/gorilla/websocket github.com/coder/websocket nhooyr.io/websocket github.com/gobwas/ws github.com/fasthttp/websocket",
		rows: []codeRow{
			{internal, ints{1000}}, // closed as intended
			{replyLost, ints{1001, 1005, 1006, 1011, 1012, 1013, 1014}}, // going away, abnormal, restart, try again later
			{invalid, ints{1002, 1003, 1007, 1010}},
			{outOfRange, ints{1009}},
			{denied, ints{1008}},
			{unauthenticated, ints{1015, 3000}}, // TLS handshake, unauthorized
			{denied, ints{3003}},
			{timedOut, ints{3008}},
		},
	},
	// JSON-RPC 2.0, and MCP's own codes; the rest of the server's range differs from server to server.
	{
		packages: "github.com/modelcontextprotocol/go-sdk github.com/sourcegraph/jsonrpc2 github.com/ethereum/go-ethereum/rpc golang.org/x/exp/jsonrpc2",
		rows: []codeRow{
			{invalid, ints{-32700, -32600, -32602}},
			{notFound, ints{-32601}},
			{internal, ints{-32603}},
			{invalid, ints{-32020}},              // MCP: headers do not match
			{precondition, ints{-32021, -32022}}, // MCP: capability, version
			{denied, ints{-32042}},               // MCP: the user has to open a URL first
		},
	},
	// HTTP/2: RFC 9113, section 7.
	{
		packages: "golang.org/x/net/http2",
		rows: []codeRow{
			{unavailable, ints{0x7}}, // REFUSED_STREAM: not processed
			{throttled, ints{0xb}},   // ENHANCE_YOUR_CALM
			{replyLost, ints{0x8}},   // CANCEL
		},
	},
	// SFTP: draft-ietf-secsh-filexfer-13, section 9.1.
	{
		packages: "github.com/pkg/sftp",
		rows: []codeRow{
			{notFound, ints{2, 10}}, // no such file, path
			{denied, ints{3}},
			{replyLost, ints{6, 7}}, // no connection, connection lost
			{invalid, ints{5, 8}},   // bad message, unsupported
			{exists, ints{11}},
			{exhausted, ints{14}}, // no space
			{limit, ints{15}},     // quota
			{internal, ints{4}},
		},
	},
}
