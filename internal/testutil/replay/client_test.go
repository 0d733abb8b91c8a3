package replay_test

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
)

// A family holds the cases of one server that are reproduced as errors of the server's
// client library.
type family struct {
	file  string // the recording
	cases map[string]typedCase
}

// recordedPrefix stands for the recorded text in front of the client's text.
const recordedPrefix = "..."

// A typedCase reproduces the error behind a recorded result. The server added the prefix.
type typedCase struct {
	prefix string
	// call makes the client's call and returns its error. The address is the upstream's of
	// the recorded case, or refuses connections.
	call func(t *testing.T, address string) error
}

var families = []family{
	vaultFamily, vaultRefusedFamily, grafanaFamily, terraformFamily, filesFamily, prometheusFamily,
	prometheusRefusedFamily,
	gitlabFamily, digitaloceanFamily, digitaloceanRefusedFamily, digitaloceanBadTokenFamily,
}

// provoke returns the error of a case, wrapped in the server's text.
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

// refused returns a loopback address that refuses connections.
func refused(t *testing.T) string {
	t.Helper()
	addr, err := loopback.Unused()
	require.NoError(t, err)
	return addr
}

var ports = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// withoutPort returns a text without the port of a loopback address, which differs between
// runs, and with unescaped dots, which GitLab's client escapes in some places.
func withoutPort(text string) string {
	return strings.ReplaceAll(ports.ReplaceAllString(text, "127.0.0.1:1"), "%2E", ".")
}
