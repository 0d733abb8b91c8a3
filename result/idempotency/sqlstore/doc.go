// Package sqlstore is a store for package idempotency in a SQL database: what one server
// process has done, the others know, and the next one too. A *[sql.DB] with a driver of the
// author's choice comes in. It needs the standard library alone.
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
// One file may be shared by the processes of one machine, not over a network file system.
// Readers and writers do not wait for each other if the file is in WAL mode, and a writer
// waits better inside SQLite than outside of it:
//
//	sql.Open("sqlite", "file:idempotency.db?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)") // modernc.org/sqlite
//
// # What happens if the database fails
//
// A method tries again for Store.Patience if the database is busy, refuses to serialize, has
// broken the connection or is away. What was asked may have been carried out although the
// connection broke in its commit: each statement can be run twice, so that it is asked again
// and not guessed. A call whose key cannot be claimed is not made, and is told so, with no
// effect; one whose answer cannot be kept stays claimed until its lease ends, and then is
// abandoned.
//
// # Time
//
// All times are the database's. The clocks of the servers do not count. If the database's
// own clock jumps ahead by more than MaxAge, its keys are forgotten, running ones too.
//
// # What is stored
//
// Hashes of principals, tools, keys and arguments, and the answers as the tools gave them.
// Rows that are too old are deleted by the processes that claim, in small batches.
package sqlstore
