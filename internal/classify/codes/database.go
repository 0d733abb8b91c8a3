package codes

import (
	"math"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A Table holds the error numbers that a group of libraries shares. Numbers without a row
// are not classified.
type Table struct {
	packages string // import paths without the major version, separated by spaces
	rows     []codeRow
	ranges   []codeRange
	mask     int64 // if not 0, a number without a row is looked up again with only these bits
}

type (
	ints    []int64
	codeRow struct {
		class   class.Class
		numbers ints
	}
	codeRange struct {
		from, to int64
		class    class.Class
	}
)

// Class returns the class of a number.
func (t *Table) Class(n int64) class.Class {
	for _, r := range t.rows {
		if slices.Contains(r.numbers, n) {
			return r.class
		}
	}
	for _, r := range t.ranges {
		if r.from <= n && n <= r.to {
			return r.class
		}
	}
	if t.mask != 0 && n&t.mask != n {
		return t.Class(n & t.mask)
	}
	return class.Unknown
}

// TableFor returns the table of a library by its import path without the major version, or
// nil if there is none.
func TableFor(pkg string) *Table {
	for _, tables := range [][]Table{databaseCodes, protocolCodes} {
		for i := range tables {
			if contains(tables[i].packages, pkg) {
				return &tables[i]
			}
		}
	}
	return nil
}

// databaseCodes are the numbers of databases. As with SQLSTATEs, the statement, the schema
// and the login are the server's own: what is wrong with them is internal.
var databaseCodes = []Table{
	// SQLite: result codes, extended or primary (sqlite.org/rescode.html).
	{
		packages: "modernc.org/sqlite github.com/mattn/go-sqlite3 github.com/ncruces/go-sqlite3 zombiezen.com/go/sqlite github.com/glebarez/go-sqlite crawshaw.io/sqlite",
		mask:     0xff,
		rows: []codeRow{
			{class.Exists, ints{1555, 2067, 2579}},  // PRIMARYKEY, UNIQUE, ROWID
			{class.Missing, ints{1299}},             // NOTNULL
			{class.Precondition, ints{1811, 8}},     // TRIGGER, READONLY
			{class.Unavailable, ints{5, 6, 15, 17}}, // BUSY, LOCKED, PROTOCOL, SCHEMA
			{class.Canceled, ints{9, 4}},            // INTERRUPT, ABORT
			{class.Exhausted, ints{13, 7, 10}},      // FULL, NOMEM, IOERR
			{class.OutOfRange, ints{18}},            // TOOBIG
			{class.Invalid, ints{19, 20}},           // CONSTRAINT, MISMATCH
			// ERROR (no such table, a syntax error), INTERNAL, PERM, CORRUPT, NOTFOUND, CANTOPEN, MISUSE, AUTH, FORMAT, RANGE, NOTADB.
			{class.Internal, ints{1, 2, 3, 11, 12, 14, 21, 23, 24, 25, 26}},
		},
	},
	// MySQL, MariaDB and TiDB: the server error reference.
	{
		packages: "github.com/go-sql-driver/mysql github.com/go-mysql-org/go-mysql/mysql",
		rows: []codeRow{
			// Lock wait timeout, deadlock, NOWAIT, XA deadlock, and TiDB's: rolled back; no connection.
			{class.Unavailable, ints{1205, 1213, 3572, 1614, 1412, 1615, 1637, 3101, 4031, 8028, 9001, 9002, 9005, 9007, 1040, 1203, 2002, 2003}},
			// Shutdown, killed or lost connection.
			{class.ReplyLost, ints{1053, 1156, 1158, 1159, 1927, 2006, 2013, 2055, 1160, 1161}},
			// Values of a wrong form, or a constraint.
			{class.Invalid, ints{1365, 1367, 3141, 3988, 1366, 1292, 1411, 1216, 1452, 3819, 4025, 3140}},
			{class.NotSent, ints{3024, 1969}},                              // MAX_EXECUTION_TIME: rolled back
			{class.Canceled, ints{1317, 1028}},                             // interrupted
			{class.Exists, ints{1062, 1586, 1022}},                         // duplicate entry
			{class.Missing, ints{1048, 1364}},                              // a column without a value
			{class.OutOfRange, ints{1153, 1264, 1406, 1690, 1265, 1441}},   // out of range, too long
			{class.Precondition, ints{1217, 1451, 1644, 1290, 1836, 1792}}, // row is referenced, SIGNAL, read-only
			{class.Limit, ints{1226}},                                      // max_questions and the like
			{class.Exhausted, ints{1021, 1114, 1037, 1038, 1041}},          // disk, table or memory full
			{class.Internal, ints{1052, 1054, 1055, 1064, 1093, 1109, 1111, 1136, 1149, 1210, 1222, 1235, 1241, 1242, 1248, 1318, 1582, 3995, 1046, 1065}}, // the statement
			{class.Internal, ints{1007, 1008, 1032, 1049, 1050, 1051, 1061, 1071, 1091, 1146, 1305, 1396, 1826, 3730}},                                     // the schema
			{class.Internal, ints{1044, 1045, 1129, 1130, 1142, 1143, 1227, 1251, 1370, 1410, 1418, 1419, 1524, 1698, 1820, 1862, 3118, 3955}},             // login and rights
		},
	},
	// SQL Server: sys.messages; from 50000 on the rules of the database itself.
	{
		packages: "github.com/microsoft/go-mssqldb github.com/denisenkom/go-mssqldb",
		ranges:   []codeRange{{50000, math.MaxInt64, class.Precondition}}, // THROW and RAISERROR
		rows: []codeRow{
			{class.Unavailable, ints{1205, 1222, 3960, 3935, 41302, 41305, 41325}},                                    // deadlock, lock timeout, snapshot conflict
			{class.Throttled, ints{10928, 10929, 40501, 49918, 49919, 49920, 40544}},                                  // Azure: throttled
			{class.Unavailable, ints{40613, 4060, 4221, 615, 17830}},                                                  // Azure: moving, not available
			{class.ReplyLost, ints{233, 40143, 40197}},                                                                // Azure: lost on the way
			{class.Exists, ints{2627, 2601}},                                                                          // unique
			{class.Missing, ints{515}},                                                                                // not null
			{class.Invalid, ints{547, 245, 8114, 8115, 241}},                                                          // constraint, conversion
			{class.OutOfRange, ints{220, 8152, 2628}},                                                                 // overflow, truncation
			{class.Exhausted, ints{1105, 9002}},                                                                       // full
			{class.Precondition, ints{3906, 3930, 3908}},                                                              // read-only database, doomed transaction
			{class.Internal, ints{102, 105, 137, 156, 201, 207, 208, 911, 1801, 2714, 2812, 3701, 8144, 8178, 15151}}, // syntax, unknown or duplicate objects
			{class.Internal, ints{18456, 18452, 18470, 18486, 18487, 18488, 229, 230, 262, 297, 300, 916, 15247}},     // login and rights
		},
	},
	// MongoDB: src/mongo/base/error_codes.yml.
	{
		packages: "go.mongodb.org/mongo-driver",
		rows: []codeRow{
			{class.Exists, ints{11000, 11001, 12582}},                                                   // duplicate key
			{class.Unavailable, ints{112, 10107, 13435, 13436, 133, 134, 246, 150, 13388, 234, 46, 24}}, // conflict, no primary, shutting down
			{class.ReplyLost, ints{6, 7, 89, 91, 189, 317, 9001, 11600, 11602}},                         // network, shutting down meanwhile
			{class.TimedOut, ints{50, 262, 202}},                                                        // time limit
			{class.Canceled, ints{11601, 237, 290}},                                                     // interrupted
			{class.NotFound, ints{47}},                                                                  // no matching document
			{class.Invalid, ints{5, 115, 166, 323, 31249, 40415, 2, 4, 9, 14, 15, 17, 20, 28, 40, 52, 54, 55, 56, 57, 66, 72, 121, 168, 197, 40323, 40324, 16410, 51091}}, // malformed
			{class.OutOfRange, ints{10334, 17280, 17419, 17420}},                                              // too large
			{class.Precondition, ints{148, 225, 251, 256, 263, 13297, 40573}},                                 // state, transactions
			{class.Exhausted, ints{14031, 39}},                                                                // full
			{class.Throttled, ints{462, 12501, 16500}},                                                        // throttled, Cosmos too
			{class.Internal, ints{11, 13, 18, 31, 33, 391, 8000, 26, 27, 43, 48, 53, 59, 61, 68, 73, 85, 86}}, // login, rights, namespaces and indexes
		},
	},
	// Cassandra: the native protocol.
	{
		packages: "github.com/gocql/gocql github.com/apache/cassandra-gocql-driver",
		rows: []codeRow{
			{class.Unavailable, ints{0x1000, 0x1001, 0x1002}}, // too few replicas, overloaded, bootstrapping
			{class.TimedOut, ints{0x1100, 0x1500}},            // write timed out, failed
			{class.NotSent, ints{0x1200, 0x1300}},             // read timed out, failed
			{class.Invalid, ints{0x2200}},
			{class.Unavailable, ints{0x2500}},                                      // unprepared: the driver prepares it again
			{class.Internal, ints{0x000A, 0x0100, 0x2000, 0x2100, 0x2300, 0x2400}}, // protocol, login, syntax, rights, configuration, schema
		},
	},
	// ClickHouse: src/Common/ErrorCodes.cpp.
	{
		packages: "github.com/ClickHouse/clickhouse-go github.com/ClickHouse/ch-go",
		rows: []codeRow{
			{class.TimedOut, ints{159, 160}},                                // timeout, too slow
			{class.Unavailable, ints{202, 203, 252, 241, 242, 285}},         // too many queries or parts, memory, read-only replica
			{class.ReplyLost, ints{209, 210, 32, 279}},                      // network
			{class.Canceled, ints{394}},                                     // cancelled
			{class.Invalid, ints{407, 440, 6, 26, 27, 38, 41, 70, 72, 117}}, // values of a wrong form
			{class.Limit, ints{201}},                                        // quota
			{class.Exhausted, ints{243}},                                    // disk full
			{class.Internal, ints{10, 16, 36, 42, 43, 44, 46, 47, 53, 57, 60, 62, 81, 82, 386, 403, 504, 599}}, // the statement and the schema
			{class.Internal, ints{164, 192, 193, 194, 291, 482, 497, 516}},                                     // login and rights
		},
	},
	// Oracle: ORA- numbers.
	{
		packages: "github.com/sijms/go-ora github.com/godror/godror",
		ranges: []codeRange{
			{900, 942, class.Internal},         // the statement, unknown objects
			{20000, 20999, class.Precondition}, // RAISE_APPLICATION_ERROR
		},
		rows: []codeRow{
			{class.Exists, ints{1}},                               // unique
			{class.Unavailable, ints{54, 60, 8177, 30006, 12541}}, // busy, deadlock, serialization, no listener
			{class.ReplyLost, ints{3113, 3114}},                   // connection lost
			{class.NotFound, ints{1403}},
			{class.Missing, ints{1400}},
			{class.OutOfRange, ints{12899, 1438}},
			{class.Precondition, ints{2292}}, // child record
			{class.Canceled, ints{1013}},
			{class.Exhausted, ints{1653}},
			{class.Invalid, ints{1722, 2290, 2291}},        // number, check, parent
			{class.Internal, ints{955, 1017, 1031, 28000}}, // name in use, login, rights
		},
	},
}
