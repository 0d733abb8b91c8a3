package reports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/segmentio/kafka-go"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func wire(err error, annotations *mcp.ToolAnnotations) string {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	s.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(io.Discard,
		nil))}))
	result.AddTool(s, &mcp.Tool{Name: "import_orders", Annotations: annotations},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, struct{}, error) {
			return nil, struct{}{}, err
		})
	a, b := mcp.NewInMemoryTransports()
	if _, err := s.Connect(context.Background(), a, nil); err != nil {
		return err.Error()
	}
	sn, e := mcp.NewClient(&mcp.Implementation{Name: "a", Version: "1"}, nil).Connect(context.Background(), b, nil)
	if e != nil {
		return e.Error()
	}
	defer func() { _ = sn.Close() }()
	res, e := sn.CallTool(context.Background(), &mcp.CallToolParams{Name: "import_orders", Arguments: map[string]any{}})
	if e != nil {
		return e.Error()
	}
	t, _ := res.Content[0].(*mcp.TextContent)
	return t.Text
}

func TestR20(t *testing.T) {
	duplicate := mongo.WriteError{
		Code:    11000,
		Message: "E11000 duplicate key error collection: shop.orders index: _id_ dup key: { _id: 3 }",
	}
	at := func(i int) mongo.WriteError { d := duplicate; d.Index = i; return d }
	bulk := func(errs ...mongo.WriteError) mongo.BulkWriteException {
		e := mongo.BulkWriteException{}
		for _, w := range errs {
			e.WriteErrors = append(e.WriteErrors, mongo.BulkWriteError{WriteError: w})
		}
		return e
	}
	for _, k := range []struct {
		name string
		err  error
	}{
		{"InsertMany, ordered, stopped at the third", bulk(at(2))},
		{"InsertMany, unordered, two of five", bulk(at(1), at(3))},
		{"the same, wrapped", fmt.Errorf("import: %w", bulk(at(2)))},
		{"the same by Wrap", toolerr.Wrap(bulk(at(2)), "The import stopped.")},
		{"the same, joined", errors.Join(errors.New("import stopped"), bulk(at(2)))},
		{
			"a document that the validator refused",
			bulk(mongo.WriteError{Index: 2, Code: 121, Message: "Document failed validation"}),
		},
		{"a bulk write over its time", bulk(mongo.WriteError{Index: 2, Code: 50, Message: "operation exceeded time limit"})},
		{
			"written, but not by the majority",
			mongo.WriteException{WriteConcernError: &mongo.WriteConcernError{
				Code: 64, Name: "WriteConcernFailed",
				Message: "waiting for replication timed out",
			}},
		},
		{"the same of a bulk write", mongo.BulkWriteException{WriteConcernError: &mongo.WriteConcernError{
			Code: 64,
			Name: "WriteConcernFailed", Message: "waiting for replication timed out",
		}}},
		{"a client's bulk write", mongo.ClientBulkWriteException{
			WriteErrors:   map[int]mongo.WriteError{2: at(2)},
			PartialResult: &mongo.ClientBulkWriteResult{InsertedCount: 2},
		}},
		{"Kafka: one of two messages was written", kafka.WriteErrors{nil, kafka.MessageSizeTooLarge}},
		{
			"Kafka: two of three, wrapped",
			fmt.Errorf("publish: %w", kafka.WriteErrors{nil, kafka.TopicAuthorizationFailed, nil}),
		},
	} {
		e := toolerr.From(k.err)
		check("R20/"+k.name+": From does not say none", e.Effect != toolerr.EffectNone && !e.Retryable, "unknown or applied",
			string(e.AppendJSON(nil)))
		for name, a := range map[string]*mcp.ToolAnnotations{
			"unannotated": nil,
			"destructive": {DestructiveHint: new(bool)},
		} {
			w := wire(k.err, a)
			var m map[string]any
			_ = json.Unmarshal([]byte(w), &m)
			check("R20/"+k.name+", "+name+": the wire does not say none", m["effect"] != "none" && m["effect"] != nil &&
				m["isRetryable"] == false, "unknown or applied", w)
		}
	}
	e := toolerr.From(mongo.WriteException{WriteErrors: []mongo.WriteError{at(0)}})
	check("R20/InsertOne of a duplicate: already exists, none (control)", e.Category == toolerr.CategoryBusiness &&
		e.Effect == toolerr.EffectNone && !e.Retryable, "business, none", string(e.AppendJSON(nil)))
	e = toolerr.From(kafka.MessageSizeTooLarge)
	check("R20/Kafka: one message, refused: none (control)", e.Effect == toolerr.EffectNone && !e.Retryable, "none",
		string(e.AppendJSON(nil)))
}
