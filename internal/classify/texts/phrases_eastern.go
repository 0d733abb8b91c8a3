package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// The wordings of programs in Russian and Turkish, as their operating systems, databases
// and frameworks are translated, and as programmers write them.

var russian = []phrases{
	{"ru", says, class.NotFound, 4, "PostgreSQL, Windows, common", `
		не найден~|не найдено|не найдена|не найдены|не удалось найти|не существует|не существуют|несуществующ~|отсутствует в~|
		нет такого~|нет такой~|неизвестный пользователь|неизвестная таблица|неизвестная команда|ничего не найдено|был удален~|
		не обнаружен~|больше не существует|не удается найти|невозможно найти`},
	{"ru", ifNot, class.NotFound, 3, "common", "найден|найдена|найдено|существует|данных|результатов|записей|сведений"},
	{"ru", says, class.Invalid, 3, "common", `
		неверн~|некорректн~|недопустим~|неправильн~|невалидн~|ошибочн~|недействительн~|синтаксическая ошибка|ошибка синтаксиса|
		ошибка валидации|ошибка проверки|неизвестн~|поврежден~|позже даты~|раньше даты~|позднее даты~|больше максимальн~|меньше минимальн~|не поддерживается|
		не поддерживаются|неподдерживаем~|слишком длинн~|слишком больш~|слишком коротк~|слишком маленьк~|должен быть|
		должна быть|должно быть|должны быть|должен содержать|не должен|не должно|не может быть отрицательн~|вне диапазона|
		вне допустимого~|превышает максимальн~|превышает допустим~|превышен размер|превышена длина|нарушает ограничение~|
		не соответствует|не является`},
	{"ru", says, class.Invalid, 2, "common", "должен|должна|должно|должны"},
	{"ru", ifNot, class.Denied, 3, "common", "прав|доступа|разрешения|полномочий"},
	{"ru", says, class.Missing, 4, "common", `
		обязательн~|требуется|требуются|необходимо указать|не указан~|не задан~|не передан~|не заполнен~|отсутствует|
		отсутствуют|не может быть пуст~|не должно быть пуст~|не должен быть пуст~|пустое значение|укажите|пропущен`},
	{"ru", says, class.Denied, 4, "PostgreSQL, Windows", `
		нет доступа|доступ запрещен~|доступ закрыт|доступ ограничен|отказано в доступе|в доступе отказано|нет прав~|
		недостаточно прав|только владелец|не являетесь~|не является участником|не состоите~|права администратора|прав администратора|требуются права|недостаточно привилегий|недостаточно полномочий|нет разрешения|запрещено|запрещен|запрещена|
		не авторизован для|не имеете прав~|не имеет прав~|не разрешено|только администратор~|доступ отклонен`},
	{"ru", says, class.Unauthenticated, 5, "common", `
		не авторизован~|неавторизован~|ошибка авторизации|ошибка аутентификации|не прошел проверку~|не прошел аутентификацию|
		требуется авторизация|требуется аутентификация|требуется вход|необходима авторизация|необходимо авторизоваться|
		необходимо войти|войдите в~|неверный пароль|неправильный пароль|неверный логин~|неверное имя пользователя~|
		неверные учетные данные|учетные данные~|сессия истекла|срок действия сессии~|сеанс истек|срок действия токена~|
		токен истек|токен недействителен|недействительный токен|неверный токен|просроченный токен|неверный ключ api|
		неверный api~|ключ api~|api ключ~`},
	{"ru", says, class.Exists, 5, "PostgreSQL, common", `
		уже существует|уже существуют|уже есть|уже зарегистрирован~|уже занят~|уже используется|дубликат~|дублируется|
		повторяющееся значение~|повторяющийся~|нарушает ограничение уникальности|ограничение уникальности`},
	{"ru", says, class.Precondition, 4, "common", `
		уже|конфликт~|только для чтения|только чтение|заблокирован~|отключен|отключена|отключено|деактивирован~|закрыт|закрыта|
		закрыто|истек|истекла|истек срок~|просрочен~|в архиве|архивирован~|отменен~|нельзя удалить|нельзя изменить|нельзя|
		невозможно удалить|невозможно изменить|не может быть удален~|не может быть изменен~|не активен|не активна|неактивн~|
		не включен~|используется другим|устарел~|больше не|недоступно для|недоступен для|нет в наличии|мест нет|нет мест|недостаточно|не хватает|нет свободных~|закончились|исчерпан~|отмененн~|аннулирован~|расторгнут~|закончил~|отклонен~|
		отказ|отказано|приостановлен~|завершен~|сначала|был изменен~`},
	{"ru", says, class.Limit, 5, "common", `
		квота исчерпана|квота превышена|превышена квота|лимит исчерпан|лимит превышен|превышен лимит|исчерпан лимит|достигнут лимит|дневной лимит|суточный лимит|
		месячный лимит|максимальное количество~|максимальное число~|недостаточно средств|недостаточный баланс|
		недостаточно баланса|недостаточно кредит~|не удалось списать оплату|пополните`},
	{"ru", says, class.Limit, 2, "the names of plans and quotas", "квот~|оплат~|подписк~|тариф~|баланс~"},
	{"ru", access, class.Unknown, 0, "", "токен~|ключ~|пароль|учетн~"},
	{"ru", ifAccess, class.Unauthenticated, 5, "common", "истек|устарел~|недействителен|неверн~|недействительн~|отозван|просрочен~"},
	{"ru", says, class.Throttled, 5, "common", `
		слишком много запросов|слишком много попыток|слишком много вызовов|слишком часто|слишком частые~|
		превышен лимит запросов|превышено количество запросов|превышено число запросов|лимит запросов|ограничение частоты~|
		ограничение скорости|запросов в минуту|запросов в секунду`},
	{"ru", isRate, class.Unknown, 0, "", "в минуту|в секунду"},
	{"ru", says, class.TimedOut, 4, "PostgreSQL, Windows, common", `
		время ожидания истекло|истекло время~|превышено время~|превышен таймаут~|превышен тайм аут|превышен интервал~|
		превышен лимит времени|тайм аут~|таймаут~|время ожидания~|время вышло|не ответил вовремя|не отвечает вовремя|
		не получен ответ~|превышено допустимое время~|по тайм ауту|по таймауту`},
	{"ru", says, class.Unavailable, 4, "PostgreSQL, Windows, 1C:Enterprise, common", `
		временно недоступ~|временно не~|конфликт блокировок~|сервис недоступен|сервер недоступен|сервис не доступен|сервер не доступен|
		служба недоступна|недоступен в данный~|недоступна в данный~|сейчас недоступ~|в данный момент недоступ~|
		не удалось связаться~|не удается связаться~|нет связи~|в соединении отказано|в подключении отказано|соединение отклонено|подключение отклонено|отказано в подключении|
		не удалось подключиться~|не удалось установить соединение|не удалось установить подключение|не удается подключиться~|
		не удалось соединиться~|невозможно подключиться~|невозможно установить соединение|ошибка подключения|ошибка соединения|
		ошибка при подключении|нет соединения~|нет подключения~|не отвечает|сервер занят|сервер перегружен|перегружен~|
		взаимоблокировк~|обнаружена взаимоблокировка|техническ~ работ~|технические работы|на обслуживании|
		слишком много подключений|слишком много соединений|запускается|завершает работу|база данных заблокирована|
		не удалось сериализовать~`},
	{"ru", says, class.ReplyLost, 4, "common", `
		соединение разорвано|соединение прервано|соединение закрыто|соединение потеряно|соединение сброшено|
		подключение разорвано|подключение прервано|потеряно соединение|разрыв соединения|обрыв соединения|
		внутренняя ошибка сервера|ошибка сервера|ошибка сети|сетевая ошибка|проблемы с сетью|сбой сети`},
	{"ru", says, class.ReplyLost, 2, "common", `
		попробуйте позже|попробуйте позднее|повторите попытку позже|повторите попытку через|повторите позже|
		повторите запрос позже|попробуйте снова через|попробуйте еще раз позже`},
	{"ru", takesBack, class.Unknown, 2, "", `
		успешно|запущен|запущена|запущено|запущены|загружен|загружена|загружено|загружены|переведен|переведена|переведено|
		переведены|отправлен|отправлена|отправлено|отправлены|создан|создана|создано|сохранен|сохранена|сохранено|сохранены|
		списан~|оплачен~|доставлен|доставлена|доставлено|доставлены|оформлен|оформлена|оформлено|оформлены|забронирован~|
		выполнен|выполнена|выполнено|выполнены|опубликован~|обработан~|в день|в месяц|ежедневн~|ежемесячн~|в сутки|бесплатн~|
		политик~|сертификат~|регион~|стран~|брандмауэр~|файрвол~|неизвестный хост|не повторяйте|навсегда|окончательно|
		ваш аккаунт|пользователь не подтвердил|пользователь не ответил|пользователь не принял|подтвержден|подтверждена|
		подтверждено|подтверждены|имя хоста|до тех пор|пока не`},
	{"ru", contrasts, class.Unknown, 0, "", "но|однако"},
	{"ru", negates, class.Unknown, 0, "", "не|нет|только|лишь|без|ни|никогда|невозможно"},
	{"ru", subordinates, class.Unknown, 0, "", "после|перед|пока|когда|если|хотя|во время|при|прежде|до"},
	{"ru", explains, class.Unknown, 0, "", "потому|так как|из за|но|однако|причина|поскольку"},
	{"ru", attempts, class.Unknown, 0, "", "ошибка|не удалось|ошибка при|не удается"},
	{"ru", ifConnection, class.ReplyLost, 4, "", "разорван~|прерван~|закрыт~|потерян~|сброшен~|отклонен~|отказано"},
	{"ru", connection, class.Unknown, 0, "", "соединени~|подключени~"},
	{"ru", asks, class.Unknown, 0, "", "повторите попытку|попробуйте еще раз|попробуйте снова|повторите запрос"},
	{"ru", nothing, class.Unknown, 0, "", "неизвестная ошибка|неизвестной ошибк~|по неизвестной причине|неизвестная причина|произошла ошибка|непредвиденная ошибка"},
}

var turkish = []phrases{
	{"tr", says, class.NotFound, 4, "common", `
		bulunamadi|bulunamiyor|bulunmuyor|bulunmamaktadir|bulunamamistir|mevcut degil|mevcut degildir|yok|yoktur|var olmayan|
		boyle bir~|bilinmeyen kullanici|bilinmeyen dosya|sonuc bulunamadi|silinmis|silindi`},
	{"tr", says, class.Invalid, 3, "common", `
		gecersiz~|hatali~|yanlis~|uygun degil|gecerli degil~|gecerli bir~|sozdizimi hatasi|soz dizimi hatasi|dogrulama hatasi|
		bicim hatasi|bilinmeyen|taninmayan~|bilinmeyen parametre|bilinmeyen alan|bilinmeyen secenek|desteklenmiyor~|desteklenmeyen|cok uzun|cok buyuk|
		cok kisa|cok kucuk|bozuk|bozulmus|olamaz|sonra olamaz|once olamaz|olmalidir|olmali|icermelidir|olmamali~|aralik disinda|araligin disinda|asamaz|maksimum uzunlu~|
		kisitlamasini ihlal~|beklenmeyen~|eslesmiyor|uyusmuyor`},
	{"tr", says, class.Missing, 4, "common", `
		zorunlu~|gerekli~|gereklidir|gerekiyor|eksik~|bos olamaz|bos birakilamaz|bos olmamali~|belirtilmedi|belirtilmemis|
		belirtilmelidir|girilmedi|saglanmadi|verilmedi|belirtin|girin`},
	{"tr", says, class.Denied, 4, "common", `
		erisim engellendi|erisim reddedildi|erisim izni yok|erisim yetkiniz~|izin verilmedi|izin reddedildi|izin yok|
		izniniz yok|iznin yok|yetkiniz yok~|yetkisi yok|yetkisiz~|yetki yok|yetersiz yetki|yonetici yetkisi~|uyesi degil~|uye degil~|sadece yonetic~|yalnizca yonetic~|sadece sahib~|yetkisi gerek~|yetki gerek~|yetersiz izin|yasak~|yasaklandi|
		reddedildi|izni yok|yetkili degil~`},
	{"tr", says, class.Unauthenticated, 5, "common", `
		kimlik dogrulama basarisiz~|kimlik dogrulama hatasi|kimlik dogrulamasi~|kimlik dogrulama gerekli|oturum acmaniz~|
		oturum acilmadi|oturum acin|oturum suresi~|oturumunuz~|oturum sona erdi|giris yapin~|giris yapmaniz~|giris yapmalisiniz|
		giris basarisiz|sifre hatali|hatali sifre|yanlis sifre|gecersiz sifre|parola hatali|yanlis parola|kullanici adi veya~|
		kimlik bilgileri~|token suresi~|gecersiz token|token gecersiz|gecersiz api~|api anahtari~`},
	{"tr", says, class.Exists, 5, "common", `
		zaten var|zaten mevcut|zaten kayitli|zaten kullanimda|zaten kullaniliyor|zaten alinmis|yinelenen~|tekrarlanan~|
		benzersiz olmali~|benzersizlik~|cift kayit`},
	{"tr", says, class.Precondition, 4, "common", `
		zaten|cakisma~|catisma~|salt okunur|kilitli|kilitlendi|devre disi~|pasif|kapali|kapatilmis|suresi doldu|suresi dolmus|
		suresi gecmis|arsivlendi|arsivlenmis|iptal edildi|iptal edilmis|silinemez|degistirilemez|guncellenemez|izin verilmiyor|
		aktif degil~|etkin degil~|kullanimda|kullaniliyor|kullanimdan kaldirildi|artik|stokta yok|dolu|kontenjan dolu|yetersiz|stok yetersiz|yetersiz stok|tukendi|reddedilmis|
		askiya alindi|askiya alinmis|tamamlanmis|once|degistirilmis`},
	{"tr", says, class.Limit, 5, "common", `
		kota asildi|kota doldu|kotaniz doldu|limit asildi|limite ulasildi|limiti asildi|limitiniz~|limitine ulasti~|gunluk limit~|aylik limit~|maksimum sayi~|
		azami sayi~|yetersiz bakiye|bakiye yetersiz|bakiye~|kredi yetersiz|yetersiz kredi|odeme basarisiz|odeme reddedildi`},
	{"tr", says, class.Limit, 2, "the names of plans and quotas", "kota~|odeme~|abonelik~|aboneliginiz~|planiniz~|plan|paket~|fatura~|yukseltin"},
	{"tr", access, class.Unknown, 0, "", "anahtari|anahtar|sifre|parola|jeton"},
	{"tr", ifAccess, class.Unauthenticated, 5, "common", "suresi doldu|suresi dolmus|gecersiz~|iptal edildi"},
	{"tr", says, class.Throttled, 5, "common", `
		cok fazla istek~|cok fazla istek gonder~|cok fazla deneme~|cok fazla cagri~|cok fazla talep~|istek siniri~|istek limiti~|hiz siniri~|
		hiz limiti~|dakikada~ istek~|saniyede~ istek~|cok sik~`},
	{"tr", says, class.TimedOut, 4, "common", `
		zaman asimi~|zaman asimina~|zamanasimi~|zamanasimina~|sure asimi~|istek zaman asimina~|baglanti zaman asimi~|
		suresi asildi|zamaninda yanit~|zamaninda cevap~|yanit alinamadi|cevap alinamadi|cok uzun surdu`},
	{"tr", says, class.Unavailable, 4, "common", `
		gecici olarak kullanilamiyor|gecici olarak hizmet~|gecici olarak erisilemiyor|su anda kullanilamiyor|
		su an kullanilamiyor|su anda hizmet~|hizmet kullanilamiyor|hizmet disi~|servis kullanilamiyor|servis disi~|
		sunucu kullanilamiyor|sunucuya ulasilamiyor~|sunucuya erisilemiyor|sunucuya baglanilamadi|sunucuya baglanilamiyor|
		ulasilamiyor|ulasilamadi|sunucuya ulasilamadi|erisilemedi|erisilemiyor|baglanti reddedildi|baglanilamadi|baglanti kurulamadi|baglanti kurulamiyor|baglanti hatasi|
		baglanti basarisiz~|yanit vermiyor|cevap vermiyor|sunucu mesgul|sistem mesgul|mesgul|asiri yuk~|yogunluk~|bakim~|
		bakimda|cok fazla baglanti~|kilitlenme~|olumcul kilitlenme|baslatiliyor|kapatiliyor`},
	{"tr", says, class.ReplyLost, 4, "common", `
		baglanti kesildi|baglanti koptu|baglanti kapatildi|baglanti sifirlandi|baglanti kaybedildi|baglanti sonlandirildi|
		sunucu hatasi|dahili sunucu hatasi|ic sunucu hatasi|ag hatasi|ag sorunu`},
	{"tr", says, class.ReplyLost, 2, "common", "daha sonra tekrar~|sonra tekrar deneyin~|sonra yeniden~|daha sonra deneyin~"},
	{"tr", takesBack, class.Unknown, 2, "", `
		basariyla|baslatildi|yuklendi|onaylandi|gonderildi|olusturuldu|kaydedildi|tahsil edildi|odendi|teslim edildi|rezerve edildi|yayinlandi|islendi|tamamlandi|aylik|
		gunluk|gunde|ayda|ucretsiz~|politika~|sertifika~|bolge~|ulke~|guvenlik duvari~|bilinmeyen ana~|tekrar denemeyin|kalici~|
		hesabiniz~|kullanici yanit~|onay~|engellendi|engellenmis|kadar`},
	{"tr", contrasts, class.Unknown, 0, "", "ama|ancak|fakat"},
	{"tr", subordinates, class.Unknown, 0, "", "sonra|once|iken|sirasinda|eger"},
	{"tr", attempts, class.Unknown, 0, "", "hata|hatasi|basarisiz~|yapilamadi"},
	{"tr", ifConnection, class.ReplyLost, 4, "", "kesildi|koptu|kapatildi|reddedildi|sifirlandi|kayboldu"},
	{"tr", connection, class.Unknown, 0, "", "baglanti|baglantisi"},
	{"tr", asks, class.Unknown, 0, "", "tekrar deneyin|yeniden deneyin"},
	{"tr", nothing, class.Unknown, 0, "", "bu|bir|ve|icin|parametre|alani|alan|kayit|deger|degeri|dosya|lutfen|ile|olarak"},
	{"tr", nothing, class.Unknown, 0, "", `
		bilinmeyen hata|beklenmeyen hata|bilinmeyen bir hata|beklenmeyen bir hata|bir hata olustu`},
}
