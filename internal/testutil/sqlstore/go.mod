module github.com/mcp-toolerr/toolerr-go/internal/testutil/sqlstore

go 1.25.0

replace (
	github.com/mcp-toolerr/toolerr-go => ../../..
	github.com/mcp-toolerr/toolerr-go/result/idempotency/redisstore => ../../../result/idempotency/redisstore
	github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore => ../../../result/idempotency/sqlstore
	github.com/mcp-toolerr/toolerr-go/result/resulttest => ../../../result/resulttest
	github.com/mcp-toolerr/toolerr-go/result/servertest => ../../../result/servertest
)

require (
	github.com/go-sql-driver/mysql v1.10.1
	github.com/jackc/pgx/v5 v5.12.0
	github.com/mcp-toolerr/toolerr-go v0.0.0
	github.com/mcp-toolerr/toolerr-go/result/idempotency/redisstore v0.0.0-00010101000000-000000000000
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/redis/go-redis/v9 v9.22.0
	github.com/stretchr/testify v1.12.1
	modernc.org/sqlite v1.59.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore v0.0.0-00010101000000-000000000000
	github.com/mcp-toolerr/toolerr-go/result/resulttest v0.0.0
	github.com/mcp-toolerr/toolerr-go/result/servertest v0.0.0 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.uber.org/atomic v1.11.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	modernc.org/libc v1.75.7 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)
