// Package sqlstore implements a store for package idempotency in a SQL database. All server
// processes share it, and it survives restarts. It takes a *[sql.DB] with a driver of your choice,
// and imports no driver itself.
//
//	db, err := sql.Open("pgx", "postgres://user@host/database") // github.com/jackc/pgx/v5/stdlib
//	if err != nil {
//		return err
//	}
//	store := &sqlstore.Store{DB: db, Dialect: sqlstore.PostgreSQL}
//	if err := store.CreateTable(ctx); err != nil {
//		return err
//	}
//	idempotency.AddTool(server, tool, &idempotency.Options{Store: store}, processRefund)
//
// # SQLite
//
// The processes of one machine may share a file, but not over a network file system. In WAL mode
// readers and writers do not block each other. Set a busy timeout, because SQLite waits for a
// writer more efficiently than a retry does:
//
//	sql.Open("sqlite", "file:idempotency.db?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)") // modernc.org/sqlite
//
// # What is stored
//
// A row holds the tool's answer and hashes of the principal, tool, key and arguments. Expired rows
// are deleted in batches. README.md states what happens if the database fails.
package sqlstore
