package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A desk is the code that all servers share. It does not use MCP, and returns Go errors.
type desk struct {
	client *http.Client // reaches the upstreams
	trace  string       // at the end of the unforeseen error
}

// password is the secret. It is part of a connection string; drivers put those into their errors.
const (
	password = "hunter2"
	ledger   = "postgres://desk:" + password + "@10.0.3.7:5432/ledger"
)

type searchIn struct {
	Customer string `json:"customer" jsonschema:"the customer's number"`
	Status   string `json:"status" jsonschema:"which orders"`
}

type searchOut struct {
	Orders []string `json:"orders"`
}

func (d *desk) search(_ context.Context, in searchIn) (searchOut, error) {
	var out searchOut
	if in.Customer == "CUS-2" && in.Status == "open" {
		out.Orders = append(out.Orders, "ORD-7")
	}
	return out, nil
}

type orderIn struct {
	Order string `json:"order" jsonschema:"the order's number"`
}

type invoiceOut struct {
	Total float64 `json:"total"`
}

// invoice simulates a query to a database that does not answer in time.
func (d *desk) invoice(ctx context.Context, _ orderIn) (invoiceOut, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	<-ctx.Done()
	return invoiceOut{}, fmt.Errorf("query %s: %w", ledger, ctx.Err())
}

type noteOut struct {
	Notes int `json:"notes"`
}

// note fails with an unexpected error.
func (d *desk) note(context.Context, orderIn) (noteOut, error) {
	return noteOut{}, errors.New("dial " + ledger + ": server closed the connection in state 3" + d.trace)
}

// A statusError is an upstream's rejection.
type statusError struct {
	Response *http.Response
}

// Error returns the status, and the wait if the upstream asks for one.
func (e *statusError) Error() string {
	text := "the carrier answered " + e.Response.Status
	if after := e.Response.Header.Get("Retry-After"); after != "" {
		text += ", Retry-After: " + after
	}
	return text
}

type parcelOut struct {
	Place string `json:"place"`
}

// parcel calls an upstream that throttles it.
func (d *desk) parcel(ctx context.Context, in orderIn) (parcelOut, error) {
	return parcelOut{}, d.do(ctx, http.MethodGet, "http://carrier.internal/parcels?order="+url.QueryEscape(in.Order))
}

type courierOut struct {
	Booking string `json:"booking"`
}

// courier makes a booking, and loses the connection before the answer arrives.
func (d *desk) courier(ctx context.Context, in orderIn) (courierOut, error) {
	return courierOut{}, d.do(ctx, http.MethodPost, "http://carrier.internal/bookings?order="+url.QueryEscape(in.Order))
}

func (d *desk) do(ctx context.Context, method, url string) error {
	req, err := http.NewRequestWithContext(ctx, method, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return err
	}
	_ = resp.Body.Close()
	if resp.StatusCode >= http.StatusBadRequest {
		return &statusError{Response: resp}
	}
	return nil
}

type refundIn struct {
	Order  string  `json:"order" jsonschema:"the order's number"`
	Amount float64 `json:"amount" jsonschema:"how much, in dollars"`
}

type refundOut struct {
	Refund string `json:"refund"`
}

// A limitError rejects a refund that is too large.
type limitError struct {
	Amount, Limit float64
}

// Error returns the amount and the limit.
func (e *limitError) Error() string {
	return fmt.Sprintf("a refund of $%.2f exceeds the limit of $%.2f", e.Amount, e.Limit)
}

func (d *desk) refund(_ context.Context, in refundIn) (refundOut, error) {
	if limit := 500.0; in.Amount > limit {
		return refundOut{}, &limitError{Amount: in.Amount, Limit: limit}
	}
	return refundOut{Refund: "REF-1"}, nil
}

type labelOut struct {
	Label string `json:"label"`
}

// label panics because of a bug.
func (d *desk) label(_ context.Context, in orderIn) (labelOut, error) {
	return labelOut{Label: strings.Split(in.Order, "-")[2]}, nil
}
