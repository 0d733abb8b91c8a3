package sqlstore

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Dialect is the SQL dialect of a database. The zero value is invalid.
type Dialect string

const (
	// SQLite is SQLite 3.24 (2018) or newer.
	SQLite Dialect = "SQLite"
	// PostgreSQL is PostgreSQL 9.5 or newer, which has ON CONFLICT.
	PostgreSQL Dialect = "PostgreSQL"
	// MySQL is MariaDB 10.5 or newer, or MySQL 8. The tests use MariaDB 10.11.
	MySQL Dialect = "MySQL"
)

// spellings holds the differences between dialects, as arguments of [strings.NewReplacer]. {now} is
// the database's time in milliseconds, constant within a statement.
var spellings = map[Dialect][]string{
	SQLite: {
		"@", "?", "{bytes}", "BLOB", "{now}", "CAST((julianday() - 2440587.5) * 86400000 AS BIGINT)", "{insert}",
		"INSERT OR IGNORE", "{skip}", "",
	},
	PostgreSQL: {
		"@", "$", "{bytes}", "BYTEA", "{now}", "CAST(date_part('epoch', statement_timestamp()) * 1000 AS BIGINT)", "{insert}",
		"INSERT",
		"{skip}", "FOR UPDATE SKIP LOCKED",
	},
	MySQL: {
		"AS BIGINT", "AS SIGNED", "{bytes}", "LONGBLOB", "{now}",
		"(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
		"{insert}", "INSERT IGNORE",
	},
}

// statements holds the statements of a store, in its dialect and for its table.
type statements struct {
	exists              string
	create              []string
	look, take          string
	lookArgs            int               // how many of take's leading arguments look needs
	read, insert, count string            // read is look without inserting; count counts a principal's calls
	changes             map[string]string // statements by purpose
}

var identifiers = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$`)

// The parameters of a claim:
//
//	@1 id, @2 fingerprint, @3 owner, @4 call, @5 attempt,
//	@6 lease and @7 time until the row expires, in milliseconds, @8 principal
//
// take has two more: the owner and the version of the row that it replaces. Each change of a row
// increments its version, partly because MySQL does not count rows whose values stay the same.
const (
	columns = `fingerprint, owner, caller, attempt, effect, answer, lease_until, expires, version`

	look = `SELECT ` + columns + `, {now} AS now FROM {table} WHERE id = @1`

	into = ` INTO {table} (id, principal, ` + columns + `) `

	row = `@1, @8, @2, @3, @4, CAST(@5 AS BIGINT), '', NULL, {now} + CAST(@6 AS BIGINT), {now} + CAST(@7 AS BIGINT), 1`

	insert = `{insert}` + into + `VALUES (` + row + `)`

	take = `UPDATE {table} SET principal = @8, fingerprint = @2, owner = @3, caller = @4, attempt = CAST(@5 AS BIGINT),
		effect = '', answer = NULL,
		lease_until = {now} + CAST(@6 AS BIGINT), expires = {now} + CAST(@7 AS BIGINT), version = version + 1
	WHERE id = @1 AND owner = @9 AND version = @10`

	onConflict = ` ON CONFLICT (id) DO NOTHING`

	// lookOrInsert is one statement, which reads a snapshot: it returns no row if another
	// process has inserted the row since.
	lookOrInsert = `WITH found AS (` + look + `),
	inserted AS (INSERT` + into + `SELECT ` + row + ` WHERE NOT EXISTS (SELECT 1 FROM found)` + onConflict +
		` RETURNING ` + columns + `, {now})
	SELECT * FROM found UNION ALL SELECT * FROM inserted`

	renew = `UPDATE {table} SET lease_until = {now} + CAST(@3 AS BIGINT), version = version + 1,
		expires = CASE WHEN expires < {now} + CAST(@3 AS BIGINT) + CAST(@4 AS BIGINT)
			THEN {now} + CAST(@3 AS BIGINT) + CAST(@4 AS BIGINT) ELSE expires END
	WHERE id = @1 AND owner = @2 AND effect = ''`

	finish = `UPDATE {table} SET effect = @3, answer = @4, version = version + 1,
		expires = CASE WHEN expires < {now} + CAST(@5 AS BIGINT) THEN {now} + CAST(@5 AS BIGINT) ELSE expires END
	WHERE id = @1 AND owner = @2`

	// resolve takes the call from its owner, which may still be running.
	resolve = `UPDATE {table} SET effect = @2, answer = NULL, owner = 'resolved', version = version + 1,
		expires = CASE WHEN expires < {now} + CAST(@3 AS BIGINT) THEN {now} + CAST(@3 AS BIGINT) ELSE expires END
	WHERE id = @1 AND expires > {now} AND @2 IN ('applied', 'none')
		AND (effect = 'unknown' OR effect = '' AND lease_until <= {now} OR effect = @2 AND owner = 'resolved')`

	sweep = `DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE expires <= {now} ORDER BY expires LIMIT ` +
		`{batch} {skip})`

	// MySQL allows no LIMIT in such a subquery, and SQLite, by default, allows none in a DELETE.
	mySweep = `DELETE FROM {table} WHERE expires <= {now} ORDER BY expires LIMIT {batch}`

	count = `SELECT COUNT(*) FROM (SELECT 1 FROM {table} WHERE principal = @1 AND expires > {now} LIMIT {most}) AS t`

	table = `CREATE TABLE IF NOT EXISTS {table} (
	id VARCHAR(64) PRIMARY KEY, principal VARCHAR(64) NOT NULL, fingerprint VARCHAR(64) NOT NULL,
	owner VARCHAR(64) NOT NULL, caller VARCHAR(64) NOT NULL, attempt BIGINT NOT NULL,
	effect VARCHAR(64) NOT NULL, answer {bytes},
	lease_until BIGINT NOT NULL, expires BIGINT NOT NULL, version BIGINT NOT NULL`

	index       = `CREATE INDEX IF NOT EXISTS {name}_expires ON {table} (expires)`
	ofPrincipal = `CREATE INDEX IF NOT EXISTS {name}_principal ON {table} (principal, expires)`

	// MySQL has no CREATE INDEX IF NOT EXISTS, and by default ignores case.
	myIndexes = `, INDEX (expires), INDEX (principal, expires)) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`

	// lock serializes creations of the table, which may fail if they run concurrently.
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
		return spelled, fmt.Errorf("sqlstore: Store.Dialect is %q, set it to sqlstore.SQLite, sqlstore.PostgreSQL or "+
			"sqlstore.MySQL", s.Dialect)
	case 0 < s.MaxAge && s.MaxAge < time.Millisecond, 0 < s.Patience && s.Patience < time.Millisecond:
		return spelled, fmt.Errorf("sqlstore: Store.MaxAge is %v and Patience %v: give it a unit, as in 24*time.Hour",
			s.MaxAge, s.Patience)
	case !identifiers.MatchString(name):
		return spelled, fmt.Errorf("sqlstore: Store.Table is %q, want letters, digits and underscores", name)
	}
	most := max(cmp.Or(s.MaxCalls, defaultMaxCalls), 0) // 0 counts none
	replace := strings.NewReplacer(append(slices.Clip(dialect), "{batch}", strconv.Itoa(sweepBatch), "{most}",
		strconv.Itoa(most),
		"{table}", name, "{name}", name[strings.LastIndexByte(name, '.')+1:])...).Replace
	spelled = statements{
		exists: replace("SELECT id, principal, caller, attempt, effect, lease_until, expires, version FROM {table} " +
			"WHERE 1 = 0"),
		create: []string{replace(table + ")"), replace(index), replace(ofPrincipal)},
		read:   replace(look), count: replace(count), insert: replace(insert),
		look: replace(look), lookArgs: 1, take: replace(take),
		changes: map[string]string{
			"renew": replace(renew), "finish": replace(finish), "resolve": replace(resolve), "sweep": replace(sweep),
		},
	}
	if s.Dialect == PostgreSQL {
		spelled.create = append([]string{replace(lock)}, spelled.create...)
		spelled.look, spelled.lookArgs = replace(lookOrInsert), 8
		spelled.insert += onConflict
	}
	if s.Dialect == MySQL {
		spelled.create, spelled.changes["sweep"] = []string{replace(table + myIndexes)}, replace(mySweep)
	}
	return spelled, nil
}

var parameters = regexp.MustCompile("@[0-9]+")

// inOrder returns a statement with unnumbered parameters, and the arguments in their order.
func inOrder(text string, args []any) (unnumbered string, ordered []any) {
	return parameters.ReplaceAllStringFunc(text, func(parameter string) string {
		n, _ := strconv.Atoi(parameter[1:])
		ordered = append(ordered, args[n-1])
		return "?"
	}), ordered
}
