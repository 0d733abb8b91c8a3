package thirdparty

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/dropbox/dropbox-sdk-go-unofficial/v6/dropbox"
	"github.com/dropbox/dropbox-sdk-go-unofficial/v6/dropbox/files"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/gophercloud/gophercloud/v2"
	consul "github.com/hashicorp/consul/api"
	"github.com/redis/go-redis/v9"
	"github.com/slack-go/slack"
	"github.com/zmb3/spotify/v2"
)

var slackCases = []testCase{
	{"slack-go", "channel_not_found", "5", post(200, nil, `{"ok":false,"error":"channel_not_found"}`), validation, no, 0},
	{"slack-go", "missing_scope", "5", post(200, nil, `{"ok":false,"error":"missing_scope","needed":"chat:write",`+
		`"provided":"users:read"}`), permission, no, 0},
	{"slack-go", "invalid_auth", "5", post(200, nil, `{"ok":false,"error":"invalid_auth"}`), permission, no, 0},
	{
		"slack-go", "429", "5", post(429, headers{"Retry-After": "30"}, `{"ok":false,"error":"ratelimited"}`), transient, yes,
		30e9,
	},
	{"slack-go", "ratelimited in a 200", "5", post(200, nil, `{"ok":false,"error":"ratelimited"}`), transient, yes, 0},
	{
		"slack-go", "is_archived", "5", post(200, nil, `{"ok":false,"error":"is_archived"}`), or(business, validation), no,
		0,
	},
	{"slack-go", "503", "5", post(503, nil, `upstream`), transient, yesUnproven, 0},
	{"slack-go", "msg_too_long", "5", post(200, nil, `{"ok":false,"error":"msg_too_long"}`), validation, no, 0},
}

func post(status int, header headers, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		client := slack.New(secret, slack.OptionAPIURL(answer(t, status, header, body)+"/"))
		_, _, err := client.PostMessageContext(t.Context(), "C1", slack.MsgOptionText("hello", false))
		return err
	}
}

var redisCases = []testCase{
	{"go-redis", "Nil", "1", value(redis.Nil), validation, no, 0},
	{
		"go-redis", "WRONGTYPE", "8", set("WRONGTYPE Operation against a key holding the wrong kind of value"),
		or(validation, business), no, 0,
	},
	{"go-redis", "NOPERM", "8", set("NOPERM User app has no permissions to run the 'set' command"), transient, no, 0},
	{
		"go-redis", "OOM", "8", set("OOM command not allowed when used memory > 'maxmemory'."), or(transient, business), nil,
		0,
	},
	{
		"go-redis", "READONLY", "8", set("READONLY You can't write against a read only replica."), or(business, transient),
		nil, 0,
	},
	{"go-redis", "TRYAGAIN", "8", set("TRYAGAIN Multiple keys request during rehashing of slot"), transient, yes, 0},
	{
		"go-redis", "MASTERDOWN", "8",
		set("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."), transient, yes, 0,
	},
	{"go-redis", "pool timeout", "3", value(redis.ErrPoolTimeout), transient, yes, 0},
	{"go-redis", "closed", "8", value(redis.ErrClosed), transient, no, 0},
	{"go-redis", "transaction failed", "8", value(redis.TxFailedErr), or(business, transient), nil, 0},
}

// set sends a SET to a server that refuses it with an error of the protocol RESP.
func set(text string) func(*testing.T) error {
	return func(t *testing.T) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go refuse(conn, text)
			}
		}()
		client := redis.NewClient(&redis.Options{Addr: listener.Addr().String(), MaxRetries: -1, Protocol: 2})
		t.Cleanup(func() { _ = client.Close() })
		return client.Set(t.Context(), "k", "v", 0).Err()
	}
}

func refuse(conn net.Conn, text string) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	line := func() string { s, _ := in.ReadString('\n'); return strings.TrimSpace(s) }
	for {
		head := line()
		if !strings.HasPrefix(head, "*") {
			return
		}
		n, _ := strconv.Atoi(head[1:])
		var words []string
		for range n {
			line()
			words = append(words, strings.ToUpper(line()))
		}
		reply := "ERR unknown command"
		if words[0] == "SET" {
			reply = text
		}
		if _, err := fmt.Fprintf(conn, "-%s\r\n", reply); err != nil {
			return
		}
	}
}

var consulCases = []testCase{
	{"consul/api", "403 Permission denied", "5", nodes(403, "rpc error making call: Permission denied: token with "+
		"AccessorID 'x' lacks permission"), permission, no, 0},
	{"consul/api", "500 No cluster leader", "5", nodes(500, "No cluster leader"), transient, yesUnproven, 0},
	{"consul/api", "429", "5", nodes(429, "Your IP is issuing too many concurrent connections"), transient, yes, 0},
	{"consul/api", "404", "5", nodes(404, "unknown check"), validation, no, 0},
}

func nodes(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		client, err := consul.NewClient(&consul.Config{Address: answer(t, status, nil, body)})
		must(t, err)
		_, err = client.Catalog().Register(&consul.CatalogRegistration{Node: "n", Address: "127.0.0.1"}, nil)
		return err
	}
}

var dropboxCases = []testCase{
	{"dropbox", "409 path/not_found", "5", metadata(409, nil, `{"error_summary":"path/not_found/..",`+
		`"error":{".tag":"path","path":{".tag":"not_found"}}}`), validation, no, 0},
	{
		"dropbox", "429 too_many_requests", "5",
		metadata(429, headers{"Retry-After": "15"}, `{"error_summary":"too_many_requests/..",`+
			`"error":{"reason":{".tag":"too_many_requests"},"retry_after":15}}`), transient, yes, 0,
	},
	{"dropbox", "401 expired_access_token", "5", metadata(401, nil, `{"error_summary":"expired_access_token/..",`+
		`"error":{".tag":"expired_access_token"}}`), permission, no, 0},
	{"dropbox", "500", "5", metadata(500, nil, `oops`), transient, yesUnproven, 0},
}

func metadata(status int, header headers, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		address := answer(t, status, header, body)
		client := files.New(dropbox.Config{Token: secret, URLGenerator: func(_, _, _ string) string { return address }})
		_, err := client.GetMetadata(files.NewGetMetadataArg("/a"))
		return err
	}
}

var gophercloudCases = []testCase{
	{
		"gophercloud", "404", "5", stack(404, nil, `{"itemNotFound":{"message":"Instance could not be found","code":404}}`),
		validation, no, 0,
	},
	{"gophercloud", "409", "5", stack(409, nil, `{"conflictingRequest":{"message":"Cannot 'resize' instance while it is `+
		`in vm_state stopped","code":409}}`), business, no, 0},
	{
		"gophercloud", "429", "5", stack(429, headers{"Retry-After": "5"}, `{"overLimit":{"code":429}}`), transient, yes,
		5e9,
	},
	{"gophercloud", "503", "5", stack(503, nil, `unavailable`), transient, yesUnproven, 0},
	{"gophercloud", "403 Forbidden", "5", stack(403, nil, `{"forbidden":{"message":"Policy doesn't allow `+
		`os_compute_api:servers:create to be performed.","code":403}}`), permission, no, 0},
	{"gophercloud", "413 overLimit", "5", stack(413, headers{"Retry-After": "5"}, `{"overLimit":{"message":"This `+
		`request was rate-limited.","code":413}}`), or(validation, transient), nil, 0},
	{"gophercloud", "ErrMissingInput", "7b", value(gophercloud.ErrMissingInput{Argument: "flavorRef"}), validation, no, 0},
	{"gophercloud", "ErrTimeOut", "7b", value(gophercloud.ErrTimeOut{}), transient, nil, 0},
	{
		"gophercloud", "ErrMultipleResourcesFound", "7b",
		value(gophercloud.ErrMultipleResourcesFound{Name: "web", Count: 2, ResourceType: "server"}), validation, no, 0,
	},
}

func stack(status int, header headers, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		client := &gophercloud.ProviderClient{}
		_, err := client.Request(t.Context(), http.MethodPost, answer(t, status, header, body),
			&gophercloud.RequestOpts{OkCodes: []int{202}})
		return err
	}
}

var crCases = []testCase{
	{
		"go-containerregistry", "404 MANIFEST_UNKNOWN", "5",
		distribution(404, `{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}`), validation, no, 0,
	},
	{
		"go-containerregistry", "401 UNAUTHORIZED", "5",
		distribution(401, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`), permission, no, 0,
	},
	{"go-containerregistry", "403 DENIED", "5", distribution(403, `{"errors":[{"code":"DENIED","message":"requested `+
		`access to the resource is denied"}]}`), permission, no, 0},
	{"go-containerregistry", "429 TOOMANYREQUESTS", "5", distribution(429, `{"errors":[{"code":"TOOMANYREQUESTS",`+
		`"message":"You have reached your pull rate limit."}]}`), transient, yes, 0},
	{"go-containerregistry", "500 of a proxy", "5", distribution(500, `oops`), transient, yesUnproven, 0},
}

func distribution(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://127.0.0.1/v2/a/manifests/latest",
			http.NoBody)
		must(t, err)
		return transport.CheckError(&http.Response{
			StatusCode: status, Request: request, Header: http.Header{},
			Body: io.NopCloser(strings.NewReader(body)),
		}, 200)
	}
}

var spotifyCases = []testCase{
	{"zmb3/spotify", "404", "5", play(404, `{"error":{"status":404,"message":"Device not found"}}`), validation, no, 0},
	{
		"zmb3/spotify", "401", "5", play(401, `{"error":{"status":401,"message":"The access token expired"}}`), permission,
		no, 0,
	},
	{
		"zmb3/spotify", "429", "5", play(429, `{"error":{"status":429,"message":"API rate limit exceeded"}}`), transient, yes,
		0,
	},
	{
		"zmb3/spotify", "502", "5", play(502, `{"error":{"status":502,"message":"Bad gateway."}}`), transient, yesUnproven,
		0,
	},
	{"zmb3/spotify", "403 premium", "8", play(403, `{"error":{"status":403,"message":"Player command failed: Premium `+
		`required","reason":"PREMIUM_REQUIRED"}}`), or(permission, business), no, 0},
}

func play(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		return spotify.New(http.DefaultClient, spotify.WithBaseURL(answer(t, status, nil, body)+"/")).Play(t.Context())
	}
}
