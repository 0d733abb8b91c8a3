package reports

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A restartable is a server over HTTP that forgets its sessions when it restarts, and then answers requests of
// unknown sessions as refuse says.
type restartable struct {
	mu       sync.Mutex
	handler  http.Handler
	known    map[string]bool
	refuse   func(w http.ResponseWriter, body []byte)
	front    func(w http.ResponseWriter, r *http.Request, body []byte) bool // answers in place of the server
	notes    atomic.Int64                                                   // effects
	refused  atomic.Int64
	noStream bool
	life     context.Context // of this run of the server
	end      context.CancelFunc
}

func newRestartable(refuse func(http.ResponseWriter, []byte)) *restartable {
	r := &restartable{refuse: refuse}
	r.restart()
	return r
}

func (r *restartable) restart() {
	s := newServer()
	s.AddTool(&mcp.Tool{Name: "create_note", InputSchema: anyObject},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return text(fmt.Sprint("note ", r.notes.Add(1))), nil
		})
	s.AddTool(&mcp.Tool{Name: "read_note", InputSchema: anyObject, Annotations: readOnly},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return text("a note"), nil
		})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.end != nil {
		r.end()
	}
	r.life, r.end = context.WithCancel(context.Background())
	r.known = map[string]bool{}
	r.handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{JSONResponse: true})
}

// A spy notes the session id of a response.
type spy struct {
	http.ResponseWriter
	note func(string)
}

func (s spy) WriteHeader(n int) {
	s.note(s.Header().Get("Mcp-Session-Id"))
	s.ResponseWriter.WriteHeader(n)
}

func (s spy) Write(b []byte) (int, error) {
	s.note(s.Header().Get("Mcp-Session-Id"))
	return s.ResponseWriter.Write(b)
}

func (s spy) Flush() {
	if f, ok := s.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

func (r *restartable) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	req.Body = io.NopCloser(bytes.NewReader(body))
	id := req.Header.Get("Mcp-Session-Id")
	r.mu.Lock()
	h, known, front, life := r.handler, id == "" || r.known[id], r.front, r.life
	r.mu.Unlock()
	if req.Method == http.MethodGet {
		ctx, cancel := context.WithCancel(req.Context())
		defer cancel()
		defer context.AfterFunc(life, cancel)()
		req = req.WithContext(ctx)
	}
	switch {
	case front != nil && front(w, req, body):
		return
	case r.noStream && req.Method == http.MethodGet:
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	case !known:
		r.refused.Add(1)
		r.refuse(w, body)
		return
	}
	h.ServeHTTP(spy{w, func(id string) {
		if id != "" {
			r.mu.Lock()
			r.known[id] = true
			r.mu.Unlock()
		}
	}}, req)
}

// answer answers with a body, in which ID stands for the request's id.
func answer(status int, contentType, body string) func(http.ResponseWriter, []byte) {
	return func(w http.ResponseWriter, request []byte) {
		var req struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(request, &req)
		if len(req.ID) == 0 {
			req.ID = json.RawMessage("null")
		}
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, strings.ReplaceAll(body, "ID", string(req.ID)))
	}
}

// lostSession plays a restart between two calls, and then asks whether the client finds its way back: with a server
// that has no stream of notifications (it answers GET with 405, as many do), and with one that has.
func lostSession(id, name string, reads bool, refuse func(http.ResponseWriter, []byte), blame bool) {
	for _, stream := range []bool{false, true} {
		r := newRestartable(refuse)
		r.noStream = !stream
		front := httptest.NewServer(r)
		c := streamAgent(front.URL, reads, nil, true)
		kind := map[bool]string{true: "RoundTripper", false: "plain transport"}[reads] + map[bool]string{
			true:  ", GET",
			false: "",
		}[stream]
		in := func(s string) string { return fmt.Sprintf("%s/%s, %s: %s", id, name, kind, s) }

		o, d := call(c, "create_note", nil)
		if d.Action != retry.ActionAccept || r.notes.Load() != 1 {
			check(in("set-up"), false, "one note", show(o, d))
		}
		r.restart() // behind a proxy: streams end, its connections stay
		o, d = call(c, "create_note", nil)
		first := show(o, d)
		done := d.Action == retry.ActionAccept
		if !blame {
			bad := d.Action == retry.ActionFixInput ||
				o.Err != nil && (o.Err.Category == toolerr.CategoryValidation || o.Err.Category == toolerr.CategoryBusiness)
			check(in("the caller is not blamed"), !bad, "neither validation nor fix_input", first)
		}
		check(in("nothing ran twice, nor unseen"), r.notes.Load() == map[bool]int64{true: 2, false: 1}[done],
			"as many notes as told", fmt.Sprint(r.notes.Load(), " notes; ", first))
		// Later calls, on a healthy server, work.
		var back time.Duration
		// Over real sockets, nothing tells a program when its client has noticed that a stream has ended: it asks again.
		for start := time.Now(); back == 0 && time.Since(start) < time.Minute; time.Sleep(100 * time.Millisecond) {
			if o, d = call(c, "read_note", nil); d.Action == retry.ActionAccept {
				back = time.Since(start) + 1
			}
			if !stream {
				break // nothing else will tell the client
			}
		}
		check(in("a later read works"), back > 0, "accept", show(o, d))
		before := r.notes.Load()
		o, d = call(c, "create_note", nil)
		check(in("a later write works, once"), d.Action == retry.ActionAccept && r.notes.Load() == before+1,
			"accept, one note more", fmt.Sprint(r.notes.Load()-before, " more; ", show(o, d)))
		_ = c.Close()
		front.CloseClientConnections()
		front.Close()
	}
}

func TestR01(t *testing.T) {
	group(t, "R01", func() {
		for _, reads := range []bool{true, false} {
			lostSession("R01", "400, id null", reads,
				answer(400, "application/json", `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid `+
					`session given"},"id":null}`), false)
			lostSession("R01", "400, the request's id", reads,
				answer(400, "application/json", `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid `+
					`session or not an initialize request"},"id":ID}`), false)
			lostSession("R01", "400, a text as id", reads,
				answer(400, "application/json", `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not `+
					`initialized"},"id":"server-error"}`), false)
		}
	})
}

func TestR03(t *testing.T) {
	group(t, "R03", func() {
		for _, reads := range []bool{true, false} {
			lostSession("R03", "401 text of rust-sdk", reads,
				answer(401, "text/plain; charset=utf-8", "Unauthorized: Session not found"), true)
		}
	})
}

func TestR05(t *testing.T) {
	group(t, "R05", func() {
		for _, reads := range []bool{true, false} {
			lostSession("R05", "404 of typescript-sdk", reads,
				answer(404, "application/json",
					`{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`), false)
			lostSession("R05", "404 of python-sdk", reads,
				answer(404, "application/json", `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session `+
					`not found"}}`), false)
			lostSession("R05", "404 of csharp-sdk", reads,
				answer(404, "application/json; charset=utf-8",
					`{"error":{"code":-32001,"message":"Session not found"},"id":"","jsonrpc":"2.0"}`), false)
			lostSession("R05", "404 with the request's id", reads, answer(404, "application/json", `{"jsonrpc":"2.0","id":ID,`+
				`"error":{"code":-32001,"message":"Session not found"}}`), false)
			lostSession("R05", "404 of helidon", reads, answer(404, "application/json", `{"jsonrpc":"2.0","id":1}`), false)
			lostSession("R05", "404 without a body (control)", reads, answer(404, "text/plain", "session not found"), false)
		}
	})
}

const signIn = `<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="https://idp.example.com/login?state=st-91ab77" method="post">
<input type="hidden" name="csrf" value="csrf-7f3e2d9c"><p>Tenant acme-7731</p></form></body></html>`

func TestR06(t *testing.T) {
	group(t, "R06", func() {
		for _, reads := range []bool{true, false} {
			for _, contentType := range []string{"text/html; charset=utf-8", "application/json"} {
				in := func(s string) string { return fmt.Sprintf("R06/%s, reads=%t: %s", contentType, reads, s) }
				r := newRestartable(answer(404, "text/plain", "no"))
				front := httptest.NewServer(r)
				c := httpAgent(front.URL, reads, nil)
				if o, d := call(c, "create_note", nil); d.Action != retry.ActionAccept {
					check(in("set-up"), false, "accept", show(o, d))
				}
				var closed atomic.Bool
				closed.Store(true)
				r.mu.Lock()
				r.front = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
					if closed.Load() && bytes.Contains(body, []byte("tools/call")) {
						answer(200, contentType, signIn)(w, nil)
						return true
					}
					return false
				}
				r.mu.Unlock()
				o, d := call(c, "create_note", nil)
				check(in("a failure, not data"), o.Kind == result.KindFailure, "failure", show(o, d))
				check(in("not repeated, not called done or none"), r.notes.Load() == 1 && d.Action != retry.ActionAccept &&
					d.Action != retry.ActionFixInput && d.Action != retry.ActionEscalate, "verify, propagate or reauthorize",
					show(o, d))
				check(in("nothing of the page reaches the model"),
					!containsAny(o.Text(), "csrf", "st-91ab77", "acme-7731", "DOCTYPE", "<html"), "no page", o.Text())
				closed.Store(false)
				o, d = call(c, "create_note", nil)
				check(in("later calls work"), d.Action == retry.ActionAccept && r.notes.Load() == 2, "accept", show(o, d))
				_ = c.Close()
				front.CloseClientConnections()
				front.Close()
			}
		}
	})
}

func TestR26(t *testing.T) {
	group(t, "R26", func() {
		const user, query = "URLCREDENTIAL9xQ4", "URLQUERYTOKEN9xQ4"
		for _, k := range []struct{ name, url string }{
			{"refused", "http://client:" + user + "@127.0.0.1:1/mcp?api_key=" + query + "#fragment"},
			{"unknown host", "http://client:" + user + "@no-such-host.invalid/mcp?api_key=" + query},
			{"signed query", "http://127.0.0.1:1/mcp?sig=" + query + "&exaApiKey=" + user},
		} {
			var log bytes.Buffer
			var said []string
			c := httpAgent(k.url, true, nil)
			c.Policy.MaxAttempts = -1
			c.Policy.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			c.Policy.OnDecision = func(o result.Outcome, d retry.Decision) { said = append(said, show(o, d)) }
			o, d := call(c, "create_note", nil)
			_ = c.Close()
			j, _ := json.Marshal(d)
			model := strings.Join(append(said, o.Text(), string(j), o.Err.Error(), fmt.Sprintf("%v %+v", o.Err, d)), " ")
			check("R26/"+k.name+": not to the model", !containsAny(model, user, query), "no credential", model)
			check("R26/"+k.name+": not in the log", !containsAny(log.String(), user, query), "no credential", log.String())
			check("R26/"+k.name+": not sent, not the caller's", o.Err.Effect == toolerr.EffectNone &&
				o.Err.Category == toolerr.CategoryTransient && d.Action == retry.ActionPropagate, "transient, none, propagate",
				show(o, d))
		}
	})
}
