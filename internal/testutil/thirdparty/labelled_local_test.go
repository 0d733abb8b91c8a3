package thirdparty

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/afex/hystrix-go/hystrix"
	"github.com/dop251/goja"
	"github.com/pdfcpu/pdfcpu/pkg/api"
	pdfmodel "github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

func gojaCases(t *testing.T) []labelled {
	const lib = "dop251/goja"
	_, syntax := goja.New().RunString("let total = ;")
	_, ref := goja.New().RunString("order.items.length")
	vm := goja.New()
	time.AfterFunc(30*time.Millisecond, func() { vm.Interrupt("execution timeout") })
	_, loop := vm.RunString("for(;;){}")
	return []labelled{
		{lib, "syntax error", "triggered", syntax, transient, or(validation), "false", "", "bare parse errors"},
		{lib, "ReferenceError", "triggered", ref, transient, or(validation), "false", "", "the script is wrong"},
		{
			lib, "interrupted", "triggered", loop, transient, nil, "either", notNone,
			"stopped half way; the same script may run as long again",
		},
	}
}

func hystrixCases(t *testing.T) []labelled {
	const lib = "hystrix-go"
	hystrix.ConfigureCommand("open", hystrix.CommandConfig{RequestVolumeThreshold: 1, ErrorPercentThreshold: 1})
	var open error
	for !errors.Is(open, hystrix.ErrCircuitOpen) {
		open = hystrix.Do("open", func() error { return errors.New("HTTP 500") }, nil)
		time.Sleep(10 * time.Millisecond) // the breaker counts in a goroutine
	}
	hold := make(chan struct{})
	hystrix.ConfigureCommand("slow", hystrix.CommandConfig{Timeout: 20})
	slow := hystrix.Do("slow", func() error { <-hold; return nil }, nil)
	hystrix.ConfigureCommand("full", hystrix.CommandConfig{
		// it never opens
		MaxConcurrentRequests: 1, Timeout: int(testutil.Patience.Milliseconds()), RequestVolumeThreshold: math.MaxInt32,
	})
	started := make(chan struct{})
	hystrix.Go("full", func() error { close(started); <-hold; return nil }, nil)
	<-started
	full := hystrix.Do("full", func() error { return nil }, nil)
	close(hold)
	return []labelled{
		{
			lib, "circuit open", "triggered", fmt.Errorf("inventory: %w", open), transient, nil, "true", "",
			"closes again by itself; nothing was sent",
		},
		{lib, "timeout", "triggered", slow, transient, nil, "true", notNone, "the command still runs in its goroutine"},
		{lib, "max concurrency", "triggered", full, transient, nil, "true", "", "busy; nothing was sent"},
	}
}

const tinyPDF = "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count " +
	"1>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<<>>>>\nendobj\n"

func pdf() []byte {
	b := bytes.NewBufferString(tinyPDF)
	off := []int{}
	for i := 1; i <= 3; i++ {
		off = append(off, bytes.Index(b.Bytes(), []byte(fmt.Sprintf("%d 0 obj", i))))
	}
	x := b.Len()
	b.WriteString("xref\n0 4\n0000000000 65535 f \n")
	for _, o := range off {
		fmt.Fprintf(b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(b, "trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", x)
	return b.Bytes()
}

func pdfcpuCases(t *testing.T) []labelled {
	const lib = "pdfcpu"
	api.DisableConfigDir()
	garbage := api.Validate(bytes.NewReader([]byte("PK\x03\x04 this is a zip, not a PDF, and long enough to be looked "+
		"at by a reader of trailers")), pdfmodel.NewDefaultConfiguration())
	conf := pdfmodel.NewAESConfiguration("user", "owner", 256)
	var enc bytes.Buffer
	if err := api.Encrypt(bytes.NewReader(pdf()), &enc, conf); err != nil {
		t.Fatal(err)
	}
	locked := api.Validate(bytes.NewReader(enc.Bytes()), pdfmodel.NewDefaultConfiguration())
	_, pages := api.ParsePageSelection("two-five")
	return []labelled{
		{lib, "not a PDF", "triggered", garbage, transient, or(validation), "false", "", "bare parse errors"},
		{
			lib, "wrong password", "triggered", locked, permission, or(validation, transient), "false", "",
			"text only: please provide the correct password",
		},
		{lib, "page selection", "triggered", pages, transient, or(validation), "false", "", "bare parse errors"},
	}
}
