//go:build race

package idempotency_test

func init() { raceAllocations = 20 }
