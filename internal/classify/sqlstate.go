package classify

import "strings"

// SQLState classifies a SQLSTATE, with the text that came with it.
func SQLState(state, text string) Classification { return classes[fromSQLState(state, text)] }

// fromSQLState classifies a SQLSTATE (ISO/IEC 9075, with PostgreSQL's own codes):
// the whole code if it is known, else its class. A statement that failed in
// the database has changed nothing; if the connection broke nobody knows.
func fromSQLState(state, text string) class {
	if len(state) != 5 {
		return unknown
	}
	if state == "57014" { // one code for three things; the server's fixed texts tell them apart
		switch {
		case strings.Contains(text, "statement timeout"), strings.Contains(text, "lock timeout"):
			return notSent
		}
		return canceled
	}
	if v, ok := sqlStates[state]; ok {
		return v
	}
	return sqlClasses[state[:2]]
}

var sqlStates = map[string]class{
	"22003": outOfRange,   // numeric_value_out_of_range
	"22008": outOfRange,   // datetime_field_overflow
	"22001": outOfRange,   // string_data_right_truncation
	"22004": missing,      // null_value_not_allowed
	"23502": missing,      // not_null_violation
	"23503": invalid,      // foreign_key_violation
	"23505": exists,       // unique_violation
	"23514": invalid,      // check_violation
	"23P01": conflict,     // exclusion_violation
	"25006": precondition, // read_only_sql_transaction
	"40003": replyLost,    // statement_completion_unknown
	"42501": denied,       // insufficient_privilege
	"42P01": notFound,     // undefined_table
	"42P04": exists,       // duplicate_database
	"42P06": exists,       // duplicate_schema
	"42P07": exists,       // duplicate_table
	"42710": exists,       // duplicate_object
	"08001": unavailable,  // unable to establish a connection
	"08004": unavailable,  // the server rejected the connection
	"08P01": internal,     // protocol_violation
	"53100": exhausted,    // disk_full
	"57P03": unavailable,  // cannot_connect_now
	"55006": unavailable,  // object_in_use
	"55P03": unavailable,  // lock_not_available
	"40002": conflict,     // transaction_integrity_constraint_violation
	"57P04": notFound,     // database_dropped
	"P0003": precondition, // too_many_rows
	"53400": limit,        // configuration_limit_exceeded
	"55000": precondition, // object_not_in_prerequisite_state
	"57P01": replyLost,    // admin_shutdown
	"57P02": replyLost,    // crash_shutdown
	"P0001": precondition, // raise_exception
	"P0002": notFound,     // no_data_found
}

var sqlClasses = map[string]class{
	"02": notFound,        // no data
	"08": replyLost,       // connection
	"0A": invalid,         // feature not supported
	"20": notFound,        // case not found
	"21": invalid,         // cardinality
	"22": invalid,         // data
	"23": conflict,        // integrity
	"25": internal,        // transaction state
	"26": invalid,         // statement name
	"28": unauthenticated, // authorization specification
	"2B": precondition,    // dependent privileges
	"34": invalid,         // cursor name
	"3D": notFound,        // catalog name
	"3F": notFound,        // schema name
	"40": unavailable,     // transaction rollback: serialization failure, deadlock
	"42": invalid,         // syntax or access rule
	"44": invalid,         // check option
	"53": unavailable,     // insufficient resources
	"54": outOfRange,      // program limit
	"55": precondition,    // not in a state for it
	"0L": denied,          // grantor
	"0P": denied,          // role
	"57": replyLost,       // operator intervention
	"58": exhausted,       // system
	"XX": internal,        // internal
}
