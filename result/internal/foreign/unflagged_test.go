package foreign_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

// A statement that nothing was found may have a heading and advice. Text with data, a
// quoted statement, and a check without findings are data.
func TestSuccess_EmptyTexts(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{
		"没有查询到相关车次信息":                                         "empty",
		"# 大宗交易 20251001\n\n❌ 暂无大宗交易记录":                       "empty",
		"暂无法查询大宗交易记录":                                         "data",
		"没有接口访问权限":                                            "data",
		"# 600519\n\n收盘价: 1432.10\n\n暂无公告":                    "data",
		"商品が見つかりませんでした。":                                      "empty",
		"この操作を行う権限がありません。":                                    "data",
		"「該当するデータがありません」は英語で「No data found」です。":               "data",
		"총 0건의 판례를 찾았습니다.":                                    "empty",
		"조회 권한이 없습니다.":                                        "data",
		"**Gefunden: 0 Treffer** (Seite 1 von 0)":             "empty",
		"Gefunden: 3 Treffer, 0 davon neu":                    "data",
		"Es liegen keine Daten vor. Höchstwert: 24 °C":        "data",
		"Keine Berechtigung vorhanden":                        "data",
		"📦 Aucun dataset stocké en mémoire.\n\nUtilisez `x`.": "empty",
		"Aucune anomalie trouvée sur les 42 fichiers.":        "data",
		"No se encontraron departamentos que digan 'error'.":  "empty",
		"No hay lluvia prevista hoy.":                         "data",
		"Nenhum processo encontrado para 'tempo limite'.":     "empty",
		"Nessun risultato":                                    "empty",
		"Найдено сделок: 0":                                   "empty",
		"Ошибок: 0":                                           "data",
		"Нет доступа к данным":                                "data",
		"Eşleşen ürün bulunamadı.":                            "empty",
		"Results: 0":                                          "empty",
		"Errors found: 0":                                     "data",
		"# Issue 81\n\nThe page has 3 notes: No results.":     "data",
		"No alerts found\n- cpu: 95 %":                        "data",
	} {
		assert.Equal(t, want, kindOf(sample), sample)
	}
}

func TestSuccess_EmptyBlocks(t *testing.T) {
	t.Parallel()
	_, empty := foreign.Success(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Found 0 faces:"}, &mcp.ImageContent{}}})
	assert.False(t, empty)
	blocks := []mcp.Content{&mcp.TextContent{Text: "Orders:"}, &mcp.TextContent{Text: "a table"}}
	_, empty = foreign.Success(&mcp.CallToolResult{Content: blocks, StructuredContent: map[string]any{"orders": []any{}}})
	assert.True(t, empty, "structured content")
}

// Items with an error instead of their data make a result partial. Records that have errors
// as data do not.
func TestSuccess_FailedItems(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{
		`[{"id":"a","name":"x"},{"instance_id":"b","error":"404"}]`:                                      "partial 1 of 2",
		`{"at":"x","indicadores":[{"codigo":1,"valor":2},{"codigo":3,"erro":"Falha"}]}`:                  "partial 1 of 2",
		`{"id":"a","files":{"guide":[{"name":"a","size":1}],"form":[{"name":"b","error":"not saved"}]}}`: "partial 1 of 2",
		`{"status":"partial_success","order":"81"}`:                                                      "data",
		`{"jobs":[{"id":1,"state":"done"},{"id":2,"error":"exit 1"}]}`:                                   "data",
		`[{"level":"info","msg":"ok"},{"level":"error","error":"x"}]`:                                    "data",
		`{"files":[{"path":"a","lines":10},{"path":"b","lines":4,"error":"syntax error"}]}`:              "data",
		`[{"path":"a","lines":[1,2]},{"path":"b","lines":[3],"error":"syntax error"}]`:                   "data",
		`{"rows":[{"id":1,"error":"a"},{"id":2,"error":"b"}]}`:                                           "data",
		"# Kurse\n\nABC 12.10\n\n❌ Fehler beim Abruf von XYZ: Zeitüberschreitung":                        "data",
		"# CI\n\n✅ build\n\n❌ failed to fetch deps: timeout":                                             "data",
		`{"ok":true,"error":"none"}`:                                                                     "data",
		`{"success":true,"error":"log cleared","code":"E1"}`:                                             "data",
	} {
		assert.Equal(t, want, kindOf(sample), sample)
	}
}
