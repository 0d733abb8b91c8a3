package thirdparty

import (
	"fmt"
	"testing"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/bradfitz/gomemcache/memcache"
	"github.com/segmentio/kafka-go"
)

var cassandraCases = []testCase{
	{"gocql", "ErrNotFound", "8", value(gocql.ErrNotFound), validation, no, 0},
	{"gocql", "ErrTimeoutNoResponse", "8", value(gocql.ErrTimeoutNoResponse), transient, yes, 0},
	{"gocql", "ErrNoConnections", "8", value(fmt.Errorf("q: %w", gocql.ErrNoConnections)), transient, yes, 0},
	{
		"gocql", "unavailable (too few replicas)", "7", value(&gocql.RequestErrUnavailable{Required: 2, Alive: 1}), transient,
		yes, 0,
	},
}

var memcacheCases = []testCase{
	{"gomemcache", "cache miss", "8", value(fmt.Errorf("session: %w", memcache.ErrCacheMiss)), validation, no, 0},
	{"gomemcache", "CAS conflict", "8", value(memcache.ErrCASConflict), business, no, 0},
	{"gomemcache", "server refused", "1", func(t *testing.T) error {
		_, err := memcache.New(refused(t)).Get("k")
		return err
	}, transient, yes, 0},
}

var kafkaCases = []testCase{
	{"segmentio/kafka-go", "Request Timed Out", "3", write(kafka.RequestTimedOut), transient, yes, 0},
	{"segmentio/kafka-go", "Leader Not Available", "3", write(kafka.LeaderNotAvailable), transient, yes, 0},
	{"segmentio/kafka-go", "Not Leader For Partition", "3", write(kafka.NotLeaderForPartition), transient, yes, 0},
	{"segmentio/kafka-go", "Rebalance In Progress", "8", write(kafka.RebalanceInProgress), transient, yes, 0},
	{"segmentio/kafka-go", "Message Size Too Large", "8", write(kafka.MessageSizeTooLarge), validation, no, 0},
	{"segmentio/kafka-go", "Topic Authorization Failed", "8", write(kafka.TopicAuthorizationFailed), permission, no, 0},
	{"segmentio/kafka-go", "Invalid Topic", "8", write(kafka.InvalidTopic), validation, no, 0},
	{"segmentio/kafka-go", "Topic Already Exists", "8", write(kafka.TopicAlreadyExists), business, no, 0},
	{"segmentio/kafka-go", "Offset Out Of Range", "8", write(kafka.OffsetOutOfRange), validation, no, 0},
	{"segmentio/kafka-go", "SASL Authentication Failed", "8", write(kafka.SASLAuthenticationFailed), permission, no, 0},
	{
		"segmentio/kafka-go", "Unknown Topic Or Partition", "3", write(kafka.UnknownTopicOrPartition),
		or(validation, transient), nil, 0,
	},
	{"segmentio/kafka-go", "dial refused", "1", func(t *testing.T) error {
		_, err := kafka.DialContext(t.Context(), "tcp", refused(t))
		return err
	}, transient, yes, 0},
}

func write(err kafka.Error) func(*testing.T) error {
	return value(fmt.Errorf("write: %w", err))
}
