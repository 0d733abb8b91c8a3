package replay_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/digitalocean/godo"
	"github.com/stretchr/testify/require"
)

// digitaloceanCase is a call of DigitalOcean's client: a method and a path. The server's
// text in front of the client's is taken from the recording.
func digitaloceanCase(endpoint string) typedCase {
	return digitaloceanCall("replay", func(t *testing.T, c *godo.Client) error {
		t.Helper()
		method, path, _ := strings.Cut(endpoint, " ")
		req, err := c.NewRequest(t.Context(), method, path, nil)
		require.NoError(t, err)
		_, err = c.Do(t.Context(), req, new(map[string]any))
		return err
	})
}

func digitaloceanCall(token string, call func(*testing.T, *godo.Client) error) typedCase {
	return typedCase{recordedPrefix, func(t *testing.T, address string) error {
		t.Helper()
		client, err := godo.New(&http.Client{Transport: fifthAttempt{}}, godo.SetBaseURL(address+"/"),
			godo.SetRequestHeaders(map[string]string{"Authorization": "Bearer " + token}))
		require.NoError(t, err)
		return call(t, client)
	}}
}

// fifthAttempt is the client's transport for retries after its last attempt, without the
// attempts and the pauses.
type fifthAttempt struct{}

func (fifthAttempt) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && (res.StatusCode == http.StatusTooManyRequests ||
		res.StatusCode >= 500 && res.StatusCode != http.StatusNotImplemented) {
		res.Header.Set("X-Godo-Retry-Attempts", "5")
	}
	return res, err
}

var digitaloceanFamily = family{"digitalocean-go", map[string]typedCase{
	"account-401":       digitaloceanCase("GET v2/account"),
	"droplet-404":       digitaloceanCase("GET v2/droplets/4711"),
	"create-scope":      digitaloceanCase("POST v2/droplets"),
	"create-locked":     digitaloceanCase("POST v2/droplets"),
	"create-limit":      digitaloceanCase("POST v2/droplets"),
	"create-badname":    digitaloceanCase("POST v2/droplets"),
	"resize-pending":    digitaloceanCase("POST v2/droplets/7/actions"),
	"resize-on":         digitaloceanCase("POST v2/droplets/7/actions"),
	"reboot-504":        digitaloceanCase("POST v2/droplets/7/actions"),
	"droplets-429":      digitaloceanCase("GET v2/droplets?page=1&per_page=50"),
	"volume-delete-409": digitaloceanCase("DELETE v2/volumes/7724db7c-e098-11e5-b522-000f53304e51"),
	"volume-reset":      digitaloceanCase("POST v2/volumes"),
	"vpc-members":       digitaloceanCase("DELETE v2/vpcs/5a4981aa-9653-4bd1-bef5-d6bff52042e4"),
	"lb-busy":           digitaloceanCase("DELETE v2/load_balancers/4de7ac8b-495b-4884-9a69-1050c6793cd6"),
	"domain-exists":     digitaloceanCase("POST v2/domains"),
	"record-baddata":    digitaloceanCase("POST v2/domains/example.com/records"),
	"record-negative": digitaloceanCall("replay", func(t *testing.T, c *godo.Client) error {
		t.Helper()
		_, _, err := c.Domains.Record(t.Context(), "example.com", -1)
		return err
	}),
	"key-taken":     digitaloceanCase("POST v2/account/keys"),
	"registry-409":  digitaloceanCase("POST v2/registries"),
	"gc-409":        digitaloceanCase("POST v2/registries/acme/garbage-collection"),
	"tier-412":      digitaloceanCase("POST v2/registries/subscription"),
	"db-429":        digitaloceanCase("POST v2/databases"),
	"db-resize-503": digitaloceanCase("PUT v2/databases/9cc10173-e9ea-4176-9dbc-a4cee4c4ff30/resize"),
	"db-delete-500": digitaloceanCase("DELETE v2/databases/9cc10173-e9ea-4176-9dbc-a4cee4c4ff30"),
	"upgrade-400":   digitaloceanCase("POST v2/kubernetes/clusters/bd5f5959-5e1e-4205-a714-a914373942af/upgrade"),
	"cdn-502":       digitaloceanCase("DELETE v2/cdn/endpoints/19f06b6a-3ace-4315-b086-499a0e521b76"),
	"images-html":   digitaloceanCase("GET v2/images"),
	"check-405":     digitaloceanCase("GET v2/uptime/checks/4de7ac8b-495b-4884-9a69-1050c6793cd6"),
	"balance-empty": digitaloceanCase("GET v2/customers/my/balance"),
}}

var digitaloceanRefusedFamily = family{"digitalocean-refused-go", map[string]typedCase{
	"refused":       digitaloceanCase("GET v2/droplets?page=1&per_page=50"),
	"refused-write": digitaloceanCase("POST v2/volumes"),
}}

// The token has a line break: the server's own configuration.
var digitaloceanBadTokenFamily = family{"digitalocean-badtoken-go", map[string]typedCase{
	"badtoken": digitaloceanCall("dop_v1\nreplay", func(t *testing.T, c *godo.Client) error {
		t.Helper()
		_, _, err := c.Droplets.List(t.Context(), &godo.ListOptions{Page: 1, PerPage: 50})
		return err
	}),
	"badtoken-write": digitaloceanCall("dop_v1\nreplay", func(t *testing.T, c *godo.Client) error {
		t.Helper()
		_, _, err := c.Storage.CreateVolume(t.Context(), &godo.VolumeCreateRequest{Name: "data"})
		return err
	}),
}}
