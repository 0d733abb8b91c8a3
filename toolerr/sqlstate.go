package toolerr

import "strings"

// fromSQLState judges a SQLSTATE (ISO/IEC 9075, with PostgreSQL's own codes):
// the whole code where it is known, else its class. A statement that failed in
// the database has changed nothing; where the connection broke nobody knows.
func fromSQLState(state, text string) verdict {
	if len(state) != 5 {
		return verdict{}
	}
	if state == "57014" { // one code for three things; the server's fixed texts tell them apart
		switch {
		case strings.Contains(text, "statement timeout"), strings.Contains(text, "lock timeout"):
			return vNotSent
		}
		return vCanceled
	}
	if v, ok := sqlStates[state]; ok {
		return v
	}
	return sqlClasses[state[:2]]
}

var sqlStates = map[string]verdict{
	"22003": vOutOfRange,                                                                    // numeric_value_out_of_range
	"22008": vOutOfRange,                                                                    // datetime_field_overflow
	"22001": vOutOfRange,                                                                    // string_data_right_truncation
	"22004": vMissing,                                                                       // null_value_not_allowed
	"23502": vMissing,                                                                       // not_null_violation
	"23503": vInvalid,                                                                       // foreign_key_violation
	"23505": vExists,                                                                        // unique_violation
	"23514": vInvalid,                                                                       // check_violation
	"23P01": vConflict,                                                                      // exclusion_violation
	"25006": vPrecondition,                                                                  // read_only_sql_transaction
	"40003": vBroken,                                                                        // statement_completion_unknown
	"42501": vDenied,                                                                        // insufficient_privilege
	"42P01": vNotFound,                                                                      // undefined_table
	"42P04": vExists,                                                                        // duplicate_database
	"42P06": vExists,                                                                        // duplicate_schema
	"42P07": vExists,                                                                        // duplicate_table
	"42710": vExists,                                                                        // duplicate_object
	"08001": vUnavailable,                                                                   // unable to establish a connection
	"08004": vUnavailable,                                                                   // the server rejected the connection
	"08P01": vInternal,                                                                      // protocol_violation
	"53100": vExhausted,                                                                     // disk_full
	"57P03": vUnavailable,                                                                   // cannot_connect_now
	"55006": vUnavailable,                                                                   // object_in_use
	"55P03": vUnavailable,                                                                   // lock_not_available
	"40002": vConflict,                                                                      // transaction_integrity_constraint_violation
	"57P04": vNotFound,                                                                      // database_dropped
	"P0003": vPrecondition,                                                                  // too_many_rows
	"53400": vLimit,                                                                         // configuration_limit_exceeded
	"55000": vPrecondition,                                                                  // object_not_in_prerequisite_state
	"57P01": vBroken,                                                                        // admin_shutdown
	"57P02": vBroken,                                                                        // crash_shutdown
	"P0001": {category: CategoryBusiness, code: CodeFailedPrecondition, effect: EffectNone}, // raise_exception
	"P0002": vNotFound,                                                                      // no_data_found
}

var sqlClasses = map[string]verdict{
	"02": vNotFound,        // no data
	"08": vBroken,          // connection
	"0A": vInvalid,         // feature not supported
	"20": vNotFound,        // case not found
	"21": vInvalid,         // cardinality
	"22": vInvalid,         // data
	"23": vConflict,        // integrity
	"25": vInternal,        // transaction state
	"26": vInvalid,         // statement name
	"28": vUnauthenticated, // authorization specification
	"2B": vPrecondition,    // dependent privileges
	"34": vInvalid,         // cursor name
	"3D": vNotFound,        // catalog name
	"3F": vNotFound,        // schema name
	"40": vUnavailable,     // transaction rollback: serialization failure, deadlock
	"42": vInvalid,         // syntax or access rule
	"44": vInvalid,         // check option
	"53": vUnavailable,     // insufficient resources
	"54": vOutOfRange,      // program limit
	"55": vPrecondition,    // not in a state for it
	"0L": vDenied,          // grantor
	"0P": vDenied,          // role
	"57": vBroken,          // operator intervention
	"58": vExhausted,       // system
	"XX": vInternal,        // internal
}
