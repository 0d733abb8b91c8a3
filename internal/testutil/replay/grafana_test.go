package replay_test

import (
	"strings"
	"testing"

	"github.com/go-openapi/strfmt"
	grafana "github.com/grafana/grafana-openapi-client-go/client"
	"github.com/grafana/grafana-openapi-client-go/client/annotations"
	"github.com/grafana/grafana-openapi-client-go/client/search"
	"github.com/grafana/grafana-openapi-client-go/models"
)

// grafanaCase is a call of Grafana's client.
func grafanaCase(prefix string, call func(*grafana.GrafanaHTTPAPI) error) typedCase {
	return typedCase{prefix, func(t *testing.T, address string) error {
		t.Helper()
		return call(grafana.NewHTTPClientWithConfig(strfmt.Default, &grafana.TransportConfig{
			Host: strings.TrimPrefix(address, "http://"), BasePath: "/api", Schemes: []string{"http"}, APIKey: "glsa_replay",
		}))
	}}
}

func grafanaDashboard(uid string) func(*grafana.GrafanaHTTPAPI) error {
	return func(c *grafana.GrafanaHTTPAPI) error {
		_, err := c.Dashboards.GetDashboardByUID(uid)
		return err
	}
}

func grafanaSave(c *grafana.GrafanaHTTPAPI) error {
	_, err := c.Dashboards.PostDashboard(&models.SaveDashboardCommand{Dashboard: map[string]any{"title": "T"}})
	return err
}

func grafanaSearch(c *grafana.GrafanaHTTPAPI) error {
	query, kind, limit, page := "x", "dash-db", int64(50), int64(1)
	_, err := c.Search.Search(search.NewSearchParams().WithQuery(&query).WithType(&kind).WithLimit(&limit).WithPage(&page))
	return err
}

// searchPrefix is the server's rendering of a pointer.
const searchPrefix = "search dashboards for &{GrafanaHTTPAPI:0x1400012c2c8 PublicURL: Version:}: "

var grafanaFamily = family{"grafana-go", map[string]typedCase{
	"dashboard-404":  grafanaCase("get dashboard by uid nope: ", grafanaDashboard("nope")),
	"dashboard-401":  grafanaCase("get dashboard by uid abc: ", grafanaDashboard("abc")),
	"dashboard-403":  grafanaCase("get dashboard by uid: get dashboard by uid abc: ", grafanaDashboard("abc")),
	"dashboard-500":  grafanaCase("get dashboard by uid abc: ", grafanaDashboard("abc")),
	"dashboard-html": grafanaCase("get dashboard by uid abc: ", grafanaDashboard("abc")),
	"update-412":     grafanaCase("unable to save dashboard: ", grafanaSave),
	"update-noperm":  grafanaCase("unable to save dashboard: ", grafanaSave),
	"folder-409": grafanaCase("create folder 'Ops': ", func(c *grafana.GrafanaHTTPAPI) error {
		_, err := c.Folders.CreateFolder(&models.CreateFolderCommand{Title: "Ops", UID: "ops"})
		return err
	}),
	"annotation-400": grafanaCase("create annotation: ", func(c *grafana.GrafanaHTTPAPI) error {
		text := "deploy"
		_, err := c.Annotations.PostAnnotation(&models.PostAnnotationsCmd{Text: &text})
		return err
	}),
	"annotation-delete-404": grafanaCase("delete annotation: ", func(c *grafana.GrafanaHTTPAPI) error {
		_, err := c.Annotations.DeleteAnnotationByIDWithParams(annotations.NewDeleteAnnotationByIDParams().
			WithAnnotationID("99"))
		return err
	}),
	"search-500":   grafanaCase(searchPrefix, grafanaSearch),
	"search-429":   grafanaCase(searchPrefix, grafanaSearch),
	"search-reset": grafanaCase(searchPrefix, grafanaSearch),
}}
