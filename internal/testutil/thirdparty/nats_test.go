package thirdparty

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

var natsCases = []testCase{
	{"nats.go", "ErrNoResponders", "8", func(t *testing.T) error {
		_, err := natsClient(t, &server.Options{}).RequestWithContext(t.Context(), "nobody", nil)
		return err
	}, transient, yes, 0},
	{"nats.go", "ErrTimeout", "8", func(t *testing.T) error {
		sub, err := natsClient(t, &server.Options{}).SubscribeSync("quiet")
		must(t, err)
		_, err = sub.NextMsg(time.Millisecond)
		return err
	}, transient, yes, 0},
	{"nats.go", "ErrConnectionClosed", "8", func(t *testing.T) error {
		client := natsClient(t, &server.Options{})
		client.Close()
		return client.Publish("x", nil)
	}, transient, no, 0},
	{"nats.go", "authorization violation", "8", func(t *testing.T) error {
		_, err := nats.Connect(natsServer(t, &server.Options{Username: "u", Password: secret}))
		return err
	}, permission, no, 0},
	{"nats.go", "maximum payload", "8", func(t *testing.T) error {
		return natsClient(t, &server.Options{MaxPayload: 8}).Publish("x", make([]byte, 9))
	}, validation, no, 0},
	{"nats.go", "bad subject", "8", func(t *testing.T) error {
		return natsClient(t, &server.Options{}).Publish("", nil)
	}, validation, no, 0},
	{"nats.go", "no servers", "8", func(t *testing.T) error {
		_, err := nats.Connect("nats://" + refused(t))
		return err
	}, transient, yes, 0},
	{"nats.go", "jetstream stream not found", "5", func(t *testing.T) error {
		_, err := stream(t).Stream(t.Context(), "NONE")
		return err
	}, validation, no, 0},
	{"nats.go", "jetstream wrong last sequence", "5", func(t *testing.T) error {
		js := stream(t)
		_, err := js.CreateStream(t.Context(),
			jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}, Storage: jetstream.MemoryStorage})
		must(t, err)
		_, err = js.Publish(t.Context(), "s", nil, jetstream.WithExpectLastSequence(5))
		return err
	}, or(business, validation), no, 0},
}

func natsServer(t *testing.T, options *server.Options) string {
	t.Helper()
	options.Host, options.Port = "127.0.0.1", server.RANDOM_PORT
	options.NoLog, options.NoSigs = true, true
	s, err := server.NewServer(options)
	must(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(testutil.Patience) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

func natsClient(t *testing.T, options *server.Options) *nats.Conn {
	t.Helper()
	client, err := nats.Connect(natsServer(t, options))
	must(t, err)
	t.Cleanup(client.Close)
	return client
}

func stream(t *testing.T) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(natsClient(t, &server.Options{JetStream: true, StoreDir: t.TempDir()}))
	must(t, err)
	return js
}
