package thirdparty

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

var websocketCases = []testCase{
	{"gorilla/websocket", "close 1006", "7", closed(websocket.CloseAbnormalClosure), transient, yes, 0},
	{"gorilla/websocket", "close 1001", "7", closed(websocket.CloseGoingAway), transient, nil, 0},
	{"gorilla/websocket", "close 1008", "7", closed(websocket.ClosePolicyViolation), or(permission, business), no, 0},
	{"gorilla/websocket", "close 1009", "7", closed(websocket.CloseMessageTooBig), validation, no, 0},
	{"gorilla/websocket", "close 1013", "7", closed(websocket.CloseTryAgainLater), transient, yes, 0},
	{"gorilla/websocket", "bad handshake (403)", "8", func(t *testing.T) error {
		_, err := dial(t, answer(t, 403, nil, secret))
		return err
	}, or(transient, permission, validation), nil, 0},
}

// closed is what a client reads after its server closed with that code. 1006 is
// never sent: it stands for a connection that ended without a code.
func closed(code int) func(*testing.T) error {
	return func(t *testing.T) error {
		address := serve(t, func(w http.ResponseWriter, r *http.Request) {
			conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
			if err != nil {
				return
			}
			defer conn.Close()
			if code != websocket.CloseAbnormalClosure {
				_ = conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""))
			}
		})
		conn, err := dial(t, address)
		must(t, err)
		defer conn.Close()
		_, _, err = conn.ReadMessage()
		return err
	}
}

func dial(t *testing.T, address string) (*websocket.Conn, error) {
	t.Helper()
	//nolint:bodyclose // the library leaves nothing to close
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(address, "http"), nil)
	return conn, err
}
