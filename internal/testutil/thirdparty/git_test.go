package thirdparty

import (
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/itchyny/gojq"
	"github.com/line/line-bot-sdk-go/v8/linebot"
	"github.com/robfig/cron/v3"
)

var gitCases = []testCase{
	{"go-git", "ErrRepositoryNotFound", "8", value(transport.ErrRepositoryNotFound), validation, no, 0},
	{"go-git", "ErrAuthenticationRequired", "8", wrapped("clone", transport.ErrAuthenticationRequired), permission, no, 0},
	{"go-git", "ErrAuthorizationFailed", "8", value(transport.ErrAuthorizationFailed), permission, no, 0},
	{"go-git", "ErrReferenceNotFound", "8", value(plumbing.ErrReferenceNotFound), validation, no, 0},
	{"go-git", "ErrRepositoryAlreadyExists", "8", value(git.ErrRepositoryAlreadyExists), business, no, 0},
	{"go-git", "ErrNonFastForwardUpdate", "8", value(git.ErrNonFastForwardUpdate), business, no, 0},
	{"go-git", "ErrWorktreeNotClean", "8", value(git.ErrWorktreeNotClean), business, no, 0},
	{"go-git", "ErrBranchExists", "8", value(git.ErrBranchExists), business, no, 0},
	{"go-git", "open a directory that is none", "8", func(t *testing.T) error {
		_, err := git.PlainOpen(t.TempDir())
		return err
	}, or(validation, transient), no, 0},
	{
		"go-git", "PermanentError", "7b", value(plumbing.NewPermanentError(transport.ErrAuthorizationFailed)),
		or(permission, transient), no, 0,
	},
	{
		"go-git", "clone refused", "1", func(t *testing.T) error { return clone(t, "http://"+refused(t)) }, transient, yes,
		0,
	},
	{
		"go-git", "clone 503", "7b", func(t *testing.T) error { return clone(t, answer(t, 503, nil, "")) }, transient,
		yesUnproven, 0,
	},
}

func clone(t *testing.T, address string) error {
	_, err := git.PlainCloneContext(t.Context(), t.TempDir(), false, &git.CloneOptions{URL: address + "/x.git"})
	return err
}

var cronCases = []testCase{
	{"robfig/cron", "fields", "8", schedule("* * *"), or(transient, validation), no, 0},
	{"robfig/cron", "range", "8", schedule("99 * * * *"), or(transient, validation), no, 0},
}

func schedule(spec string) func(*testing.T) error {
	return func(*testing.T) error {
		_, err := cron.ParseStandard(spec)
		return err
	}
}

var gojqCases = []testCase{
	{"itchyny/gojq", "parse", "7b", func(*testing.T) error {
		_, err := gojq.Parse(".a |")
		return err
	}, or(transient, validation), no, 0},
	{"itchyny/gojq", "type", "7b", func(t *testing.T) error {
		query, err := gojq.Parse(".a")
		must(t, err)
		v, _ := query.Run(1).Next()
		err, _ = v.(error)
		return err
	}, or(transient, validation), no, 0},
}

var jrpc2Cases = []testCase{
	{
		"creachadair/jrpc2", "MethodNotFound", "5",
		value(&jrpc2.Error{Code: jrpc2.MethodNotFound, Message: `no such method "Foo"`}), validation, no, 0,
	},
	{
		"creachadair/jrpc2", "InvalidParams", "5", value(&jrpc2.Error{Code: jrpc2.InvalidParams, Message: "x"}), validation,
		no, 0,
	},
	{
		"creachadair/jrpc2", "DeadlineExceeded", "5",
		value(&jrpc2.Error{Code: jrpc2.DeadlineExceeded, Message: "context deadline exceeded"}), transient, yesUnproven, 0,
	},
	{
		"creachadair/jrpc2", "Cancelled", "5", value(&jrpc2.Error{Code: jrpc2.Cancelled, Message: "context canceled"}),
		transient, no, 0,
	},
	{
		"creachadair/jrpc2", "InternalError", "5", value(&jrpc2.Error{Code: jrpc2.InternalError, Message: "x"}), transient,
		no, 0,
	},
}

var lineCases = []testCase{
	{
		"line-bot-sdk", "400", "5", value(&linebot.APIError{Code: 400, Response: &linebot.ErrorResponse{Message: "x"}}),
		validation, no, 0,
	},
	{
		"line-bot-sdk", "401", "5", value(&linebot.APIError{Code: 401, Response: &linebot.ErrorResponse{Message: "x"}}),
		permission, no, 0,
	},
	{
		"line-bot-sdk", "403", "5", value(&linebot.APIError{Code: 403, Response: &linebot.ErrorResponse{Message: "x"}}),
		permission, no, 0,
	},
	{
		"line-bot-sdk", "429", "5", value(&linebot.APIError{Code: 429, Response: &linebot.ErrorResponse{Message: "x"}}),
		transient, yes, 0,
	},
	{
		"line-bot-sdk", "500", "5", value(&linebot.APIError{Code: 500, Response: &linebot.ErrorResponse{Message: "x"}}),
		transient, yesUnproven, 0,
	},
	{"line-bot-sdk", "ErrInvalidSignature", "8", value(linebot.ErrInvalidSignature), or(permission, validation), no, 0},
}
