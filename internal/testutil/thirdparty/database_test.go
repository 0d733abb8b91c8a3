package thirdparty

import (
	"encoding/binary"
	"io"
	"net"
	"testing"

	"github.com/bsm/redislock"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/uptrace/bun/driver/pgdriver"
)

var pgdriverCases = []testCase{
	{
		"bun/pgdriver", "23505", "7b", postgres("23505", `duplicate key value violates unique constraint "users_pkey"`),
		business, no, 0,
	},
	{"bun/pgdriver", "23503", "7b", postgres("23503", `insert or update on table "orders" violates foreign key `+
		`constraint "fk"`), or(validation, business), no, 0},
	{"bun/pgdriver", "40P01", "7b", postgres("40P01", "deadlock detected"), transient, yes, 0},
	{
		"bun/pgdriver", "40001", "7b", postgres("40001", "could not serialize access due to concurrent update"), transient,
		yes, 0,
	},
	{"bun/pgdriver", "42501", "7b", postgres("42501", "permission denied for table users"), transient, no, 0},
	{"bun/pgdriver", "42P01", "7b", postgres("42P01", `relation "userz" does not exist`), transient, no, 0},
	{"bun/pgdriver", "57014", "7b", postgres("57014", "canceling statement due to statement timeout"), transient, nil, 0},
	{"bun/pgdriver", "53300", "7b", postgres("53300", "sorry, too many clients already"), transient, yes, 0},
	{
		"bun/pgdriver", "57P01", "7b", postgres("57P01", "terminating connection due to administrator command"), transient,
		yesUnproven, 0,
	},
	{"bun/pgdriver", "22P02", "7b", postgres("22P02", `invalid input syntax for type integer: "abc"`), validation, no, 0},
}

// postgres connects to a server that answers the first message with an ErrorResponse
// of PostgreSQL's protocol.
func postgres(state, message string) func(*testing.T) error {
	return func(t *testing.T) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			var length [4]byte
			_, _ = io.ReadFull(conn, length[:])
			_, _ = io.CopyN(io.Discard, conn, int64(binary.BigEndian.Uint32(length[:]))-4)
			fields := "SERROR\x00C" + state + "\x00M" + message + "\x00\x00"
			_, _ = conn.Write(append(binary.BigEndian.AppendUint32([]byte("E"), uint32(len(fields)+4)), fields...))
			_ = conn.Close()
		}()
		_, err = pgdriver.NewConnector(pgdriver.WithAddr(listener.Addr().String()), pgdriver.WithInsecure(true),
			pgdriver.WithUser("u")).
			Connect(t.Context())
		return err
	}
}

var neo4jCases = []testCase{
	{
		"neo4j-go-driver", "syntax", "5", cypher("Neo.ClientError.Statement.SyntaxError", "Invalid input 'MATC'"), transient,
		no, 0,
	},
	{
		"neo4j-go-driver", "constraint", "5",
		cypher("Neo.ClientError.Schema.ConstraintValidationFailed",
			"Node(1) already exists with label `P` and property `id` = 1"), or(business, validation), no, 0,
	},
	{
		"neo4j-go-driver", "unauthorized", "5",
		cypher("Neo.ClientError.Security.Unauthorized", "The client is unauthorized due to authentication failure."),
		ownDenied, no, 0,
	},
	{"neo4j-go-driver", "forbidden", "5", cypher("Neo.ClientError.Security.Forbidden", "Create node with labels 'X' is "+
		"not allowed"), ownDenied, no, 0},
	{
		"neo4j-go-driver", "deadlock", "5",
		cypher("Neo.TransientError.Transaction.DeadlockDetected", "can't acquire ExclusiveLock"), transient, yes, 0,
	},
	{"neo4j-go-driver", "not a leader", "5", cypher("Neo.ClientError.Cluster.NotALeader", "No write operations are "+
		"allowed directly on this database"), transient, yes, 0},
	{"neo4j-go-driver", "terminated", "5", cypher("Neo.TransientError.Transaction.Terminated", "The transaction has "+
		"been terminated."), or(transient, business), no, 0},
	{
		"neo4j-go-driver", "memory", "5", cypher("Neo.TransientError.General.MemoryPoolOutOfMemoryError", "x"), transient,
		yes, 0,
	},
	{
		"neo4j-go-driver", "unknown procedure", "5",
		cypher("Neo.ClientError.Procedure.ProcedureNotFound", "There is no procedure with the name `x`"), validation, no, 0,
	},
	{"neo4j-go-driver", "database error", "5", cypher("Neo.DatabaseError.General.UnknownError", "x"), transient, no, 0},
	{"neo4j-go-driver", "usage", "7b", value(&neo4j.UsageError{Message: "Pool closed"}), or(transient, validation), no, 0},
	{"neo4j-go-driver", "connectivity", "7b", func(t *testing.T) error {
		driver, err := neo4j.NewDriverWithContext("bolt://"+refused(t), neo4j.NoAuth())
		must(t, err)
		defer func() { _ = driver.Close(t.Context()) }()
		return driver.VerifyConnectivity(t.Context())
	}, transient, yes, 0},
}

func cypher(code, text string) func(*testing.T) error {
	return value(&neo4j.Neo4jError{Code: code, Msg: text})
}

var redislockCases = []testCase{
	{"redislock", "ErrNotObtained", "8", value(redislock.ErrNotObtained), or(business, transient), nil, 0},
	{"redislock", "ErrLockNotHeld", "8", value(redislock.ErrLockNotHeld), business, no, 0},
}
