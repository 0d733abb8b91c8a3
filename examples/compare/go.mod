module github.com/mcp-toolerr/toolerr-go/examples/compare

go 1.25.5

replace (
	github.com/mcp-toolerr/toolerr-go => ../..
	github.com/mcp-toolerr/toolerr-go/result/servertest => ../../result/servertest
)

require (
	github.com/avast/retry-go/v5 v5.1.1
	github.com/cenkalti/backoff/v7 v7.0.3
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/google/jsonschema-go v0.4.3
	github.com/hashicorp/go-retryablehttp v0.7.8
	github.com/mark3labs/mcp-go v1.2.1
	github.com/mcp-toolerr/toolerr-go v0.0.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/sethvargo/go-retry v0.5.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/mcp-toolerr/toolerr-go/result/servertest v0.0.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/spf13/cast v1.7.1 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
	golang.org/x/text v0.17.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)
