package foreign

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxNothing is how many bytes a text may have that says that nothing was found.
	// Chosen: a sentence, and what was searched for.
	maxNothing = 1000
	// maxSubject is how many words may stand between no and found. Chosen: a clause.
	maxSubject = 12
)

// saysNothing reports whether a text says that nothing was found, and no more.
func saysNothing(text string) bool {
	if text == "" || len(text) > maxNothing {
		return false
	}
	text = strings.TrimSpace(strings.TrimLeft(text, "# *->\n\t`\"'(["))
	if text == "" || strings.Count(text, "\n") > 2 {
		return false
	}
	if len(text) < maxShort && saysNothingElsewhere(text) {
		return true
	}
	line, rest, _ := strings.Cut(text, "\n")
	first, _, _ := strings.Cut(line, " ")
	if len(rest) > maxShort || !slices.ContainsFunc(nothingStarts, func(start string) bool { return strings.EqualFold(start, first) }) {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	return beginsWithNothing(words) && !saysMore(strings.ToLower(text))
}

// nothingStarts are the first words of sentences that say so.
var nothingStarts = []string{"no", "none", "nothing", "0", "zero", "found", "there", "list", "set", "queue", "key", "collection", "table"}

// saysNothingElsewhere is [saysNothing] for other languages than English.
func saysNothingElsewhere(text string) bool {
	return slices.ContainsFunc(nothingElsewhere, func(s string) bool {
		return strings.HasPrefix(text, s) || text[0] >= utf8.RuneSelf && s[0] >= utf8.RuneSelf && strings.Contains(text, s)
	})
}

// beginsWithNothing reports whether a sentence begins by saying that there is nothing.
func beginsWithNothing(words []string) bool {
	if len(words) < 2 {
		return false
	}
	switch first := words[0]; first {
	case "no", "none", "nothing", "0", "zero":
		if len(words) <= 3 && slices.ContainsFunc(words[1:], func(w string) bool { return resultWords()[w] }) {
			return true
		}
		return slices.ContainsFunc(words[1:min(len(words), maxSubject)], func(w string) bool { return foundWords()[w] })
	case "found":
		return words[1] == "0" || words[1] == "no" || words[1] == "nothing"
	case "there":
		return len(words) > 3 && (words[1] == "are" || words[1] == "were" || words[1] == "is") && words[2] == "no" &&
			slices.ContainsFunc(words[3:min(len(words), maxSubject)], func(w string) bool { return resultWords()[w] })
	case "list", "set", "queue", "key", "collection", "table":
		const near = 6 // words: list 'x' is empty
		i := slices.Index(words[:min(len(words), near)], "is")
		return i > 0 && i+1 < len(words) && words[i+1] == "empty"
	}
	return false
}

// saysMore reports whether a text is about more than nothing: it says what was done, or
// how much was looked through.
func saysMore(text string) bool {
	words := strings.Fields(text)
	for i, w := range words {
		w = strings.Trim(w, ".,;:!()")
		if workWords()[w] || w == "now" && i+1 < len(words) && words[i+1] == "at" {
			return true
		}
		before := i > 0 && (words[i-1] == "in" || words[i-1] == "of" || words[i-1] == "across" || words[i-1] == "from")
		if before && i+1 < len(words) && w != "0" && strings.Trim(w, "0123456789,") == "" && w != "" && !timeWords()[strings.Trim(words[i+1], ".,;:!()")] {
			return true // in 120 packages
		}
	}
	return false
}

var (
	foundWords = set(`found match matches matched matching exist exists`)
	// resultWords are what a search has.
	resultWords = set(`
		result results matches records record rows row items item data entries entry events event issues files searches sessions tasks
		found available documents hits returned`)
	// workWords say that something else was done.
	workWords = set(`
		passed valid deployed uploaded imported inserted updated fetched deleted skipped live healthy succeeded completed changed
		created saved sent scanned checked processed`)
	timeWords = set(`
		ms s sec secs second seconds m min mins minute minutes h hour hours d day days week weeks month months year years`)
)

// nothingElsewhere is what short texts in other languages say of a search without hits.
var nothingElsewhere = []string{
	"没有找到相关", "未找到相关", "未找到任何", "未找到匹配", "未找到符合", "没有找到任何", "没有找到符合", "没有找到匹配", "暂无数据", "暂无结果", "暂无记录", "搜索结果为空", "没有搜索到", "查無資料", "查無結果", "沒有找到",
	"見つかりませんでした", "該当するデータはありません", "該当するものはありません", "検索結果はありません", "データがありません", "該当なし",
	"검색 결과가 없습니다", "결과가 없습니다", "조회된 데이터가 없습니다", "데이터가 없습니다", "일치하는 항목이 없습니다",
	"Keine Ergebnisse", "Keine Treffer", "Aucun résultat", "No se encontraron", "No hay resultados", "Sin resultados",
	"Nenhum resultado", "Nenhum registro encontrado", "Nessun risultato", "Ничего не найдено", "Результатов не найдено", "Sonuç bulunamadı", "Kayıt bulunamadı",
}
