package replay_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/hashicorp/go-tfe"
	"github.com/stretchr/testify/require"
)

// terraformCase is a call of Terraform Cloud's client.
func terraformCase(prefix string, call func(context.Context, *tfe.Client) error) typedCase {
	return typedCase{prefix, func(t *testing.T, address string) error {
		t.Helper()
		target, err := url.Parse(address)
		require.NoError(t, err)
		behind := httputil.NewSingleHostReverseProxy(target)
		// The client requests the version first.
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/ping") {
				w.Header().Set("TFP-API-Version", "2.5")
				w.WriteHeader(http.StatusNoContent)
				return
			}
			behind.ServeHTTP(w, r)
		}))
		t.Cleanup(front.Close)
		client, err := tfe.NewClient(&tfe.Config{Address: front.URL, Token: "replay"})
		require.NoError(t, err)
		return call(t.Context(), client)
	}}
}

var terraformFamily = family{"terraform-go", map[string]typedCase{
	"project-404": terraformCase(`Failed to read project "prj-nope": `, func(ctx context.Context, c *tfe.Client) error {
		_, err := c.Projects.Read(ctx, "prj-nope")
		return err
	}),
	"orgs-401": terraformCase("failed to list Terraform organizations: ", func(ctx context.Context, c *tfe.Client) error {
		_, err := c.Organizations.List(ctx, nil)
		return err
	}),
	"team-403": terraformCase(`failed to read team "team-1": `, func(ctx context.Context, c *tfe.Client) error {
		_, err := c.Teams.Read(ctx, "team-1")
		return err
	}),
	"create-taken": terraformCase("failed to create workspace 'prod' in org 'acme': ",
		func(ctx context.Context, c *tfe.Client) error {
			_, err := c.Workspaces.Create(ctx, "acme", tfe.WorkspaceCreateOptions{Name: new("prod")})
			return err
		}),
	"run-409": terraformCase("failed to create run: ", func(ctx context.Context, c *tfe.Client) error {
		_, err := c.Runs.Create(ctx, tfe.RunCreateOptions{Workspace: &tfe.Workspace{ID: "ws-1"}})
		return err
	}),
	"apply-409": terraformCase("failed to apply run run-1: ", func(ctx context.Context, c *tfe.Client) error {
		return c.Runs.Apply(ctx, "run-1", tfe.RunApplyOptions{})
	}),
	"delete-project-403": terraformCase(`failed to delete project "prj-1": `,
		func(ctx context.Context, c *tfe.Client) error {
			return c.Projects.Delete(ctx, "prj-1")
		}),
	"variable-dup": terraformCase("failed to create variable 'k': ", func(ctx context.Context, c *tfe.Client) error {
		_, err := c.Variables.Create(ctx, "ws-1",
			tfe.VariableCreateOptions{Key: new("k"), Category: tfe.Category(tfe.CategoryTerraform)})
		return err
	}),
}}
