//nolint:misspell // it is in ten languages
package foreign

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// partialAtEnd reads a text whose last line reports that a part of it could not be fetched,
// or that it is incomplete, or returns nil. Logs, pages and lists of checks may end in
// errors too. Therefore the line must be separate, marked, and about fetching.
func partialAtEnd(text string) *toolerr.Partial {
	const longest = 500 // bytes of such a line. Chosen: a sentence, and a service's message
	text = strings.TrimSpace(text)
	i := strings.LastIndexByte(text, '\n')
	if i < 0 || len(text)-i > longest || strings.ContainsAny(text[:min(i, maxShort)], "✅✔✓") {
		return nil
	}
	head, line := text[:i], text[i+1:]
	before := strings.TrimRight(head, " \t\r\n")
	parts, above := len(before) < len(head)-1 || strings.HasSuffix(head, "\n"), before[strings.LastIndexByte(before, '\n')+1:]
	marked := strings.TrimLeft(line, "*_ ")
	switch {
	case strings.Count(before, "\n") < 1 || strings.ContainsAny(before, "✅✔✓❌"):
		return nil
	case strings.HasPrefix(marked, "❌"):
		label, _, ok := strings.Cut(strings.ReplaceAll(marked, "：", ":"), ":")
		if ok && (parts || strings.HasPrefix(above, "#")) && hasStem(strings.ToLower(label), fetchStems) {
			return new(toolerr.Partial)
		}
	case strings.HasPrefix(marked, "⚠"):
		if folded := strings.ToLower(marked); parts || isRule(above) {
			if hasStem(folded, partialStems) && hasStem(folded, brokenStems) {
				return new(toolerr.Partial)
			}
		}
	case parts && failsToFetch(line) && (isRule(above) || hasURLLine(before)):
		return new(toolerr.Partial)
	}
	return nil
}

// failsToFetch reports whether a line states that a URL could not be fetched, and why.
func failsToFetch(line string) bool {
	for _, start := range []string{"Error fetching http", "Failed to fetch http", "Error retrieving http", "Failed to retrieve http", "Error loading http", "Failed to load http"} {
		if strings.HasPrefix(line, start) {
			return strings.Contains(line[len(start):], ": ")
		}
	}
	return false
}

// hasURLLine reports whether a text has a line with a label and a URL, as fetched documents
// have.
func hasURLLine(text string) bool {
	for line := range strings.Lines(text) {
		if label, address, ok := strings.Cut(line, ": "); ok && strings.EqualFold(label, "url") && strings.HasPrefix(address, "http") {
			return true
		}
	}
	return false
}

// isRule reports whether a line is a rule between parts.
func isRule(line string) bool {
	return len(line) >= 3 && strings.Trim(strings.TrimSpace(line), "-=*_") == ""
}

const (
	// fetchStems are phrases for a failure to fetch something.
	fetchStems = "查询失败|获取失败|加载失败|读取失败|查詢失敗|取得失敗|取得に失敗|読み込みに失敗|조회 실패|조회에 실패|가져오기 실패|불러오기 실패|" +
		"failed to fetch|failed to retrieve|failed to load|failed to get|error fetching|error retrieving|error loading|could not fetch|fetch failed|" +
		"abruf fehlgeschlagen|fehler beim abruf~|fehler beim laden|échec de la récupération|erreur lors de la récupération|error al obtener|error al consultar|" +
		"erro ao buscar|erro ao consultar|erro ao obter|errore nel recupero|ошибка при получении|не удалось получить|не удалось загрузить|alınamadı|getirilemedi"
	// partialStems are words for an incomplete answer.
	partialStems = "部分|不完整|一部|不完全|일부|불완전|partial~|incomplete|truncated|teilweise|unvollständig~|partiel~|incomplet~|parcial~|incomplet~|parzial~|неполн~|частичн~|kısmi|eksik"
	// brokenStems are words for the reason why the rest of an answer is missing.
	brokenStems = "超时|中断|失败|タイムアウト|中断|失敗|시간 초과|중단|실패|interrupted|timed out|timeout|time limit|failed|abgebrochen|zeitüberschreitung|" +
		"interrompu~|délai|interrumpid~|tiempo de espera|interrompid~|tempo limite|interrott~|limite di tempo|прерван~|таймаут|kesildi|zaman aşımı"
)
