package thirdparty

import (
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

var discordCases = []testCase{
	{
		"discordgo", "403 missing permissions", "5", discord(403, `{"message":"Missing Permissions","code":50013}`),
		permission, no, 0,
	},
	{
		"discordgo", "404 unknown channel", "5", discord(404, `{"message":"Unknown Channel","code":10003}`), validation, no,
		0,
	},
	{
		"discordgo", "400 invalid form body", "5", discord(400, `{"message":"Invalid Form Body","code":50035}`), validation,
		no, 0,
	},
	{"discordgo", "429 RateLimitError", "7b", discord(429, `{"message":"You are being rate limited.","retry_after":2.5,`+
		`"global":false}`), transient, yes, 2500 * time.Millisecond},
	{"discordgo", "401", "5", discord(401, `{"message":"401: Unauthorized","code":0}`), permission, no, 0},
}

func discord(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		session, err := discordgo.New("Bot " + secret)
		must(t, err)
		session.ShouldRetryOnRateLimit = false
		_, err = session.Request("GET", answer(t, status, nil, body), nil, discordgo.WithContext(t.Context()))
		return err
	}
}

var telegramCases = []testCase{
	{"telegram-bot-api", "429 retry_after", "5", telegram(429, `{"ok":false,"error_code":429,"description":"Too Many `+
		`Requests: retry after 14","parameters":{"retry_after":14}}`), transient, yes, 14 * time.Second},
	{
		"telegram-bot-api", "401", "5", telegram(401, `{"ok":false,"error_code":401,"description":"Unauthorized"}`),
		permission, no, 0,
	},
	{
		"telegram-bot-api", "400 chat not found", "5",
		telegram(400, `{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}`), validation, no, 0,
	},
	{"telegram-bot-api", "403 blocked by the user", "5", telegram(403, `{"ok":false,"error_code":403,`+
		`"description":"Forbidden: bot was blocked by the user"}`), permission, no, 0},
}

// telegram fails at the getMe call that every bot begins with.
func telegram(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		_, err := tgbotapi.NewBotAPIWithAPIEndpoint(secret, answer(t, status, nil, body)+"/bot%s/%s")
		return err
	}
}
