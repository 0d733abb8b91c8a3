// Package sqlstore tests package result/idempotency/sqlstore with its databases and their
// drivers, which the library's module does not require.
package sqlstore
