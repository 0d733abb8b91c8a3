package texts

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// isRun reports whether a letter is Chinese, Japanese or Korean, which need no spaces.
func isRun(r rune) bool {
	return r >= 0x3005 && r <= 0x3007 || r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff
}

// isWord reports whether a character is part of a word.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return codes.IsAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// continues reports whether r belongs to the same word as the character before it, given the next
// character: notFound and HTTPError are two words each.
func continues(last, r, next rune) bool {
	switch {
	case !isWord(r), isRun(r) != isRun(last):
		return false
	case !unicode.IsUpper(r):
		return true
	}
	return !unicode.IsLower(last) && (!unicode.IsUpper(last) || !unicode.IsLower(next))
}

// appendFolded appends a letter in lower case without its accent.
func appendFolded(dst []byte, r rune) []byte {
	switch {
	case 'A' <= r && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	case r >= '０' && r <= 'ｚ': // full width
		return appendFolded(dst, r-'０'+'0')
	case r == 'ß':
		return append(dst, "ss"...)
	case unicode.Is(unicode.Mn, r):
		return dst
	}
	r = unicode.ToLower(r)
	if plain, ok := folds()[r]; ok {
		r = plain
	}
	return utf8.AppendRune(dst, r)
}

// folds maps accented letters to plain ones, and traditional Chinese characters to simplified ones.
var folds = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{}
	for _, pair := range [][2]string{{accented, plain}, {traditional, simplified}} {
		to := []rune(pair[1])
		for i, r := range []rune(pair[0]) {
			m[r] = to[i]
		}
	}
	return m
})

const (
	// Accented letters of the phrases' languages and others: writers often leave accents out.
	accented = "àáâãäåąāçćčďèéêëęěēğìíîïıīłñńňòóôõöøőřśšşťùúûüůűūýÿžźżё"
	plain    = "aaaaaaaacccdeeeeeeegiiiiiilnnnooooooorssstuuuuuuuyyzzzе"
	// Pairs of characters, mostly from phrases.
	traditional = "無權請錯誤數據連線時過頻後試務參號碼帳賬驗證認錄絕額餘滿衝鎖庫類別檔資訊網絡斷開關閉應戶費創發執項條記輸選擇範圍長個間階級訂閱員該與對變當運啟動終結處維護異態檢讀寫許沒並請稱規為標簽測詢協約進產單導會"
	simplified  = "无权请错误数据连线时过频后试务参号码帐账验证认录绝额余满冲锁库类别档资讯网络断开关闭应户费创发执项条记输选择范围长个间阶级订阅员该与对变当运启动终结处维护异态检读写许没并请称规为标签测询协约进产单导会"
)
