package thirdparty

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-github/v88/github"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

const abuse = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api?apiVersion=2022-11-28#about-secondary-rate-limits"

var githubCases = []testCase{
	{"go-github", "404", "5", repository(404, nil, `{"message":"Not Found"}`), validation, no, 0},
	{"go-github", "401", "5", repository(401, nil, `{"message":"Bad credentials"}`), permission, no, 0},
	{
		"go-github", "403 forbidden", "5", repository(403, nil, `{"message":"Resource not accessible by integration"}`),
		permission, no, 0,
	},
	{
		"go-github", "422 validation", "5", repository(422, nil,
			`{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"}]}`), validation,
		no, 0,
	},
	{
		"go-github", "409 merge conflict", "5", repository(409, nil, `{"message":"Head branch was modified"}`), business, no,
		0,
	},
	{"go-github", "502", "5", repository(502, nil, `{"message":"Server Error"}`), transient, yes, 0},
	{"go-github", "primary rate limit (403)", "7b", func(t *testing.T) error {
		return repository(403, headers{
			"X-RateLimit-Limit":     "5000",
			"X-RateLimit-Remaining": "0",
			"X-RateLimit-Reset":     strconv.FormatInt(time.Now().Add(90*time.Second).Unix(), 10),
		}, `{"message":"API rate limit exceeded"}`)(t)
	}, transient, yes, 90 * time.Second},
	{"go-github", "secondary rate limit (403, Retry-After)", "7b", func(t *testing.T) error {
		err := repository(403, headers{"Retry-After": "60"},
			`{"message":"You have exceeded a secondary rate limit","documentation_url":"`+abuse+`"}`)(t)
		return fmt.Errorf("create comment: %w", err)
	}, transient, yes, time.Minute},
	// The client refuses the next call locally, with a status and no headers.
	{"go-github", "primary rate limit, local", "7b", func(t *testing.T) error {
		return repositoryTwice(403, headers{
			"X-RateLimit-Limit":     "5000",
			"X-RateLimit-Remaining": "0",
			"X-RateLimit-Reset":     strconv.FormatInt(time.Now().Add(90*time.Second).Unix(), 10),
		}, `{"message":"API rate limit exceeded"}`)(t)
	}, transient, yes, 90 * time.Second},
	{
		"go-github", "secondary rate limit, local", "7b", repositoryTwice(403, headers{"Retry-After": "60"},
			`{"message":"You have exceeded a secondary rate limit","documentation_url":"`+abuse+`"}`), transient, yes,
		time.Minute,
	},
	{"go-github", "202 AcceptedError", "7b", repository(202, nil, `{}`), or(transient, business), yes, 0},
}

func repository(status int, header headers, body string) func(*testing.T) error {
	return calls(1, status, header, body)
}

func repositoryTwice(status int, header headers, body string) func(*testing.T) error {
	return calls(2, status, header, body)
}

// calls returns the error of the last of n calls.
func calls(n, status int, header headers, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		address := answer(t, status, header, body) + "/"
		client, err := github.NewClient(github.WithURLs(&address, &address))
		must(t, err)
		for range n {
			_, _, err = client.Repositories.Get(t.Context(), "o", "r")
		}
		return err
	}
}

var gitlabCases = []testCase{
	{"gitlab", "403", "5", project(403, nil, "403 Forbidden"), permission, no, 0},
	{"gitlab", "404 (ErrNotFound)", "8", project(404, nil, "404 Project Not Found"), validation, no, 0},
	{"gitlab", "409", "5", project(409, nil, "already exists"), business, no, 0},
	{"gitlab", "429", "5", project(429, headers{"Retry-After": "8"}, "429"), transient, yes, 8 * time.Second},
	{"gitlab", "503", "5", project(503, nil, "503"), transient, yes, 0},
}

func project(status int, header headers, message string) func(*testing.T) error {
	return func(t *testing.T) error {
		address := answer(t, status, header, fmt.Sprintf(`{"message":%q}`, message))
		client, err := gitlab.NewClient(secret, gitlab.WithBaseURL(address), gitlab.WithoutRetries())
		must(t, err)
		_, _, err = client.Projects.GetProject(1, nil, gitlab.WithContext(t.Context()))
		return err
	}
}
