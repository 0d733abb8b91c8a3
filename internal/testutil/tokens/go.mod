module github.com/mcp-toolerr/toolerr-go/internal/testutil/tokens

go 1.26.4

require (
	github.com/pkoukk/tiktoken-go v0.1.8
	github.com/pkoukk/tiktoken-go-loader v0.0.2
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/dlclark/regexp2 v1.10.0 // indirect
	github.com/google/uuid v1.3.0 // indirect
	github.com/mcp-toolerr/toolerr-go v0.0.0
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/mcp-toolerr/toolerr-go => ../../..
