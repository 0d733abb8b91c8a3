package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// lockTimeout is how long SQLite itself waits for another connection's lock before it reports that
// the database is busy. It is short, so that the agent, which knows its other tasks, does the
// waiting.
const lockTimeout = 20 * time.Millisecond

// openReader opens a database for reading. It reads nothing: the first query reports errors in the
// file.
func openReader(path string) (*sql.DB, error) {
	return open(path, "ro")
}

// openWriter opens a database for reading and writing, and creates the file if it is missing.
func openWriter(path string) (*sql.DB, error) {
	return open(path, "rwc")
}

func open(path, mode string) (*sql.DB, error) {
	query := url.Values{
		"mode":    {mode},
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", lockTimeout.Milliseconds())},
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: query.Encode()}
	return sql.Open("sqlite", name.String())
}

// create creates a database that contains one customer, CUS-10001.
func create(ctx context.Context, path string) error {
	return write(ctx, path, `
		CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT NOT NULL);
		INSERT INTO customers VALUES ('CUS-10001', 'Ada');
	`)
}

// write runs statements on their own connection.
func write(ctx context.Context, path, statements string) error {
	db, err := openWriter(path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(ctx, statements)
	return err
}
