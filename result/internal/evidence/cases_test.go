package evidence_test

import (
	"crypto/x509"
	"encoding/json"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A faultCase is an error of a tool that fails by itself, and its twin: the same error
// about a value in the arguments, which is the caller's fault.
type faultCase struct {
	fails     func(t *testing.T, what string) error
	own       string // the subject of the tool's own error
	given     string // the subject of the twin's error
	arguments string // the twin's arguments
	field     string // the field of the twin's arguments that contains the subject
	code      toolerr.Code
}

const (
	notFound = toolerr.CodeNotFound
	badInput = toolerr.CodeInvalidArgument
	tooLarge = toolerr.CodeOutOfRange
	noAccess = toolerr.CodePermissionDenied
	noProof  = toolerr.CodeUnauthenticated
)

// faultCases are sorted by the subject of the error: files and programs, then texts that
// cannot be parsed, then the network.
var faultCases = map[string]faultCase{
	"missing file":             {readFile, "/etc/weather/missing.yaml", "/home/ann/missing.txt", `{"path":"/home/ann/missing.txt"}`, "path", notFound},
	"missing file, not clean":  {readFile, "config/missing.json", "/home/ann/missing.txt", `{"files":[{"path":"/home/ann/../ann//missing.txt "}]}`, "files[0].path", notFound},
	"missing file, joined":     {readFile, "/etc/weather/missing.yaml", "/srv/no such/reports/q3.txt", `{"report":"reports/q3.txt"}`, "report", notFound},
	"missing file, extended":   {readFile, "/etc/weather/missing.yaml", "/srv/profiles/ann-7.json", `{"profile":"ann-7"}`, "profile", notFound},
	"missing file by number":   {readFile, "/etc/weather/missing.yaml", "/srv/orders/48291.json", `{"order":48291}`, "order", notFound},
	"missing file, as a URI":   {readFile, "/etc/weather/missing.yaml", "/home/ann/a b.txt", `{"uri":"file:///home/ann/a%20b.txt"}`, "uri", notFound},
	"missing file of a folder": {readFile, "/etc/weather/missing.yaml", "/srv/no/project/go.mod", `{"root":"/srv/no/project"}`, "root", notFound},
	"unreadable key":           {pathError("open", fs.ErrPermission), "/etc/weather/key.pem", "/root/.ssh/id", `{"file":"/root/.ssh/id"}`, "file", noAccess},
	"unreadable file":          {pathError("open", syscall.EACCES), "/etc/weather/key.pem", "/root/notes", `{"to":["a",{"b":"/root/notes"}]}`, "to[1].b", noAccess},
	"read-only disk":           {pathError("mkdir", syscall.EROFS), "/var/cache/weather", "/usr/x", `{"directory":"/usr/x"}`, "directory", noAccess},
	"a directory":              {readDirectory, "", "x", `{"path":"x"}`, "path", badInput},
	"a path through a file":    {pathError("open", syscall.ENOTDIR), "/etc/passwd/weather", "/etc/passwd/x", `{"path":"/etc/passwd/x"}`, "path", badInput},
	"an escape":                {escape, "../../etc/weather.yaml", "../../etc/passwd", `{"path":"../../etc/passwd"}`, "path", badInput},
	"a rename":                 {rename, "/var/cache/weather.tmp", "/home/ann/a", `{"from":"/home/ann/a","to":"/home/ann/b"}`, "from", notFound},
	"missing program":          {program, "weatherctl-none", "fooctl-none", `{"command":"fooctl-none --json"}`, "command", notFound},
	"missing program by path":  {start, "/opt/weather/bin/none", "/no/bin/foo", `{"command":["/no/bin/foo","-v"]}`, "command[0]", notFound},
	"forbidden program":        {pathError("fork/exec", syscall.EACCES), "/opt/weather/bin/ctl", "/etc/passwd", `{"program":"/etc/passwd"}`, "program", noAccess},

	"environment variable":     {number, "ten", "many", `{"limit":"many"}`, "limit", badInput},
	"empty variable":           {number, "", "12 pieces", `{"limit":" 12 pieces "}`, "limit", badInput},
	"number too large":         {number, "99999999999999999999", "100000000000000000000", `{"limit":1e20}`, "limit", tooLarge},
	"number with a fraction":   {number, "2.5", "10.50", `{"rows":[{"n":1},{"n":10.5}]}`, "rows[1].n", badInput},
	"one of a list":            {number, "ten", "x", `{"ids":"1, 2, x"}`, "ids", badInput},
	"truth value":              {truth, "enabled", "perhaps", `{"force":"perhaps"}`, "force", badInput},
	"arguments decoded again":  {decode, `{"days":"seven"}`, `{"city":"Berlin","days":"two"}`, `{"city":"Berlin","days":"two"}`, "days", badInput},
	"bad date":                 {date, "Tuesday", "2026-13-01", `{"from":"2026-13-01"}`, "from", badInput},
	"bad expression":           {expression, "weather(", "a(b", `{"pattern":"a(b"}`, "pattern", badInput},
	"bad URL":                  {parseURL, "://weather", "http://[::1", `{"url":"http://[::1"}`, "url", badInput},
	"bad escape":               {parseURL, "https://weather.example/%zz", "https://weather.example/100%gg", `{"item":"100%gg"}`, "item", badInput},
	"unknown host":             {resolve("lookup"), "api.weather.invalid", "nowhere.invalid", `{"host":"Nowhere.Invalid."}`, "host", notFound},
	"unknown host of a URL":    {resolve("Get"), "api.weather.invalid", "nowhere.invalid", `{"page":"https://NOWHERE.invalid:8443/a?b=c"}`, "page", notFound},
	"unknown host of an order": {resolve("Get"), "api.weather.invalid", "shop-7.example.invalid", `{"tenant":"shop-7"}`, "tenant", notFound},
	"untrusted host":           {untrusted, "api.weather.example", "self-signed.example", `{"url":"https://self-signed.example/"}`, "url", noProof},
	"bad network":              {cidr, "10.0.0.0/99", "10.0.0.0/40", `{"network":"10.0.0.0/40"}`, "network", badInput},
}

func readFile(_ *testing.T, path string) error { _, err := os.ReadFile(path); return err }

func readDirectory(t *testing.T, name string) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	_ = os.MkdirAll(path, 0o700)
	return readFile(t, path)
}

func pathError(op string, err error) func(*testing.T, string) error {
	return func(_ *testing.T, path string) error { return &fs.PathError{Op: op, Path: path, Err: err} }
}

func escape(t *testing.T, path string) error {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	_, err = root.Open(path)
	return err
}

func rename(_ *testing.T, path string) error { return os.Rename(path, path+".new") }

func program(_ *testing.T, name string) error { _, err := exec.LookPath(name); return err }

func start(t *testing.T, path string) error {
	t.Helper()
	return exec.CommandContext(t.Context(), path).Run()
}

func number(_ *testing.T, text string) error { _, err := strconv.ParseInt(text, 10, 64); return err }
func numError(text string) error             { return number(nil, text) }
func truth(_ *testing.T, text string) error  { _, err := strconv.ParseBool(text); return err }

type forecast struct {
	Days int `json:"days"`
}

func decode(_ *testing.T, text string) error {
	return json.Unmarshal([]byte(text), new(forecast))
}

func date(_ *testing.T, text string) error       { _, err := time.Parse(time.DateOnly, text); return err }
func expression(_ *testing.T, text string) error { _, err := regexp.Compile(text); return err }
func cidr(_ *testing.T, text string) error       { _, _, err := net.ParseCIDR(text); return err }
func parseURL(_ *testing.T, text string) error   { _, err := url.Parse(text); return err }

// resolve returns a function that fails like the system's resolver, without a network.
func resolve(op string) func(*testing.T, string) error {
	return func(_ *testing.T, host string) error {
		err := error(&net.DNSError{Err: "no such host", Name: host, IsNotFound: true})
		if op != "lookup" {
			err = &url.Error{Op: op, URL: "https://" + host + "/v1?q=Berlin", Err: &net.OpError{Op: "dial", Net: "tcp", Err: err}}
		}
		return err
	}
}

func untrusted(_ *testing.T, host string) error {
	return &url.Error{Op: "Get", URL: "https://" + host + "/", Err: x509.UnknownAuthorityError{Cert: &x509.Certificate{}}}
}
