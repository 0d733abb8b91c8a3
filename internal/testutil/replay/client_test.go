package replay_test

import (
	"fmt"
	"net"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A family is the cases of one server that are made anew as errors of the client
// library that the server uses.
type family struct {
	file  string // the recording
	cases map[string]typedCase
}

// recordedPrefix stands for what the recorded text has before the client's words.
const recordedPrefix = "..."

// A typedCase makes the error behind a recorded result. The server showed it behind
// the prefix.
type typedCase struct {
	prefix string
	// call makes the client's call, and returns its error. The address is that of the
	// upstream of the recorded case, or one that nobody listens at.
	call func(t *testing.T, address string) error
}

var families = []family{
	vaultFamily, vaultRefusedFamily, grafanaFamily, terraformFamily, filesFamily, prometheusFamily, prometheusRefusedFamily,
	gitlabFamily,
}

// provoke makes the error of a case, wrapped as the server's words are.
func (c typedCase) provoke(t *testing.T, recorded *recordedCall) error {
	t.Helper()
	address := ""
	if recorded.Upstream != nil {
		server := httptest.NewServer(recorded.Upstream)
		t.Cleanup(server.Close)
		address = server.URL
	} else {
		address = "http://" + refused(t)
	}
	err := c.call(t, address)
	require.Error(t, err, recorded.ID)
	switch c.prefix {
	case "":
		return err
	case recordedPrefix:
		return fmt.Errorf("%s%w", cutError(t, text(recorded.result(t)), err.Error()), err)
	}
	return fmt.Errorf("%s%w", c.prefix, err)
}

// refused is an address on loopback where nobody listens.
func refused(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

var ports = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// withoutPort is a text without the port of an address on loopback, which differs in
// each run, and with the dots that GitLab's client escapes or not.
func withoutPort(text string) string {
	return strings.ReplaceAll(ports.ReplaceAllString(text, "127.0.0.1:1"), "%2E", ".")
}
