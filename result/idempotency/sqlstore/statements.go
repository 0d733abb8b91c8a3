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
	// SQLite is SQLite 3.35 (2021) or newer, which has RETURNING.
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
	SQLite:     {"?", "BLOB", "CAST((julianday('now') - 2440587.5) * 86400000 AS BIGINT)", ""},
	PostgreSQL: {"$", "BYTEA", "CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)", "FOR UPDATE SKIP LOCKED"},
}

// The statements of a store, in its dialect and for its table.
type statements struct {
	exists  string
	create  []string
	claim   []string          // run in order until one returns a state
	changes map[string]string // what each is for, and the statement
}

var identifiers = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$`)

// The parameters of a claim:
//
//	@1 id, @2 fingerprint, @3 owner, @4 call, @5 attempt, @6 rerun,
//	@7 lease and @8 time until the row expires, in milliseconds
//
// In a condition, again is a repeat of the attempt that has ended that way.
const (
	again = `(CAST(@5 AS BIGINT) > 0 AND t.caller = CAST(@4 AS TEXT) AND t.fingerprint = CAST(@2 AS TEXT) AND t.answer IS NOT NULL
	AND (t.attempt = CAST(@5 AS BIGINT) OR (t.caller <> '' AND t.attempt > CAST(@5 AS BIGINT))))`

	claimable = `(t.expires <= {now}
	OR (t.effect = '' AND t.owner = CAST(@3 AS TEXT))
	OR (t.owner <> CAST(@3 AS TEXT) AND (
		(t.effect = 'none' AND NOT ` + again + `)
		OR (CAST(@6 AS BOOLEAN) AND t.fingerprint = CAST(@2 AS TEXT) AND (
			(t.effect = '' AND t.lease_until <= {now})
			OR (t.effect = 'unknown' AND NOT ` + again + `))))))`

	insert = `INSERT INTO {table} AS t (id, fingerprint, owner, caller, attempt, effect, answer, lease_until, expires)
	VALUES (CAST(@1 AS TEXT), CAST(@2 AS TEXT), CAST(@3 AS TEXT), CAST(@4 AS TEXT), CAST(@5 AS BIGINT), '', NULL,
		{now} + CAST(@7 AS BIGINT), {now} + CAST(@8 AS BIGINT))
	ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, owner = excluded.owner, caller = excluded.caller,
		attempt = excluded.attempt, effect = '', answer = NULL, lease_until = excluded.lease_until, expires = excluded.expires
	WHERE ` + claimable + `
	RETURNING 'claimed', CAST(NULL AS {bytes}), ''`

	// look returns '' for a row that has become claimable, and no row if it was deleted.
	look = `SELECT CASE
		WHEN ` + claimable + ` THEN ''
		WHEN t.fingerprint <> CAST(@2 AS TEXT) THEN 'conflict'
		WHEN t.effect = '' AND t.lease_until > {now} THEN 'running'
		WHEN t.effect <> '' AND t.answer IS NOT NULL THEN 'answered'
		WHEN t.effect = 'applied' THEN 'done'
		ELSE 'abandoned' END,
	CASE WHEN t.fingerprint = CAST(@2 AS TEXT) THEN t.answer END,
	CASE WHEN t.fingerprint = CAST(@2 AS TEXT) THEN '' ELSE t.effect END
	FROM {table} AS t WHERE t.id = CAST(@1 AS TEXT)`

	// both are one statement, which reads a snapshot: it returns no row if another
	// process has inserted the row since.
	both = `WITH claimed (state, answer, effect) AS (` + insert + `)
	SELECT state, answer, effect FROM claimed UNION ALL ` + look + ` AND NOT EXISTS (SELECT 1 FROM claimed)`

	renew = `UPDATE {table} SET lease_until = {now} + CAST(@3 AS BIGINT),
		expires = CASE WHEN expires < {now} + CAST(@3 AS BIGINT) + CAST(@4 AS BIGINT) THEN {now} + CAST(@3 AS BIGINT) + CAST(@4 AS BIGINT) ELSE expires END
	WHERE id = @1 AND owner = @2 AND effect = ''`

	finish = `UPDATE {table} SET effect = @3, answer = @4,
		expires = CASE WHEN expires < {now} + CAST(@5 AS BIGINT) THEN {now} + CAST(@5 AS BIGINT) ELSE expires END
	WHERE id = @1 AND owner = @2`

	sweep = `DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE expires <= {now} LIMIT {batch} {skip})`

	table = `CREATE TABLE IF NOT EXISTS {table} (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, owner TEXT NOT NULL,
	caller TEXT NOT NULL, attempt BIGINT NOT NULL, effect TEXT NOT NULL, answer {bytes}, lease_until BIGINT NOT NULL, expires BIGINT NOT NULL)`

	index = `CREATE INDEX IF NOT EXISTS {name}_expires ON {table} (expires)`

	// lock serializes the statements above, which do not wait for each other.
	lock = `SELECT pg_advisory_xact_lock(hashtext('toolerr-go {table}'))`
)

// statements returns the statements, or an error if a field is not valid.
func (s *Store) statements() (*statements, error) {
	s.once.Do(func() { s.spelled, s.err = s.spell() })
	return &s.spelled, s.err
}

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
		exists:  replace("SELECT id, caller, attempt, effect, lease_until, expires FROM {table} WHERE 1 = 0"),
		create:  []string{replace(table), replace(index)},
		claim:   []string{replace(insert), replace(look)},
		changes: map[string]string{"renew": replace(renew), "finish": replace(finish), "sweep": replace(sweep)},
	}
	if s.Dialect == PostgreSQL {
		spelled.create = append([]string{replace(lock)}, spelled.create...)
		spelled.claim = []string{replace(both)}
	}
	return spelled, nil
}
