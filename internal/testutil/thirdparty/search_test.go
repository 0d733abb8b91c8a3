package thirdparty

import (
	"errors"
	"fmt"
	"testing"

	"github.com/allegro/bigcache/v3"
	"github.com/go-zookeeper/zk"
	"github.com/olivere/elastic/v7"
	"github.com/trinodb/trino-go-client/trino"
)

var zookeeperCases = []testCase{
	{"go-zookeeper", "ErrNoNode", "8", value(zk.ErrNoNode), validation, no, 0},
	{"go-zookeeper", "ErrNodeExists", "8", value(zk.ErrNodeExists), business, no, 0},
	{"go-zookeeper", "ErrBadVersion", "8", value(zk.ErrBadVersion), business, no, 0},
	{"go-zookeeper", "ErrNoAuth", "8", value(zk.ErrNoAuth), permission, no, 0},
	{"go-zookeeper", "ErrAuthFailed", "8", value(zk.ErrAuthFailed), permission, no, 0},
	{"go-zookeeper", "ErrNotEmpty", "8", value(zk.ErrNotEmpty), business, no, 0},
	{"go-zookeeper", "ErrConnectionClosed", "8", value(zk.ErrConnectionClosed), transient, yesUnproven, 0},
	{"go-zookeeper", "ErrSessionExpired", "8", value(zk.ErrSessionExpired), transient, bothUnproven, 0},
	{"go-zookeeper", "ErrNoServer", "8", value(zk.ErrNoServer), transient, yes, 0},
	{"go-zookeeper", "ErrInvalidPath", "8", value(zk.ErrInvalidPath), validation, no, 0},
}

var trinoCases = []testCase{
	{
		"trino-go-client", "TABLE_NOT_FOUND", "5",
		selected("TABLE_NOT_FOUND", "USER_ERROR", "line 1:15: Table 'hive.default.x' does not exist"), validation, no, 0,
	},
	{
		"trino-go-client", "SYNTAX_ERROR", "5", selected("SYNTAX_ERROR", "USER_ERROR", "line 1:1: mismatched input 'SELEC'"),
		validation, no, 0,
	},
	{
		"trino-go-client", "PERMISSION_DENIED", "5",
		selected("PERMISSION_DENIED", "USER_ERROR", "Access Denied: Cannot select from table x"), ownDenied, no, 0,
	},
	{
		"trino-go-client", "EXCEEDED_TIME_LIMIT", "5",
		selected("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES", "Query exceeded the maximum execution time limit of 5.00m"),
		or(business, transient, validation), nil, 0,
	},
	{
		"trino-go-client", "QUERY_QUEUE_FULL", "5",
		selected("QUERY_QUEUE_FULL", "INSUFFICIENT_RESOURCES", `Too many queued queries for "global"`), transient, yes, 0,
	},
	{
		"trino-go-client", "SERVER_SHUTTING_DOWN", "5",
		selected("SERVER_SHUTTING_DOWN", "INTERNAL_ERROR", "Server is shutting down"), transient, yesUnproven, 0,
	},
	{
		"trino-go-client", "401", "5", value(&trino.ErrQueryFailed{StatusCode: 401, Reason: errors.New("Unauthorized")}),
		permission, no, 0,
	},
	{
		"trino-go-client", "503", "5",
		value(&trino.ErrQueryFailed{StatusCode: 503, Reason: errors.New("Service Unavailable")}), transient, yesUnproven, 0,
	},
	{"trino-go-client", "ErrQueryCancelled", "8", value(trino.ErrQueryCancelled), transient, no, 0},
}

func selected(name, kind, message string) func(*testing.T) error {
	return value(&trino.ErrQueryFailed{
		StatusCode: 200,
		Reason:     &trino.ErrTrino{ErrorName: name, ErrorType: kind, Message: message},
	})
}

var elasticCases = []testCase{
	{"olivere/elastic", "404", "5", found(404, "index_not_found_exception", "no such index [x]"), validation, no, 0},
	{
		"olivere/elastic", "409", "5", found(409, "version_conflict_engine_exception", "[1]: version conflict"), business, no,
		0,
	},
	{"olivere/elastic", "429", "5", found(429, "es_rejected_execution_exception", "rejected execution of coordinating "+
		"operation"), transient, yes, 0},
	{
		"olivere/elastic", "400", "5", found(400, "parsing_exception", "no [query] registered for [matchh]"), validation, no,
		0,
	},
	{
		"olivere/elastic", "403", "5", found(403, "security_exception", "action [indices:data/write] is unauthorized"),
		permission, no, 0,
	},
	{"olivere/elastic", "ErrNoClient", "8", value(elastic.ErrNoClient), transient, yes, 0},
	{"olivere/elastic", "ErrTimeout", "8", value(fmt.Errorf("search: %w", elastic.ErrTimeout)), transient, yesUnproven, 0},
}

func found(status int, kind, reason string) func(*testing.T) error {
	return value(&elastic.Error{Status: status, Details: &elastic.ErrorDetails{Type: kind, Reason: reason}})
}

var bigcacheCases = []testCase{
	{"bigcache", "ErrEntryNotFound", "8", value(bigcache.ErrEntryNotFound), validation, no, 0},
}
