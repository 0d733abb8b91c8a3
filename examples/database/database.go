package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// lockTimeout is how long SQLite itself waits for another connection's lock before it reports the
// database as busy. Chosen: short, to leave waiting to the agent, which knows its other tasks.
const lockTimeout = 20 * time.Millisecond

// openReader opens a database for reading. Nothing is read yet: errors in the file show at the
// first query.
func openReader(path string) (*sql.DB, error) {
	return open(path, "ro")
}

// openWriter opens a database for reading and writing, and creates the file if there is none.
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

// create creates a database with one customer, CUS-10001.
func create(ctx context.Context, path string) error {
	return write(ctx, path, `
		CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT NOT NULL);
		INSERT INTO customers VALUES ('CUS-10001', 'Ada');
	`)
}

// write runs statements on a connection of its own.
func write(ctx context.Context, path, statements string) error {
	db, err := openWriter(path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(ctx, statements)
	return err
}
