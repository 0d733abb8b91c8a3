// Package sqlstore tests package result/idempotency/sqlstore with the drivers and the
// databases that it is for, which the module of the library does not require.
package sqlstore
