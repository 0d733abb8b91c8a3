// Package sqlstore implements a store for package idempotency in a SQL database. All server
// processes share it, and it survives restarts. It takes a *[sql.DB] with a driver of your
// choice, and imports only the standard library.
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
// The processes of one machine may share a file, but not over a network file system. In WAL
// mode readers and writers do not block each other. Set a busy timeout, because SQLite
// waits for a writer more efficiently than a retry does:
//
//	sql.Open("sqlite", "file:idempotency.db?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)") // modernc.org/sqlite
//
// # If the database fails
//
// A method retries for Store.Patience if the database is busy or down, if a transaction
// cannot be serialized, or if the connection breaks. A statement may have been committed
// although its connection broke, so each statement is idempotent and is run again.
//
// If a key cannot be claimed, the call is not made and fails with effect none. If an
// answer cannot be stored, the claim lasts until its lease ends, and is then abandoned.
//
// # Time
//
// All times come from the database's clock. If that clock jumps ahead by more than MaxAge,
// all keys expire, including those of running calls.
//
// # What is stored
//
// A row holds hashes of the principal, the tool, the key and the arguments, and the tool's
// answer. Claims delete expired rows in small batches.
package sqlstore
