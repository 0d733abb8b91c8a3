// Package redisstore implements a store for package idempotency in Redis 6 or newer, or Valkey;
// the tests use Redis 7.0. It is a separate module, so that the other packages do not depend on a client library.
//
//	// github.com/redis/go-redis/v9
//	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379", MaxRetries: 10, ContextTimeoutEnabled: true})
//	store := &redisstore.Store{Client: client}
//	if err := store.Check(ctx); err != nil {
//		return err
//	}
//	idempotency.AddTool(server, tool, &idempotency.Options{Store: store}, processRefund)
//
// # What can be lost
//
// Redis guarantees less than a SQL database. A repeat is executed if its key is lost:
//
//   - With appendfsync everysec, the default of an append-only file, a machine that crashes loses
//     up to two seconds of claims and answers. Set appendfsync always to lose none. Without the
//     file, everything since the last snapshot is lost, and [Store.Check] returns an error.
//   - A replica that takes over lacks what the primary had not sent yet, even with WAIT.
//   - A server may evict keys. Store.Check returns an error unless maxmemory-policy is noeviction.
//
// Clients of package retry send the age of an attempt that may have taken effect. If the Redis
// server is younger, or less than a minute older, and has no record of the key, the effect is
// unknown; this covers the first case above. If a second execution would be too costly, use package
// sqlstore, or have the service behind the tool take the key too.
//
// # What is stored
//
// A Redis hash for each call holds hashes of principal, tool, key and arguments, and the tool's
// answer; it expires by itself. A sorted set for each principal holds the ids of its calls.
package redisstore
