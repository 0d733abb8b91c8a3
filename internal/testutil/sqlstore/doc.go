// Package sqlstore tests package result/idempotency/sqlstore with real databases and their drivers,
// which the library's module does not require.
package sqlstore
