package thirdparty

import (
	"strings"
	"testing"
	"time"

	burntsushi "github.com/BurntSushi/toml"
	"github.com/klauspost/compress/zstd"
	"github.com/lestrrat-go/jwx/v2/jwt"
	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"
)

var pflagCases = []testCase{
	{"spf13/pflag", "unknown flag", "7b", parseFlags("--zz"), or(transient, validation), no, 0},
	{"spf13/pflag", "needs an argument", "7b", parseFlags("--n"), or(transient, validation), no, 0},
	{"spf13/pflag", "invalid value", "2", parseFlags("--n=abc"), or(transient, validation), no, 0},
}

func parseFlags(arguments ...string) func(*testing.T) error {
	return func(*testing.T) error {
		flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
		flags.SetOutput(new(strings.Builder))
		flags.Int("n", 0, "")
		return flags.Parse(arguments)
	}
}

type document struct{ A int }

var burntSushiCases = []testCase{
	{"BurntSushi/toml", "syntax", "7b", func(*testing.T) error {
		_, err := burntsushi.Decode("a = ", new(document))
		return err
	}, or(transient, validation), no, 0},
	{"BurntSushi/toml", "type", "8", func(*testing.T) error {
		_, err := burntsushi.Decode("A = 'x'", new(document))
		return err
	}, or(transient, validation), no, 0},
}

var pelletierCases = []testCase{
	{"pelletier/go-toml", "syntax", "7b", func(*testing.T) error {
		return toml.Unmarshal([]byte("a = = 1"), new(document))
	}, or(transient, validation), no, 0},
	{"pelletier/go-toml", "unknown field", "7b", func(*testing.T) error {
		return toml.NewDecoder(strings.NewReader("b = 1")).DisallowUnknownFields().Decode(new(document))
	}, or(transient, validation), no, 0},
}

var zstdCases = []testCase{
	{"klauspost/zstd", "magic", "8", func(*testing.T) error {
		decoder, _ := zstd.NewReader(nil)
		_, err := decoder.DecodeAll([]byte("not compressed"), nil)
		return err
	}, or(transient, validation), no, 0},
	{"klauspost/zstd", "too large", "8", value(zstd.ErrDecoderSizeExceeded), or(transient, validation), no, 0},
}

var jwxCases = []testCase{
	{"lestrrat-go/jwx", "expired", "7b", token(func(b *jwt.Builder) { b.Expiration(time.Unix(1, 0)) }), permission, no, 0},
	{
		"lestrrat-go/jwx", "not yet valid", "7b", token(func(b *jwt.Builder) { b.NotBefore(time.Now().Add(time.Hour)) }),
		permission, no, 0,
	},
	{
		"lestrrat-go/jwx", "missing claim", "7b", token(func(*jwt.Builder) {}, jwt.WithRequiredClaim("sub")),
		or(permission, validation), no, 0,
	},
	{"lestrrat-go/jwx", "parse", "8", func(*testing.T) error {
		_, err := jwt.ParseString("x")
		return err
	}, or(permission, validation, transient), no, 0},
}

func token(build func(*jwt.Builder), options ...jwt.ValidateOption) func(*testing.T) error {
	return func(t *testing.T) error {
		builder := jwt.NewBuilder()
		build(builder)
		made, err := builder.Build()
		must(t, err)
		return jwt.Validate(made, options...)
	}
}
