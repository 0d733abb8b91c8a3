package main

import (
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// statuses lists the statuses that an order can have.
var statuses = []string{"open", "shipped", "returned"}

// The functions that return the tools, which all servers on the go-sdk declare alike.
func searchTool() *mcp.Tool {
	in := schemaOf[searchIn]()
	for _, s := range statuses {
		in.Properties["status"].Enum = append(in.Properties["status"].Enum, s)
	}
	return &mcp.Tool{
		Name: "search_orders", Description: "Find a customer's orders.", InputSchema: in,
		Annotations: readOnly(),
	}
}

func invoiceTool() *mcp.Tool {
	return &mcp.Tool{Name: "read_invoice", Description: "Read an order's invoice.", Annotations: readOnly()}
}

func parcelTool() *mcp.Tool {
	return &mcp.Tool{Name: "track_parcel", Description: "Say where an order's parcel is.", Annotations: readOnly()}
}

func courierTool() *mcp.Tool {
	return &mcp.Tool{Name: "book_courier", Description: "Book a courier for an order.", Annotations: adds()}
}

func refundTool() *mcp.Tool {
	return &mcp.Tool{Name: "refund", Description: "Refund an amount of an order.", Annotations: adds()}
}

func noteTool() *mcp.Tool {
	return &mcp.Tool{Name: "add_note", Description: "Add a note to an order.", Annotations: adds()}
}

func labelTool() *mcp.Tool {
	return &mcp.Tool{Name: "print_label", Description: "Print an order's label.", Annotations: readOnly()}
}

func reportTool() *mcp.Tool {
	return &mcp.Tool{
		Name: "day_report", Description: "Report on the day.", Annotations: readOnly(),
		InputSchema: &jsonschema.Schema{Type: "object"},
	}
}

func readOnly() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{ReadOnlyHint: true}
}

// adds returns the annotations of a tool that adds something with each call, so a repeat adds it
// again.
func adds() *mcp.ToolAnnotations {
	no := false
	return &mcp.ToolAnnotations{DestructiveHint: &no}
}

func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // the types are fixed
	}
	return schema
}
