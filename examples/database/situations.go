package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A situation is a state that the database is in when get_customer is called.
type situation struct {
	title      string
	customerID string
	// bringAbout creates the situation. The returned function ends it.
	bringAbout func(ctx context.Context, path string) (end func() error, err error)
	passes     bool // ends when the agent decides to retry
	outsider   bool // the server must not be root, who may read every file
	policy     retry.Policy
	want       ending
}

// An ending holds the outcome of the first attempt, and what the agent did about it.
type ending struct {
	kind     result.Kind
	category toolerr.Category
	code     toolerr.Code
	action   retry.Action // the last one
	attempts int
}

func (e ending) String() string {
	return fmt.Sprintf("%s [%s %s], then %s after %d attempts", e.kind, e.category, e.code, e.action, e.attempts)
}

// situations holds all situations, in the order of the transcript.
var situations = []situation{
	{
		title: "The customer is there", customerID: "CUS-10001",
		bringAbout: nothing,
		want:       ending{result.KindData, "", "", retry.ActionAccept, 1},
	},
	{
		title: "There is no such customer", customerID: "CUS-48291",
		bringAbout: nothing,
		want:       ending{result.KindEmpty, "", "", retry.ActionAccept, 1},
	},
	{
		title: "The database is locked; the lock is released while the agent waits", customerID: "CUS-10001",
		bringAbout: lock, passes: true,
		want: ending{result.KindFailure, toolerr.CategoryTransient, toolerr.CodeUnavailable, retry.ActionAccept, 2},
	},
	{
		title: "The query takes too long, and the agent makes one attempt", customerID: "CUS-10001",
		bringAbout: slowDown, policy: retry.Policy{MaxAttempts: 1},
		want: ending{result.KindFailure, toolerr.CategoryTransient, toolerr.CodeTimeout, retry.ActionPropagate, 1},
	},
	{
		title: "The server may not read the file", customerID: "CUS-10001",
		bringAbout: deny, outsider: true,
		want: ending{
			result.KindFailure, toolerr.CategoryPermission, toolerr.CodePermissionDenied, retry.ActionReauthorize,
			1,
		},
	},
}

func nothing(context.Context, string) (func() error, error) {
	return func() error { return nil }, nil
}

// lock holds an exclusive transaction on its own connection, like a migration or a backup.
func lock(ctx context.Context, path string) (release func() error, err error) {
	db, err := openWriter(path)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	release = func() error { return errors.Join(conn.Close(), db.Close()) } // SQLite rolls back
	if _, err := conn.ExecContext(ctx, `BEGIN EXCLUSIVE`); err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

// slowDown replaces the table with a view that counts to a hundred million before it answers.
func slowDown(ctx context.Context, path string) (speedUp func() error, err error) {
	speedUp = func() error {
		return write(ctx, path, `DROP VIEW customers; ALTER TABLE people RENAME TO customers`)
	}
	return speedUp, write(ctx, path, `
		ALTER TABLE customers RENAME TO people;
		CREATE VIEW customers AS
			WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 100000000)
			SELECT id, name FROM people WHERE (SELECT max(n) FROM count) > 0;
	`)
}

// deny makes the file unreadable for everyone but root: see [situation].
func deny(_ context.Context, path string) (allow func() error, err error) {
	return func() error { return os.Chmod(path, 0o600) }, os.Chmod(path, 0)
}
