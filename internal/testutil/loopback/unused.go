// Package loopback chooses addresses for tests. It imports only the standard library, so that
// nested modules do not need the dependencies of other tests.
package loopback

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// The first port and the number of ports to choose from. Chosen: below the ports that systems give
// to clients and to listeners on port 0 (from 32768 on Linux, from 49152 by RFC 6335), which may be
// given to another test at any time.
const first, ports = 20_000, 10_000

// Unused returns the address of a port on which nothing listens, for a server that cannot listen on
// port 0 or restarts on the same port, or for a connection that must be refused.
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
