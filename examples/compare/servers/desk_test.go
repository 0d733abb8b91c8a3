package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The desk fails in the ways in which the servers are compared.
func TestDesk(t *testing.T) {
	t.Parallel()
	d, stop, err := openDesk()
	require.NoError(t, err)
	t.Cleanup(stop)
	order := orderIn{Order: "ORD-7"}

	_, err = d.invoice(t.Context(), order)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, password)

	_, err = d.note(t.Context(), order)
	require.ErrorContains(t, err, password)

	_, err = d.parcel(t.Context(), order)
	var status *statusError
	require.ErrorAs(t, err, &status)
	assert.Equal(t, "the carrier answered 429 Too Many Requests, Retry-After: 7", err.Error())

	_, err = d.courier(t.Context(), order)
	require.ErrorIs(t, err, io.EOF)
	assert.NotContains(t, err.Error(), "127.0.0.1", "no port gets into the texts")

	_, err = d.refund(t.Context(), refundIn{Order: "ORD-7", Amount: 650})
	var limit *limitError
	require.ErrorAs(t, err, &limit)
	out, err := d.refund(t.Context(), refundIn{Order: "ORD-7", Amount: 500})
	require.NoError(t, err)
	assert.Equal(t, "REF-1", out.Refund)

	assert.Panics(t, func() { _, _ = d.label(t.Context(), order) })
}
