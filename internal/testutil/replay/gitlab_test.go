package replay_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// gitlabCase is a call of GitLab's client. The server's text in front of the client's is
// taken from the recording.
func gitlabCase(call func(context.Context, *gitlab.Client) error) typedCase {
	return typedCase{recordedPrefix, func(t *testing.T, address string) error {
		t.Helper()
		client, err := gitlab.NewClient("replay", gitlab.WithBaseURL(address), gitlab.WithCustomRetryMax(0))
		require.NoError(t, err)
		return call(t.Context(), client)
	}}
}

const (
	shop        = "acme/shop"
	shopFile    = "README.md"
	shopRequest = 7
)

var gitlabFamily = family{"gitlab-go", map[string]typedCase{
	"issue-create-401":     gitlabCase(createIssue),
	"issue-create-403":     gitlabCase(createIssue),
	"issue-create-scope":   gitlabCase(createIssue),
	"issue-create-notitle": gitlabCase(createIssue),
	"project-create-taken": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: new("shop")}, gitlab.WithContext(ctx))
		return err
	}),
	"branch-exists": gitlabCase(createBranch),
	"branch-badref": gitlabCase(createBranch),
	"branch-protected": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, err := c.Branches.DeleteBranch(shop, "main", gitlab.WithContext(ctx))
		return err
	}),
	"file-exists": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.RepositoryFiles.CreateFile(shop, shopFile, &gitlab.CreateFileOptions{Branch: new("main")},
			gitlab.WithContext(ctx))
		return err
	}),
	"file-changed": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.RepositoryFiles.UpdateFile(shop, shopFile, &gitlab.UpdateFileOptions{Branch: new("main")},
			gitlab.WithContext(ctx))
		return err
	}),
	"quota": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.RepositoryFiles.CreateFile(shop, "big.bin", &gitlab.CreateFileOptions{Branch: new("main")},
			gitlab.WithContext(ctx))
		return err
	}),
	"mr-conflict": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.MergeRequests.CreateMergeRequest(shop, &gitlab.CreateMergeRequestOptions{Title: new("T")},
			gitlab.WithContext(ctx))
		return err
	}),
	"mr-405":       gitlabCase(accept),
	"mr-merge-409": gitlabCase(accept),
	"mr-422": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, err := c.MergeRequests.RebaseMergeRequest(shop, shopRequest, nil, gitlab.WithContext(ctx))
		return err
	}),
	"mr-get-500": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.MergeRequests.GetMergeRequest(shop, shopRequest, nil, gitlab.WithContext(ctx))
		return err
	}),
	"project-list-503":   gitlabCase(listProjects),
	"project-list-429":   gitlabCase(listProjects),
	"project-list-html":  gitlabCase(listProjects),
	"project-list-reset": gitlabCase(listProjects),
	"issue-delete-noconfirm": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, err := c.Issues.DeleteIssue(shop, 4711, gitlab.WithContext(ctx))
		return err
	}),
	"issue-update-404": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.Issues.UpdateIssue(shop, 503, &gitlab.UpdateIssueOptions{Title: new("T")}, gitlab.WithContext(ctx))
		return err
	}),
	"issue-move-same": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.Issues.MoveIssue(shop, shopRequest, &gitlab.MoveIssueOptions{ToProjectID: new(int64(3))},
			gitlab.WithContext(ctx))
		return err
	}),
	"hook-badurl": gitlabCase(addHook),
	"hook-local":  gitlabCase(addHook),
	"fork-exists": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.Projects.ForkProject(shop, nil, gitlab.WithContext(ctx))
		return err
	}),
	"transfer-badns": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.Projects.TransferProject(shop, &gitlab.TransferProjectOptions{Namespace: "nope"},
			gitlab.WithContext(ctx))
		return err
	}),
	"issue-estimate-bad": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.Issues.SetTimeEstimate(shop, shopRequest, &gitlab.SetTimeEstimateOptions{Duration: new("soon")},
			gitlab.WithContext(ctx))
		return err
	}),
	"mr-approve-401": gitlabCase(func(ctx context.Context, c *gitlab.Client) error {
		_, _, err := c.MergeRequestApprovals.ApproveMergeRequest(shop, shopRequest, nil, gitlab.WithContext(ctx))
		return err
	}),
}}

func createIssue(ctx context.Context, c *gitlab.Client) error {
	_, _, err := c.Issues.CreateIssue(shop, &gitlab.CreateIssueOptions{Title: new("Broken")}, gitlab.WithContext(ctx))
	return err
}

func createBranch(ctx context.Context, c *gitlab.Client) error {
	_, _, err := c.Branches.CreateBranch(shop, &gitlab.CreateBranchOptions{Branch: new("x")}, gitlab.WithContext(ctx))
	return err
}

func accept(ctx context.Context, c *gitlab.Client) error {
	_, _, err := c.MergeRequests.AcceptMergeRequest(shop, shopRequest, nil, gitlab.WithContext(ctx))
	return err
}

func listProjects(ctx context.Context, c *gitlab.Client) error {
	_, _, err := c.Projects.ListProjects(nil, gitlab.WithContext(ctx))
	return err
}

func addHook(ctx context.Context, c *gitlab.Client) error {
	_, _, err := c.Projects.AddProjectHook(shop, &gitlab.AddProjectHookOptions{URL: new("htp:/bad")},
		gitlab.WithContext(ctx))
	return err
}

// cutError returns the part of a recorded text in front of the text of an error.
func cutError(t *testing.T, recorded, words string) string {
	t.Helper()
	prefix, ok := strings.CutSuffix(withoutPort(recorded), withoutPort(words))
	require.True(t, ok, "%q does not end in %q", recorded, words)
	return prefix
}
