package codes

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// FromText classifies a well-known sentinel of a library by its whole text.
func FromText(text string) class.Class { return sentinels()[text] }

// FromLibraryText classifies the text of a library's error: a sentinel, or an error from Redis,
// which begins with a code.
func FromLibraryText(pkg, text string) class.Class {
	if c := FromText(text); c != class.Unknown {
		return c
	}
	if strings.Contains(pkg, "redis") || strings.Contains(pkg, "valkey") {
		code, _, _ := strings.Cut(text, " ")
		for _, row := range tables()["redis"] {
			if has([]string{code}, row.codes) {
				return row.class
			}
		}
	}
	return class.Unknown
}

// FromMessage classifies a gRPC message that is more specific than its code: a sentinel of etcd, or
// gRPC's size limit, whose code is that of a rate limit.
func FromMessage(text string) class.Class {
	for _, start := range []string{
		"grpc: received message larger than max", "grpc: trying to send message larger than max",
		"grpc: received message after decompression larger than max",
	} {
		if strings.HasPrefix(text, start) {
			return class.OutOfRange
		}
	}
	if strings.HasPrefix(text, "etcdserver: ") {
		return FromText(text)
	}
	return class.Unknown
}

// sentinelTable has a class and a text in each line.
//
//go:embed sentinels.tsv
var sentinelTable string

var sentinels = sync.OnceValue(func() map[string]class.Class {
	m := map[string]class.Class{}
	for c, text := range rows(sentinelTable) {
		m[text] = c
	}
	return m
})
