package sqlstore

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A Dialect is the SQL dialect of a database. The zero value is invalid.
type Dialect string

const (
	// SQLite is SQLite 3.24 (2018) or newer, which has ON CONFLICT.
	SQLite Dialect = "SQLite"
	// PostgreSQL is PostgreSQL 9.5 or newer, which has ON CONFLICT.
	PostgreSQL Dialect = "PostgreSQL"
)

// A spelling holds what differs between dialects.
type spelling struct {
	parameter string // the prefix of a parameter's number
	bytes     string // the column type
	now       string // the database's time in milliseconds, constant within a statement
	skip      string // skips rows that are locked
}

var spellings = map[Dialect]spelling{
	SQLite:     {"?", "BLOB", "CAST((julianday() - 2440587.5) * 86400000 AS BIGINT)", ""},
	PostgreSQL: {"$", "BYTEA", "CAST(date_part('epoch', statement_timestamp()) * 1000 AS BIGINT)", "FOR UPDATE SKIP LOCKED"},
}

// The statements of a store, in its dialect and for its table.
type statements struct {
	exists      string
	create      []string
	look, take  string
	lookArgs    int               // look has the first of the arguments of take
	read, count string            // look that only reads, and the calls of a principal
	changes     map[string]string // what each is for, and the statement
}

var identifiers = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$`)

// The parameters of a claim:
//
//	@1 id, @2 fingerprint, @3 owner, @4 call, @5 attempt,
//	@6 lease and @7 time until the row expires, in milliseconds, @8 principal
//
// take has more: what look has returned of the row that it replaces.
const (
	columns = `fingerprint, owner, caller, attempt, effect, answer, lease_until, expires`

	look = `SELECT ` + columns + `, {now} AS now FROM {table} WHERE id = @1`

	insert = `INSERT INTO {table} AS t (id, ` + columns + `, principal)
	SELECT @1, @2, @3, @4, CAST(@5 AS BIGINT), '', NULL, {now} + CAST(@6 AS BIGINT), {now} + CAST(@7 AS BIGINT), @8 WHERE `

	// take claims an id without a row, or with one that has not changed since look: only
	// Claim changes the columns that are not compared.
	take = insert + `1 = 1
	ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, owner = excluded.owner, caller = excluded.caller,
		attempt = excluded.attempt, effect = '', answer = NULL, lease_until = excluded.lease_until, expires = excluded.expires
	WHERE t.owner = @9 AND t.effect = @10 AND (t.answer IS NULL) = @11 AND t.lease_until = @12 AND t.expires = @13`

	// lookOrInsert is one statement, which reads a snapshot: it returns no row if another
	// process has inserted the row since.
	lookOrInsert = `WITH found AS (` + look + `),
	inserted AS (` + insert + `NOT EXISTS (SELECT 1 FROM found) ON CONFLICT (id) DO NOTHING RETURNING ` + columns + `, {now})
	SELECT * FROM found UNION ALL SELECT * FROM inserted`

	renew = `UPDATE {table} SET lease_until = {now} + CAST(@3 AS BIGINT),
		expires = CASE WHEN expires < {now} + CAST(@3 AS BIGINT) + CAST(@4 AS BIGINT) THEN {now} + CAST(@3 AS BIGINT) + CAST(@4 AS BIGINT) ELSE expires END
	WHERE id = @1 AND owner = @2 AND effect = ''`

	finish = `UPDATE {table} SET effect = @3, answer = @4,
		expires = CASE WHEN expires < {now} + CAST(@5 AS BIGINT) THEN {now} + CAST(@5 AS BIGINT) ELSE expires END
	WHERE id = @1 AND owner = @2`

	sweep = `DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE expires <= {now} LIMIT {batch} {skip})`

	count = `SELECT COUNT(*) FROM (SELECT 1 FROM {table} WHERE principal = @1 AND expires > {now} LIMIT CAST(@2 AS BIGINT)) AS t`

	table = `CREATE TABLE IF NOT EXISTS {table} (id TEXT PRIMARY KEY, principal TEXT NOT NULL, fingerprint TEXT NOT NULL, owner TEXT NOT NULL,
	caller TEXT NOT NULL, attempt BIGINT NOT NULL, effect TEXT NOT NULL, answer {bytes}, lease_until BIGINT NOT NULL, expires BIGINT NOT NULL)`

	index       = `CREATE INDEX IF NOT EXISTS {name}_expires ON {table} (expires)`
	ofPrincipal = `CREATE INDEX IF NOT EXISTS {name}_principal ON {table} (principal, expires)`

	// lock serializes the statements above, which do not wait for each other.
	lock = `SELECT pg_advisory_xact_lock(hashtext('toolerr-go {table}'))`
)

// spell returns the statements, or an error if a field is not valid.
func (s *Store) spell() (spelled statements, err error) {
	dialect, ok := spellings[s.Dialect]
	name := cmp.Or(s.Table, defaultTable)
	switch {
	case s.DB == nil:
		return spelled, errors.New("sqlstore: set Store.DB")
	case !ok:
		return spelled, fmt.Errorf("sqlstore: Store.Dialect is %q, set it to sqlstore.SQLite or sqlstore.PostgreSQL", s.Dialect)
	case !identifiers.MatchString(name):
		return spelled, fmt.Errorf("sqlstore: Store.Table is %q, want letters, digits and underscores", name)
	}
	replace := strings.NewReplacer("@", dialect.parameter, "{now}", dialect.now, "{bytes}", dialect.bytes, "{skip}", dialect.skip,
		"{batch}", fmt.Sprint(sweepBatch), "{table}", name, "{name}", name[strings.LastIndexByte(name, '.')+1:]).Replace
	spelled = statements{
		exists: replace("SELECT id, principal, caller, attempt, effect, lease_until, expires FROM {table} WHERE 1 = 0"),
		create: []string{replace(table), replace(index), replace(ofPrincipal)},
		read:   replace(look), count: replace(count),
		look: replace(look), lookArgs: 1, take: replace(take),
		changes: map[string]string{"renew": replace(renew), "finish": replace(finish), "sweep": replace(sweep)},
	}
	if s.Dialect == PostgreSQL {
		spelled.create = append([]string{replace(lock)}, spelled.create...)
		spelled.look, spelled.lookArgs = replace(lookOrInsert), 8
	}
	return spelled, nil
}
