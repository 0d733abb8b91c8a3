package codes

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// FromSQLState classifies a SQLSTATE (ISO/IEC 9075, with PostgreSQL's own codes) by the
// whole code if it is known, otherwise by its class. A statement that failed in the
// database changed nothing. If the connection broke, the effect is unknown. The statement,
// the schema and the login are the server's own, so that what is wrong with them is
// internal; data and constraints are about what the caller sent.
//
// Three failures have the state 57014, query_canceled. PostgreSQL's fixed texts distinguish
// them, so that the text is asked for then.
func FromSQLState(state string, text func() string) class.Class {
	if len(state) != 5 {
		return class.Unknown
	}
	if state == "57014" && strings.Contains(text(), " timeout") { // statement timeout, lock timeout
		return class.NotSent
	}
	if v, ok := sqlStates[state]; ok {
		return v
	}
	return sqlClasses[state[:2]]
}

var sqlStates = map[string]class.Class{
	"22003": class.OutOfRange,   // numeric_value_out_of_range
	"22008": class.OutOfRange,   // datetime_field_overflow
	"22001": class.OutOfRange,   // string_data_right_truncation
	"22004": class.Missing,      // null_value_not_allowed
	"23502": class.Missing,      // not_null_violation
	"23503": class.Invalid,      // foreign_key_violation
	"23505": class.Exists,       // unique_violation
	"23514": class.Invalid,      // check_violation
	"23P01": class.Conflict,     // exclusion_violation
	"25006": class.Precondition, // read_only_sql_transaction
	"40003": class.ReplyLost,    // statement_completion_unknown
	"08001": class.Unavailable,  // unable to establish a connection
	"08004": class.Unavailable,  // the server rejected the connection
	"08P01": class.Internal,     // protocol_violation
	"53100": class.Exhausted,    // disk_full
	"57014": class.Canceled,     // query_canceled
	"57P03": class.Unavailable,  // cannot_connect_now
	"55006": class.Unavailable,  // object_in_use
	"55P03": class.Unavailable,  // lock_not_available
	"40002": class.Conflict,     // transaction_integrity_constraint_violation
	"57P04": class.Internal,     // database_dropped
	"P0003": class.Internal,     // too_many_rows
	"53400": class.Limit,        // configuration_limit_exceeded
	"55000": class.Precondition, // object_not_in_prerequisite_state
	"57P01": class.ReplyLost,    // admin_shutdown
	"57P02": class.ReplyLost,    // crash_shutdown
	"P0001": class.Precondition, // raise_exception
	"P0002": class.NotFound,     // no_data_found
}

var sqlClasses = map[string]class.Class{
	"02": class.NotFound,     // no data
	"08": class.ReplyLost,    // connection
	"0A": class.Internal,     // feature not supported
	"20": class.Internal,     // case not found
	"21": class.Internal,     // cardinality
	"22": class.Invalid,      // data
	"23": class.Conflict,     // integrity
	"25": class.Internal,     // transaction state
	"26": class.Internal,     // statement name
	"28": class.Internal,     // authorization specification
	"2B": class.Internal,     // dependent privileges
	"34": class.Internal,     // cursor name
	"3D": class.Internal,     // catalog name
	"3F": class.Internal,     // schema name
	"40": class.Unavailable,  // transaction rollback: serialization failure, deadlock
	"42": class.Internal,     // syntax or access rule
	"44": class.Invalid,      // check option
	"53": class.Unavailable,  // insufficient resources
	"54": class.OutOfRange,   // program limit
	"55": class.Precondition, // not in a state for it
	"0L": class.Internal,     // grantor
	"0P": class.Internal,     // role
	"57": class.ReplyLost,    // operator intervention
	"58": class.Exhausted,    // system
	"XX": class.Internal,     // internal
}
