package thirdparty

import (
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
	"github.com/emersion/go-imap/v2"
	"github.com/hashicorp/raft"
)

var imapCases = []testCase{
	{
		"go-imap", "AUTHENTICATIONFAILED", "5", mailbox("AUTHENTICATIONFAILED", "Invalid credentials (Failure)"), permission,
		no, 0,
	},
	{"go-imap", "NONEXISTENT", "5", mailbox("NONEXISTENT", "No such mailbox"), validation, no, 0},
	{"go-imap", "ALREADYEXISTS", "5", mailbox("ALREADYEXISTS", "Mailbox exists"), business, no, 0},
	{"go-imap", "OVERQUOTA", "5", mailbox("OVERQUOTA", "Sorry"), business, no, 0},
	{"go-imap", "NOPERM", "5", mailbox("NOPERM", "Access denied"), permission, no, 0},
	{"go-imap", "INUSE", "5", mailbox("INUSE", "Mailbox in use"), or(business, transient), nil, 0},
	{"go-imap", "UNAVAILABLE", "5", mailbox("UNAVAILABLE", "User's backend is down for maintenance"), transient, yes, 0},
	{
		"go-imap", "LIMIT", "5", mailbox("LIMIT", "At most 32 flags in one mailbox supported"),
		or(business, validation, transient), no, 0,
	},
	{"go-imap", "SERVERBUG", "5", mailbox("SERVERBUG", "oops"), transient, no, 0},
	{
		"go-imap", "BAD", "5", value(&imap.Error{Type: imap.StatusResponseTypeBad, Text: "Unknown command"}), validation, no,
		0,
	},
}

func mailbox(code imap.ResponseCode, text string) func(*testing.T) error {
	return value(&imap.Error{Type: imap.StatusResponseTypeNo, Code: code, Text: text})
}

var mqttCases = []testCase{
	{"paho.mqtt", "bad credentials", "8", value(packets.ErrorRefusedBadUsernameOrPassword), permission, no, 0},
	{"paho.mqtt", "not authorised", "8", value(packets.ErrorRefusedNotAuthorised), permission, no, 0},
	{"paho.mqtt", "server unavailable", "8", value(packets.ErrorRefusedServerUnavailable), transient, yes, 0},
	{"paho.mqtt", "network error", "1", func(t *testing.T) error {
		client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + refused(t)).SetConnectRetry(false))
		token := client.Connect()
		token.Wait()
		return token.Error()
	}, transient, yes, 0},
	{"paho.mqtt", "ErrNotConnected", "8", value(mqtt.ErrNotConnected), or(transient, business), nil, 0},
	{"paho.mqtt", "ErrInvalidQos", "8", value(mqtt.ErrInvalidQos), validation, no, 0},
}

var raftCases = []testCase{
	{"hashicorp/raft", "ErrNotLeader", "8", value(raft.ErrNotLeader), or(transient, business), nil, 0},
	{"hashicorp/raft", "ErrLeadershipLost", "8", value(raft.ErrLeadershipLost), transient, bothUnproven, 0},
	{"hashicorp/raft", "ErrEnqueueTimeout", "8", value(raft.ErrEnqueueTimeout), transient, yes, 0},
	{"hashicorp/raft", "ErrRaftShutdown", "8", value(raft.ErrRaftShutdown), or(transient, business), no, 0},
	{"hashicorp/raft", "ErrCantBootstrap", "8", value(raft.ErrCantBootstrap), business, no, 0},
	{"hashicorp/raft", "ErrLogNotFound", "8", value(raft.ErrLogNotFound), validation, no, 0},
}
