// Package loopback chooses addresses for tests. It imports only the standard library, so that
// nested modules do not need the dependencies of other tests.
package loopback

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// first is the first port to choose from, and ports is their number. They are below the ports that
// systems give to clients and to listeners on port 0 (from 32768 on Linux, from 49152 in RFC 6335),
// because another test may get those at any time.
const first, ports = 20_000, 10_000

// Unused returns an address that nothing listens on, for a server that cannot listen on port 0 or
// restarts on the same port, or for a connection that must be refused.
func Unused() (addr string, err error) {
	for range 100 {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(first+rand.IntN(ports)))
		var listener net.Listener
		if listener, err = net.Listen("tcp", addr); err == nil {
			return addr, listener.Close()
		}
	}
	return "", err
}
