package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// read_record: two checks that may themselves fail. A policy service decides whether the record may
// be shown, and the archive's signature proves that it was not changed. If there is no decision, or
// the signature does not match, the tool neither shows the record nor claims that it does not
// exist: it fails with an internal error, which is logged as ERROR because an operator has to look.

func addReadRecord(server *mcp.Server, r *registry) {
	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "read_record",
		Description: "Read a personnel record, if policy allows it.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
	}, r.read)
}

type recordIn struct {
	RecordID string `json:"record_id" jsonschema:"the record, such as REC-1"`
}

type recordOut struct {
	Record string `json:"record"`
}

// A registry reads records from an archive, if a policy service allows it.
type registry struct {
	policy, archive *service
	key             ed25519.PublicKey // the archive's
}

var recordID = regexp.MustCompile(`^REC-[0-9]{1,6}$`)

func (r *registry) read(
	ctx context.Context, _ *mcp.CallToolRequest, in recordIn,
) (*mcp.CallToolResult, recordOut, error) {
	if !recordID.MatchString(in.RecordID) {
		return nil, recordOut{}, toolerr.InvalidArgument("record_id", in.RecordID, "a record such as REC-1")
	}
	if err := r.check(ctx, in.RecordID); err != nil {
		return nil, recordOut{}, err
	}
	var signed signedRecord
	if err := r.archive.call(ctx, http.MethodGet, "/records/"+url.PathEscape(in.RecordID), nil, &signed); err != nil {
		return nil, recordOut{}, err
	}
	if !ed25519.Verify(r.key, []byte(in.RecordID+"\n"+signed.Text), signed.Signature) {
		return nil, recordOut{}, unchecked("The signature of the record does not verify.", errSignature)
	}
	return nil, recordOut{Record: signed.Text}, nil
}

var (
	errSignature = errors.New(
		"the signature of a record does not verify: the archive was changed, or answers for another")
	errNoDecision = errors.New("the policy service has answered, and neither allowed nor denied")
)

// check asks the policy service. It fails if the service is down, is slow, or gives no decision.
func (r *registry) check(ctx context.Context, record string) error {
	var decision struct {
		Allowed *bool `json:"allowed"`
	}
	err := r.policy.call(ctx, http.MethodGet, "/may?record="+url.QueryEscape(record), nil, &decision)
	if err == nil && decision.Allowed == nil {
		err = errNoDecision
	}
	switch {
	case err != nil:
		return unchecked("The policy check failed.", err)
	case !*decision.Allowed:
		return toolerr.Permission(fmt.Sprintf("Policy does not allow record %s to be shown.", record)).
			WithCode(toolerr.CodePermissionDenied)
	}
	return nil
}

// unchecked returns the failure for a check that failed. It shows nothing of the record, and
// suggests no retry.
func unchecked(why string, cause error) error {
	return toolerr.Internal(cause).WithMessage(why + " Nothing is shown; the record may or may not exist.").
		WithEffect(toolerr.EffectNone).
		WithHint("Do not try another way to the record. Tell the user that the check failed.")
}
