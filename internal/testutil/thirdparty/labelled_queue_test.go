package thirdparty

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/beanstalkd/go-beanstalk"
	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

func amqpCases(t *testing.T) []labelled {
	const lib = "rabbitmq/amqp091-go"
	// newError of the library: Server true, Recover for the soft (channel) exceptions 311, 313, 403, 404, 405, 406.
	srv := func(code int, recover bool, reason string) error {
		return &amqp.Error{Code: code, Reason: reason, Server: true, Recover: recover}
	}
	return []labelled{
		{
			lib, "404 NOT_FOUND", "constructed", fmt.Errorf("declare: %w", srv(404, true, "NOT_FOUND - no queue 'jobs' in "+
				"vhost '/'")), validation, nil, "false", "",
			"not found by name; Recover does not mean that the same may be repeated",
		},
		{lib, "403 ACCESS_REFUSED", "constructed", srv(403, true, "ACCESS_REFUSED - access to queue 'jobs' in vhost '/' "+
			"refused for user 'app'"), permission, nil, "false", "", "authz"},
		{
			lib, "406 PRECONDITION_FAILED", "constructed", srv(406, true, "PRECONDITION_FAILED - inequivalent arg 'durable' "+
				"for queue 'jobs' in vhost '/': received 'false' but current is 'true'"), business, or(validation), "false", "",
			"state; 406 is not HTTP's",
		},
		{
			lib, "405 RESOURCE_LOCKED", "constructed", srv(405, true, "RESOURCE_LOCKED - cannot obtain exclusive access to "+
				"locked queue 'jobs' in vhost '/'"), business, or(transient), "either", "",
			"somebody else holds it; 405 is not HTTP's",
		},
		{
			lib, "320 CONNECTION_FORCED", "constructed", srv(320, false, "CONNECTION_FORCED - broker forced connection "+
				"closure with reason 'shutdown'"), transient, nil, "true", notNone,
			"Temporary(): may retry at some later date; a publish under way is in doubt",
		},
		{
			lib, "503 COMMAND_INVALID", "sentinel", amqp.ErrCommandInvalid, transient, or(validation), "false", "",
			"docs: indicates a bug in this client; 503 is not HTTP's",
		},
	}
}

func saramaCases(t *testing.T) []labelled {
	const lib = "IBM/sarama"
	sarama.Logger = log.New(io.Discard, "", 0)
	cfg := sarama.NewConfig()
	cfg.Metadata.Retry.Max = 0
	cfg.Net.DialTimeout = testutil.Patience
	_, noBroker := sarama.NewClient([]string{refused(t)}, cfg)
	bad := sarama.NewConfig()
	bad.Producer.Return.Successes = false
	_, config := sarama.NewSyncProducer([]string{refused(t)}, bad)
	msg := "Topic 'orders' already exists."
	produce := func(k sarama.KError) error {
		return &sarama.ProducerError{Msg: &sarama.ProducerMessage{Topic: "orders"}, Err: k}
	}
	return []labelled{
		{lib, "out of brokers, refused", "triggered", noBroker, transient, nil, "true", "", "connection refused"},
		{
			lib, "MESSAGE_TOO_LARGE", "constructed", produce(sarama.ErrMessageSizeTooLarge), validation, nil, "false", "",
			"too large",
		},
		{
			lib, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "constructed", produce(sarama.ErrNotEnoughReplicasAfterAppend), transient,
			nil, "true", notNone, "retriable by the protocol; the message was written to the log",
		},
		{
			lib, "TOPIC_AUTHORIZATION_FAILED", "constructed", produce(sarama.ErrTopicAuthorizationFailed), permission, nil,
			"false", "", "authz",
		},
		{
			lib, "TOPIC_ALREADY_EXISTS", "constructed", &sarama.TopicError{Err: sarama.ErrTopicAlreadyExists, ErrMsg: &msg},
			business, nil, "false", "", "already exists",
		},
		{
			lib, "configuration", "triggered", config, transient, or(validation), "false", "",
			"configuration is the tool's own trouble",
		},
	}[:6]
}

func beanstalk1(t *testing.T, f func(*beanstalk.Conn) error, reply string) error {
	addr := listen(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "put") {
				r.ReadString('\n')
			}
			io.WriteString(c, reply+"\r\n")
		}
	})
	c, err := beanstalk.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return f(c)
}

func beanstalkCases(t *testing.T) []labelled {
	const lib = "go-beanstalk"
	put := func(c *beanstalk.Conn) error { _, err := c.Put([]byte("job"), 1, 0, time.Minute); return err }
	peek := func(c *beanstalk.Conn) error { _, err := c.Peek(99); return err }
	return []labelled{
		{lib, "NOT_FOUND", "wire", beanstalk1(t, peek, "NOT_FOUND"), validation, nil, "false", "", "not found by id"},
		{lib, "JOB_TOO_BIG", "wire", beanstalk1(t, put, "JOB_TOO_BIG"), validation, nil, "false", "", "too large"},
		{
			lib, "DRAINING", "wire", beanstalk1(t, put, "DRAINING"), transient, or(business), "true", "",
			"protocol: try another server, or disconnect and try later",
		},
		{
			lib, "BURIED", "wire", beanstalk1(t, put, "BURIED 12"), transient, or(business), "false", notNone,
			"protocol: the job was taken, and buried for want of memory: a repeat doubles it",
		},
	}
}
