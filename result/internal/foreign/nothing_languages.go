//nolint:misspell // it is in ten languages
package foreign

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A nothingRow has the phrases of a language for a search without hits. Words are separated
// by bars. A word may be continued if a ~ is at its end, or if it is Chinese, Japanese or
// Korean.
//
// A named file that was not found is a failure, because what is looked up by name must
// exist. Therefore none and found must both match, and their words are about any or several
// results.
type nothingRow struct {
	language string
	alone    string // sufficient by itself
	none     string // sufficient with a word of found anywhere in the sentence
	found    string
}

// nothingRows contain the phrases of public servers and of the translations of frameworks.
var nothingRows = []nothingRow{
	{
		"zh", "暂无|查无资料|查無資料|查無結果|无数据|无结果|无记录|没有数据|没有记录|没有结果|结果为空|尚無|暫無",
		"未找到|没有找到|没找到|沒有找到|未能找到|未查询到|没有查询到|未查到|没有查到|未搜索到|没有搜索到|未检索到|没有检索到", "相关|相關|匹配|符合|任何|满足|条件|结果|记录",
	},
	{"ja", "見つかりませんでした|データがありません|データはありません|該当なし|検索結果なし", "ありません|ありませんでした|見つかりません|存在しません", "該当|一致|合致|検索|結果|条件"},
	{"ko", "결과가 없습니다|결과 없음|데이터가 없습니다|내역이 없습니다|항목이 없습니다", "없습니다|없음|찾지 못했습니다|찾을 수 없습니다", "검색된|조회된|일치하는|조건|해당하는|등록된"},
	{"de", "keine ergebnisse|keine treffer|keine daten", "kein|keine|keinen|keinerlei", "gefunden|vorhanden|verfügbar|vor|hinterlegt|gespeichert"},
	{"fr", "aucun résultat|aucune donnée|pas de résultat~|pas de données", "aucun|aucune", "trouvé~|disponible~|correspond~|enregistré~|stocké~|en cours|ne figure|en attente"},
	{
		"es", "no se encontraron|no se han encontrado|no se hallaron|no existen registros|no existen datos|sin resultados|no hay resultados|no hay datos|no hay registros",
		"no hay|ningún|ninguna|no existen", "encontrad~|encontró|disponible~|registrad~|pendiente~|coincid~|almacenad~",
	},
	{
		"pt", "não foram encontrad~|não há resultados|não há dados|não há registros|não existem registros|sem resultados|nenhum resultado",
		"nenhum|nenhuma|não há|não existem", "encontrad~|disponíve~|registrad~|cadastrad~|pendente~|localizad~|armazenad~",
	},
	{
		"it", "non sono stati trovati|non sono state trovate|nessun risultato|nessun dato|non ci sono risultati|non ci sono dati",
		"nessun|nessuna|non ci sono|non esistono", "trovat~|disponibil~|registrat~|corrispond~|salvat~|presenti",
	},
	{
		"ru", "ничего не найдено|нет данных|нет результатов|нет записей|нет совпадений", "не найдено|не найдены|не обнаружено",
		"результатов|записей|данных|данные|совпадений|документов|документы|товаров|товары|заказов|заказы|задач|задачи|сделок|сделки|элементов|сообщений|записи",
	},
	{"tr", "sonuç bulunamadı|kayıt bulunamadı|sonuç yok|kayıt yok|veri yok", "bulunamadı|bulunmamaktadır|bulunmuyor|yok", "eşleşen|uygun|hiç|hiçbir|herhangi|sonuç|kayıt|kayıtlı"},
}

const (
	// hitStems are words next to the number of hits.
	hitStems = "找到|查询到|搜索到|检索到|结果|记录|見つかり|件|ヒット|検索結果|검색|결과|찾았|조회|treffer|gefunden|ergebnis~|résultat~|trouvé~|" +
		"resultado~|encontrad~|risultat~|trovat~|найдено|результат~|получено|sonuç~|bulundu|kayıt|results|hits|matches|found|records"
	// searchStems are labels of search terms.
	searchStems = "查询|搜索|检索|关键词|検索|キーワード|검색|조회|query|search~|keyword~|filter~|suche|suchbegriff|recherche|requête|búsqueda|consulta|" +
		"busca|pesquisa|ricerca|запрос~|поиск~|arama|sorgu"
	// faultStems are words for the findings of a check, or for something that is missing
	// when a call is refused. Neither is a search without hits: a check without findings is
	// data, and missing access is a failure.
	faultStems = "错误|异常|漏洞|问题|风险|权限|連線|连接|エラー|異常|問題|権限|接続|오류|이상|문제|권한|접근|연결|fehler|mängel|verstöße|berechtigung~|" +
		"zugriff|verbindung|erreur~|anomalie~|accès|autorisation~|connexion|error~|fallo~|permiso~|acceso|conexión|erro|erros|falha~|permissão|acesso|" +
		"conexão|errore|errori|problem~|permess~|accesso|connessione|ошиб~|проблем~|доступ~|прав|соединени~|hata~|sorun~|yetki~|izin|erişim|bağlantı~|" +
		"issue|issues|warning~|vulnerabilit~|failure~|access|permission~|token|violation~"
	// checkStems indicate that something was checked.
	checkStems = "检查|扫描|检测|分析|検査|分析|검사|분석|geprüft|untersucht|analys~|vérifi~|analizad~|verificad~|revisad~|verificat~|controllat~|" +
		"провер~|анализ~|taran~|kontrol|scanned|checked"
)

// sentenceReportsNothing reports whether the first sentence of a line states that nothing was
// found, and the others contain no data.
func sentenceReportsNothing(line string) bool {
	line = withoutQuotes(line)
	first, rest := line, ""
	if i := strings.IndexAny(line, ".!。！"); i >= 0 {
		_, size := utf8.DecodeRuneInString(line[i:])
		first, rest = line[:i], line[i+size:]
	}
	text := plain(first)
	says := countsZeroHits(text) || slices.ContainsFunc(nothingRows, func(row nothingRow) bool {
		return hasStem(strings.ReplaceAll(text, "暂无法", ""), row.alone) || hasStem(text, row.none) && hasStem(text, row.found)
	})
	return says && !strings.ContainsAny(rest, "123456789") && !hasStem(text, faultStems) && !hasStem(text, checkStems)
}

// countsZeroHits reports whether a sentence contains the number of hits of a search, and it
// is zero.
func countsZeroHits(text string) bool {
	const most = 8 // words. Chosen: zero, a noun, and a place
	words := strings.Fields(text)
	zero := false
	for _, w := range words {
		digits := len(w) - len(strings.TrimLeft(w, "0123456789"))
		switch {
		case digits == 0:
		case w[:digits] != "0":
			return false
		default:
			zero = true
		}
	}
	return zero && len(words) <= most && hasStem(text, hitStems)
}

// plain returns the words of a sentence in lower case with a space around each. Digits are
// separated from the characters before them.
func plain(text string) string {
	var b strings.Builder
	last := ' '
	for _, r := range strings.ToLower(text) {
		if isMark(r) {
			r = ' '
		}
		if unicode.IsDigit(r) && unicode.IsLetter(last) || r == ' ' && last == ' ' {
			b.WriteByte(' ')
		}
		if r != ' ' || last != ' ' {
			b.WriteRune(r)
		}
		last = r
	}
	return " " + strings.TrimSpace(b.String()) + " "
}

// withoutQuotes removes quoted text, which is a name or an example.
func withoutQuotes(text string) string {
	for _, marks := range [...][2]string{{"「", "」"}, {"『", "』"}, {"“", "”"}, {"«", "»"}, {"„", "“"}, {`"`, `"`}, {" '", "'"}, {"`", "`"}, {"(", ")"}} {
		for {
			before, inner, ok := strings.Cut(text, marks[0])
			_, after, closed := strings.Cut(inner, marks[1])
			if !ok || !closed {
				break
			}
			text = before + " " + after
		}
	}
	return text
}

// hasStem reports whether a text in lower case contains one of several words.
func hasStem(text, stems string) bool {
	const firstOfRuns = '\u2e80' // Chinese, Japanese and Korean come after it
	for stem := range strings.SplitSeq(stems, "|") {
		word, isPrefix := strings.CutSuffix(stem, "~")
		if r, _ := utf8.DecodeRuneInString(word); r >= firstOfRuns {
			if strings.Contains(text, word) {
				return true
			}
			continue
		}
		for at := 0; ; {
			i := strings.Index(text[at:], word)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(word)
			if isBoundary(text[:from], true) && (isPrefix || isBoundary(text[to:], false)) {
				return true
			}
			at = to
		}
	}
	return false
}

// isBoundary reports whether a text has no letter at its end or at its beginning.
func isBoundary(text string, end bool) bool {
	r, _ := utf8.DecodeRuneInString(text)
	if end {
		r, _ = utf8.DecodeLastRuneInString(text)
	}
	return text == "" || !unicode.IsLetter(r)
}
