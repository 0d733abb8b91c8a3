package thirdparty

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/go-sql-driver/mysql"
	"github.com/gomodule/redigo/redis"
	_ "github.com/lib/pq"
	"github.com/meilisearch/meilisearch-go"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// --- lib/pq ---------------------------------------------------------------

type pgErr struct{ severity, code, msg, detail string }

func pgSend(c net.Conn, typ byte, payload []byte) {
	b := append([]byte{typ}, binary.BigEndian.AppendUint32(nil, uint32(len(payload)+4))...)
	c.Write(append(b, payload...))
}

func pgError(c net.Conn, e pgErr) {
	p := "S" + e.severity + "\x00V" + e.severity + "\x00C" + e.code + "\x00M" + e.msg + "\x00"
	if e.detail != "" {
		p += "D" + e.detail + "\x00"
	}
	pgSend(c, 'E', append([]byte(p), 0))
}

// pgServer refuses at startup with atStart, else answers each query with e, or hangs up.
func pgServer(t *testing.T, atStart *pgErr, e *pgErr) error {
	addr := listen(t, func(c net.Conn) {
		var n [4]byte
		if _, err := io.ReadFull(c, n[:]); err != nil {
			return
		}
		io.CopyN(io.Discard, c, int64(binary.BigEndian.Uint32(n[:]))-4)
		if atStart != nil {
			pgError(c, *atStart)
			return
		}
		pgSend(c, 'R', []byte{0, 0, 0, 0})
		pgSend(c, 'Z', []byte{'I'})
		for {
			var h [5]byte
			if _, err := io.ReadFull(c, h[:]); err != nil {
				return
			}
			io.CopyN(io.Discard, c, int64(binary.BigEndian.Uint32(h[1:]))-4)
			if h[0] != 'Q' {
				return
			}
			if e == nil {
				return
			}
			pgError(c, *e)
			pgSend(c, 'Z', []byte{'I'})
		}
	})
	db, err := sql.Open("postgres", "postgres://app:secret@"+addr+"/shop?sslmode=disable&connect_timeout=5")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec("UPDATE orders SET state = 'paid' WHERE id = 1")
	return err
}

func pqCases(t *testing.T) []labelled {
	const lib = "lib/pq"
	return []labelled{
		{
			lib, "23505 unique violation", "wire", pgServer(t, nil, &pgErr{"ERROR", "23505", `duplicate key value violates ` +
				`unique constraint "users_email_key"`, "Key (email)=(a@b.c) already exists."}),
			business, nil, "false", "", "already exists",
		},
		{
			lib, "40001 serialization failure", "wire", pgServer(t, nil, &pgErr{"ERROR", "40001", "could not serialize access " +
				"due to read/write dependencies among transactions", ""}),
			transient, nil, "true", "", "SQLSTATE class 40: rolled back, to be run again",
		},
		{
			lib, "55P03 lock not available", "wire",
			pgServer(t, nil, &pgErr{"ERROR", "55P03", "canceling statement due to lock timeout", ""}),
			transient, nil, "true", "", "busy",
		},
		{
			lib, "28P01 wrong password", "wire", pgServer(t, &pgErr{"FATAL", "28P01", `password authentication failed for ` +
				`user "app"`, ""}, nil),
			transient, nil, "false", "", "the login is the server's own",
		},
		{
			lib, "57P03 starting up", "wire",
			pgServer(t, &pgErr{"FATAL", "57P03", "the database system is starting up", ""}, nil),
			transient, nil, "true", "", "cannot_connect_now",
		},
		{
			lib, "connection cut after the statement was sent", "wire", pgServer(t, nil, nil),
			transient, nil, "true", notNone, "reset; the statement may have been carried out",
		},
	}
}

// --- go-sql-driver/mysql --------------------------------------------------

func mySend(c net.Conn, seq byte, p []byte) {
	c.Write(append([]byte{byte(len(p)), byte(len(p) >> 8), byte(len(p) >> 16), seq}, p...))
}

func myRead(c net.Conn) ([]byte, error) {
	var h [4]byte
	if _, err := io.ReadFull(c, h[:]); err != nil {
		return nil, err
	}
	p := make([]byte, int(h[0])|int(h[1])<<8|int(h[2])<<16)
	_, err := io.ReadFull(c, p)
	return p, err
}

func myErr(code uint16, state, msg string) []byte {
	p := []byte{0xff, byte(code), byte(code >> 8)}
	if state != "" {
		p = append(p, "#"+state...)
	}
	return append(p, msg...)
}

// myServer answers with greet instead of a handshake, with auth instead of an OK, with query to a query; nil = hang up
// there.
func myServer(t *testing.T, greet, auth, query []byte) error {
	mysql.SetLogger(&mysql.NopLogger{})
	addr := listen(t, func(c net.Conn) {
		if greet != nil {
			mySend(c, 0, greet)
			return
		}
		caps := uint32(0x1 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x80000)
		p := append([]byte{10}, "8.0.36\x00"...)
		p = append(p, 7, 0, 0, 0)
		p = append(p, "abcdefgh\x00"...)
		p = append(p, byte(caps), byte(caps>>8), 45, 2, 0, byte(caps>>16), byte(caps>>24), 21)
		p = append(p, make([]byte, 10)...)
		p = append(p, "ijklmnopqrst\x00mysql_native_password\x00"...)
		mySend(c, 0, p)
		if _, err := myRead(c); err != nil {
			return
		}
		if auth != nil {
			mySend(c, 2, auth)
			return
		}
		mySend(c, 2, []byte{0, 0, 0, 2, 0, 0, 0})
		for {
			q, err := myRead(c)
			if err != nil || len(q) == 0 || q[0] != 3 || query == nil {
				return
			}
			mySend(c, 1, query)
		}
	})
	db, err := sql.Open("mysql", "app:secret@tcp("+addr+")/shop?timeout=5s")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec("INSERT INTO orders (id, state) VALUES (1, 'paid')")
	return err
}

func mysqlCases(t *testing.T) []labelled {
	const lib = "go-sql-driver/mysql"
	q := func(code uint16, state, msg string) error { return myServer(t, nil, nil, myErr(code, state, msg)) }
	return []labelled{
		{
			lib, "1062 duplicate entry", "wire", q(1062, "23000", "Duplicate entry '1' for key 'orders.PRIMARY'"), business, nil,
			"false", "", "already exists",
		},
		{
			lib, "1213 deadlock", "wire", q(1213, "40001", "Deadlock found when trying to get lock; try restarting transaction"),
			transient, nil, "true", "", "rolled back; docs: restart",
		},
		{
			lib, "1205 lock wait timeout", "wire", q(1205, "HY000", "Lock wait timeout exceeded; try restarting transaction"),
			transient, nil, "true", "", "busy",
		},
		{
			lib, "1406 data too long", "wire", q(1406, "22001", "Data too long for column 'state' at row 1"), validation, nil,
			"false", "", "the value is too long",
		},
		{
			lib, "1146 no such table", "wire", q(1146, "42S02", "Table 'shop.orders' doesn't exist"), transient, nil, "false",
			"", "the schema is the server's own",
		},
		{lib, "1045 access denied", "wire", myServer(t, nil, myErr(1045, "28000", "Access denied for user "+
			"'app'@'127.0.0.1' (using password: YES)"), nil), transient, nil, "false", "", "the login is the server's own"},
		{
			lib, "1040 too many connections", "wire", myServer(t, myErr(1040, "", "Too many connections"), nil, nil), transient,
			nil, "true", "", "connections come free",
		},
		{
			lib, "connection cut after the statement was sent", "wire", myServer(t, nil, nil, nil), transient, nil, "true",
			notNone, "ErrInvalidConn: the driver does not repeat it because it was written",
		},
	}
}

// --- clickhouse-go ---------------------------------------------------------

func chHTTP(t *testing.T, status int, code int, body string) error {
	u := web(t, status, "text/plain; charset=UTF-8", body, "X-ClickHouse-Exception-Code", fmt.Sprint(code))
	conn, err := clickhouse.Open(&clickhouse.Options{
		Protocol: clickhouse.HTTP, Addr: []string{strings.TrimPrefix(u, "http://")},
		Auth: clickhouse.Auth{Database: "default", Username: "app", Password: "x"}, DialTimeout: testutil.Patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), testutil.Patience)
	defer cancel()
	return conn.Exec(ctx, "INSERT INTO hits SELECT 1")
}

func clickhouseCases(t *testing.T) []labelled {
	const lib = "clickhouse-go"
	return []labelled{
		{
			lib, "60 UNKNOWN_TABLE (native)", "constructed",
			&clickhouse.Exception{Code: 60, Name: "DB::Exception", Message: "Table default.hitz does not exist. Maybe you " +
				"meant default.hits?"}, transient, nil, "false", "", "the schema is the server's own; 60 is no HTTP status",
		},
		{
			lib, "497 ACCESS_DENIED (native)", "constructed",
			&clickhouse.Exception{Code: 497, Name: "DB::Exception", Message: "app: Not enough privileges. To execute this " +
				"query, it's necessary to have the grant INSERT(id) ON default.hits"}, transient, nil, "false", "",
			"the rights are the server's own",
		},
		{
			lib, "252 TOO_MANY_PARTS (native)", "constructed",
			fmt.Errorf("insert batch: %w",
				&clickhouse.Exception{Code: 252, Name: "DB::Exception", Message: "Too many parts (300 with average size of 1.20 " +
					"KiB). Merges are processing significantly slower than inserts"}), transient, nil, "true", "",
			"the insert was rejected until merges catch up",
		},
		{lib, "516 AUTHENTICATION_FAILED (HTTP 403)", "wire", chHTTP(t, 403, 516, "Code: 516. DB::Exception: app: "+
			"Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED) "+
			"(version 24.3.2.23 (official build))\n"), permission, nil, "false", "", "authn"},
		{
			lib, "202 TOO_MANY_SIMULTANEOUS_QUERIES (HTTP 500)", "wire", chHTTP(t, 500, 202, "Code: 202. DB::Exception: Too "+
				"many simultaneous queries. Maximum: 100. (TOO_MANY_SIMULTANEOUS_QUERIES) (version 24.3.2.23 (official build))\n"),
			transient, nil, "true", "", "busy",
		},
	}
}

// --- redigo ----------------------------------------------------------------

func redigoDo(t *testing.T, reply string, f func(redis.Conn) error, opts ...redis.DialOption) error {
	addr := listen(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			var n int
			fmt.Sscanf(line, "*%d", &n)
			for i := 0; i < 2*n; i++ {
				if _, err := r.ReadString('\n'); err != nil {
					return
				}
			}
			if reply == "" {
				time.Sleep(2 * time.Second) // a server that never answers
				return
			}
			io.WriteString(c, reply)
		}
	})
	c, err := redis.Dial("tcp", addr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return f(c)
}

func redigoCases(t *testing.T) []labelled {
	const lib = "gomodule/redigo"
	incr := func(c redis.Conn) error { _, err := redis.Int(c.Do("INCR", "stock:7")); return err }
	pool := &redis.Pool{MaxActive: 1, Dial: func() (redis.Conn, error) {
		return redis.Dial("tcp", listen(t, func(c net.Conn) { io.Copy(io.Discard, c) }))
	}}
	held := pool.Get()
	t.Cleanup(func() { held.Close() })
	_, exhausted := pool.Get().Do("GET", "a")
	return []labelled{
		{lib, "WRONGTYPE", "wire", redigoDo(t, "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n",
			incr), validation, or(business), "false", "", "the key is of another type"},
		{
			lib, "NOAUTH", "wire", redigoDo(t, "-NOAUTH Authentication required.\r\n", incr), transient, nil, "false", "",
			"the login is the server's own",
		},
		{
			lib, "LOADING", "wire", redigoDo(t, "-LOADING Redis is loading the dataset in memory\r\n", incr), transient, nil,
			"true", "", "starting up",
		},
		{
			lib, "ErrNil", "wire", redigoDo(t, "$-1\r\n",
				func(c redis.Conn) error { _, err := redis.String(c.Do("GET", "session:9")); return err }), validation, nil, "false",
			"", "not found by key, as sql.ErrNoRows",
		},
		{lib, "pool exhausted", "triggered", exhausted, transient, nil, "true", "", "connections come free"},
		{
			lib, "read timeout after the command was sent", "wire",
			redigoDo(t, "", incr, redis.DialReadTimeout(100*time.Millisecond)), transient, nil, "true", notNone,
			"timeout after sending INCR",
		},
	}
}

// --- meilisearch-go ---------------------------------------------------------

func meiliCases(t *testing.T) []labelled {
	const lib = "meilisearch-go"
	search := func(u string) error {
		_, err := meilisearch.New(u, meilisearch.WithAPIKey("k"), meilisearch.DisableRetries()).Index("movies").
			Search("x", &meilisearch.SearchRequest{Filter: "year"})
		return err
	}
	api := func(status int, msg, code, typ string) error {
		return search(web(t, status, js, fmt.Sprintf(`{"message":%q,"code":%q,"type":%q,`+
			`"link":"https://docs.meilisearch.com/errors#%s"}`, msg, code, typ, code)))
	}
	return []labelled{
		{
			lib, "404 index_not_found", "wire", api(404, "Index `movies` not found.", "index_not_found", "invalid_request"),
			validation, nil, "false", "", "404",
		},
		{
			lib, "403 invalid_api_key", "wire", api(403, "The provided API key is invalid.", "invalid_api_key", "auth"),
			permission, nil, "false", "", "authn",
		},
		{lib, "400 invalid_search_filter", "wire", api(400, "Was expecting an operation `=`, `!=`, `>=`, `>`, `<=`, `<`, "+
			"`IN`, `NOT IN`, `TO`, `EXISTS`, `NOT EXISTS`, or `_geoRadius` at `year`.\n1:5 year", "invalid_search_filter",
			"invalid_request"), validation, nil, "false", "", "400"},
		{
			lib, "503 of a proxy", "wire", search(web(t, 503, html, html503)), transient, nil, "true", notNone,
			"503 to a POST without Retry-After",
		},
		{
			lib, "refused", "triggered", search("http://" + refused(t)), transient, nil, "true", "",
			"connection refused, in OriginError without Unwrap",
		},
	}
}
