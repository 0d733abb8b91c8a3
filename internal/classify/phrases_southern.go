package classify

// The wordings of programs in Portuguese, Italian, Russian and Turkish, as their
// operating systems, databases and frameworks are translated, and as programmers write
// them.

var portuguese = []phrases{
	{"pt", says, notFound, 4, "PostgreSQL, Windows, common", `
		nao encontrado~|nao encontrada~|nao foi encontrado~|nao foi encontrada~|nao foi possivel encontrar|
		nao foi possivel localizar|nao localizado~|nao localizada~|nao existe|nao existem|inexistente~|desconhecido|
		desconhecida|nenhum resultado|sem resultados|nenhum registro encontrado|foi excluido|foi removido|ja nao existe|
		nao existe mais`},
	{"pt", ifNot, notFound, 3, "common", "encontrado|encontrada|encontrados|encontradas|existe"},
	{"pt", says, invalid, 3, "common", `
		invalido~|invalida~|nao e valido~|nao e valida~|incorreto~|incorreta~|malformado~|mal formado~|formato incorreto|
		tipo incorreto|erro de sintaxe|erro de validacao|falha na validacao|falha de validacao|requisicao invalida|
		solicitacao invalida|requisicao incorreta|parametro desconhecido|campo desconhecido|nao suportado~|nao suportada~|
		nao e suportado~|muito longo|muito longa|muito grande|muito curto|muito curta|muito pequeno|deve ser|devem ser|deve ter|
		deve conter|deve estar|nao deve|nao pode ser negativ~|fora do intervalo|fora dos limites|excede o tamanho~|
		excede o maximo|viola a restricao~|viola restricao~|inesperado~|inesperada~|nao corresponde~|nao reconhecido~`},
	{"pt", says, missing, 4, "common", `
		obrigatorio~|obrigatoria~|requerido|requerida|e necessario~|faltando|falta|ausente~|nao informado~|nao informada~|
		nao fornecido~|nao especificado~|deve ser informado~|deve ser fornecido~|deve informar|nao pode ser vazio~|
		nao pode ser vazia~|nao pode estar vazio~|nao pode estar vazia~|nao pode ser nulo|esta vazio|esta vazia|em branco`},
	{"pt", says, denied, 4, "PostgreSQL, Windows", `
		permissao negada|permissoes insuficientes|permissao insuficiente|sem permissao|nao tem permissao|nao possui permissao|
		acesso negado|acesso proibido|acesso restrito|acesso nao autorizado|nao autorizado~|nao autorizada|nao esta autorizado~|
		proibido|proibida|negado|negada|privilegios insuficientes|nao tem acesso|sem acesso|somente administradores|
		apenas administradores`},
	{"pt", says, unauthenticated, 5, "common", `
		falha na autenticacao|falha de autenticacao|autenticacao falhou|autenticacao do tipo senha~|erro de autenticacao|
		autenticacao necessaria|requer autenticacao|nao autenticado~|nao esta logado|faca login|fazer login|efetue login|
		senha incorreta|senha invalida|credenciais invalidas|credenciais incorretas|credenciais~|usuario ou senha~|
		sessao expirada|sessao expirou|token expirado|token expirou|token invalido|chave de api~|chave api~|chave da api~`},
	{"pt", says, exists, 5, "PostgreSQL, common", `
		ja existe|ja existem|ja cadastrado~|ja cadastrada~|ja registrado~|ja esta em uso|ja em uso|ja esta cadastrado~|
		duplicado|duplicada|chave duplicada|duplicar valor da chave~|restricao de unicidade|valor duplicado`},
	{"pt", says, precondition, 4, "common", `
		ja|conflito~|somente leitura|apenas leitura|so leitura|bloqueado|bloqueada|desativado|desativada|desabilitado|
		desabilitada|fechado|fechada|encerrado|encerrada|expirado|expirada|vencido|vencida|arquivado|arquivada|cancelado|
		cancelada|nao pode ser excluido~|nao pode ser alterado~|nao pode ser removido~|nao e possivel excluir|
		nao e possivel alterar|nao e possivel remover|nao permitido~|nao permitida~|nao e permitido~|nao esta ativo|
		nao esta ativa|nao esta habilitad~|em uso|obsoleto|descontinuado|nao disponivel para|esgotado|fora de estoque|
		sem estoque|estoque insuficiente|rejeitado|rejeitada|recusado|recusada|suspenso|suspensa|finalizado|primeiro|
		foi modificado|foi alterado`},
	{"pt", says, limit, 5, "common", `
		cota~|limite atingido|limite excedido|limite ultrapassado|limite de uso|limite mensal|limite diario|atingiu o limite|
		numero maximo~|quantidade maxima~|saldo insuficiente|fundos insuficientes|creditos insuficientes|sem creditos|
		credito insuficiente|pagamento~|assinatura~|plano|plano atual|faturamento|atualize seu plano|faca upgrade|orcamento~`},
	{"pt", says, throttled, 5, "common", `
		muitas requisicoes|muitas solicitacoes|muitos pedidos|muitas tentativas|muitas chamadas|excesso de requisicoes|
		excesso de solicitacoes|demasiados pedidos|limite de requisicoes|limite de solicitacoes|limite de taxa|
		requisicoes por minuto|requisicoes por segundo|solicitacoes por minuto|com muita frequencia`},
	{"pt", says, timedOut, 4, "PostgreSQL, common", `
		tempo limite excedido|tempo limite esgotado|tempo limite atingido|tempo limite~|tempo esgotado|tempo excedido|
		tempo de espera esgotado|tempo de espera excedido|tempo de espera~|tempo de resposta excedido|esgotou o tempo~|
		excedeu o tempo~|expirou o tempo~|nao respondeu a tempo|demorou muito~|demorou demais|tempo de execucao excedido`},
	{"pt", says, unavailable, 4, "PostgreSQL, common", `
		temporariamente indisponivel|indisponivel temporariamente|indisponivel no momento|momentaneamente indisponivel|
		atualmente indisponivel|servico indisponivel|servico esta indisponivel|servidor indisponivel|servidor esta indisponivel|
		sistema indisponivel|fora do ar|conexao recusada|conexao negada|conexao falhou|falha na conexao|falha de conexao|
		falha ao conectar|erro de conexao|erro ao conectar|nao foi possivel conectar~|nao foi possivel estabelecer~|
		nao foi possivel se conectar~|nao responde|nao esta respondendo|inacessivel no momento|servidor ocupado|sistema ocupado|
		sobrecarregado|sobrecarregada|impasse detectado|deadlock detectado|em manutencao|manutencao|muitas conexoes|
		muitos clientes~|esta iniciando|banco de dados bloqueado|banco de dados esta bloqueado|nao pode serializar~`},
	{"pt", says, replyLost, 4, "common", `
		conexao perdida|conexao interrompida|conexao fechada|conexao encerrada|conexao redefinida|conexao foi fechada|
		conexao foi perdida|conexao foi redefinida|perda de conexao|erro interno do servidor|erro interno no servidor|
		erro do servidor|erro no servidor|erro de rede|problema de rede|falha de rede|falha na rede`},
	{"pt", says, replyLost, 2, "common", "tente novamente mais tarde|tente mais tarde|tente novamente em~|mais tarde"},
	{"pt", takesBack, unknown, 2, "", `
		enviado|enviada|enviados|criado|criada|salvo|salva|cobrado|cobrada|pago|paga|realizado|realizada|processado|processada|
		emitido|emitida|entregue|reservado|reservada|publicado|publicada|mensal~|diario|diaria|por dia|por mes|gratuit~|
		politica|certificado~|regiao|pais|firewall|host desconhecido|nao tente~|permanentemente|definitiv~|sua conta|
		o usuario nao|aprovacao|nome do host|ate que`},
	{"pt", negates, unknown, 0, "", "nao|nenhum|nenhuma|sem|nunca"},
	{"pt", subordinates, unknown, 0, "", "depois|apos|antes|enquanto|quando|se|embora|durante|ate"},
	{"pt", explains, unknown, 0, "", "porque|devido|mas|porem|entretanto|motivo|por causa~"},
	{"pt", attempts, unknown, 0, "", "erro|falha|erro ao|falha ao|nao foi possivel|falhou"},
	{"pt", ifConnection, replyLost, 4, "", "perdida|interrompida|fechada|encerrada|recusada|redefinida|falhou"},
	{"pt", connection, unknown, 0, "", "conexao"},
	{"pt", asks, unknown, 0, "", "tente novamente|tente de novo"},
	{"pt", nothing, unknown, 0, "", "os|uma|em|foi|um|seu|sua|esta|este|com"},
	{"pt", nothing, unknown, 0, "", "erro desconhecido|erro inesperado|ocorreu um erro"},
}

var italian = []phrases{
	{"it", says, notFound, 4, "PostgreSQL, Windows, common", `
		non trovato~|non trovata~|non trovati|non trovate|non e stato trovato~|non e stata trovata~|impossibile trovare|
		non e possibile trovare|non esiste|non esistono|inesistente~|sconosciuto|sconosciuta|nessun risultato|
		nessun file o directory~|e stato eliminato|e stato rimosso|non esiste piu|non presente`},
	{"it", ifNot, notFound, 3, "common", "trovato|trovata|trovati|trovate|esiste"},
	{"it", says, invalid, 3, "common", `
		non valido~|non valida~|non validi|non valide|invalido~|invalida~|non corretto~|non corretta~|errato|errata|errati|
		formato errato|malformato~|errore di sintassi|errore di validazione|validazione fallita|richiesta non valida|
		parametro sconosciuto|campo sconosciuto|non supportato~|non supportata~|non e supportato~|troppo lungo|troppo lunga|
		troppo grande|troppo corto|troppo corta|troppo piccolo|deve essere|devono essere|deve avere|deve contenere|non deve|
		non puo essere negativ~|fuori intervallo|fuori dai limiti|supera la dimensione~|supera la lunghezza~|supera il massimo|
		viola il vincolo~|inatteso~|inattesa~|non corrisponde~|non riconosciuto~`},
	{"it", says, missing, 4, "common", `
		obbligatorio~|obbligatoria~|richiesto|richiesta obbligatoria|e richiesto|e richiesta|sono richiesti|mancante~|mancanti|
		manca|mancano|non specificato~|non specificata~|non fornito~|non fornita~|deve essere specificato~|deve essere fornito~|
		non puo essere vuoto~|non puo essere vuota~|non puo essere nullo|e vuoto|e vuota|necessario specificare`},
	{"it", says, denied, 4, "PostgreSQL, Windows", `
		permesso negato|permessi insufficienti|permessi non sufficienti|permessi mancanti|non hai i permessi|non si dispone~|
		autorizzazione negata|autorizzazioni insufficienti|accesso negato|accesso vietato|accesso non consentito|
		accesso non autorizzato|non autorizzato~|non autorizzata|vietato|vietata|proibito|negato|negata|privilegi insufficienti|
		non hai accesso|senza permesso|solo amministratori`},
	{"it", says, unauthenticated, 5, "common", `
		autenticazione fallita|autenticazione non riuscita|autenticazione con password~|errore di autenticazione|
		autenticazione richiesta|richiede autenticazione|non autenticato~|accesso non effettuato|effettua l'accesso|
		effettuare l'accesso|effettuare il login|password errata|password non corretta|password non valida|
		credenziali non valide|credenziali errate|credenziali~|nome utente o password~|sessione scaduta|la sessione e scaduta|
		token scaduto|token non valido|chiave api~|chiave dell'api~`},
	{"it", says, exists, 5, "PostgreSQL, common", `
		esiste gia|esistono gia|gia esistente~|gia esiste|gia presente~|gia registrato~|gia in uso|gia utilizzato~|duplicato|
		duplicata|chiave duplicata|vincolo di unicita~|vincolo univoco~|valore duplicato`},
	{"it", says, precondition, 4, "common", `
		gia|conflitto~|sola lettura|bloccato|bloccata|disattivato|disattivata|disabilitato|disabilitata|chiuso|chiusa|scaduto|
		scaduta|archiviato|archiviata|annullato|annullata|non puo essere eliminato~|non puo essere modificato~|
		non puo essere rimosso~|impossibile eliminare|impossibile modificare|non consentito~|non consentita~|non e consentito~|
		non permesso|non ammesso~|non e attivo|non e attiva|non attivo|non abilitato~|in uso|e in uso|obsoleto|
		non disponibile per|esaurito|non piu|rifiutato|rifiutata|respinto|sospeso|sospesa|terminato|terminata|prima di|
		e stato modificato`},
	{"it", says, limit, 5, "common", `
		quota~|limite raggiunto|limite superato|limite di utilizzo|limite mensile|limite giornaliero|raggiunto il limite|
		superato il limite|numero massimo~|saldo insufficiente|fondi insufficienti|credito insufficiente|crediti insufficienti|
		crediti esauriti|pagamento~|abbonamento~|piano|piano attuale|fatturazione|aggiorna il piano|passa a`},
	{"it", says, throttled, 5, "common", `
		troppe richieste|troppe chiamate|troppi tentativi|limite di richieste|limite di frequenza|limite di velocita|
		richieste al minuto|richieste al secondo|troppo frequent~`},
	{"it", says, timedOut, 4, "PostgreSQL, common", `
		tempo scaduto|tempo di attesa scaduto|tempo di attesa superato|tempo di attesa~|tempo massimo superato|
		tempo limite superato|tempo limite scaduto|tempo limite~|timeout scaduto|timeout superato|timeout della~|
		timeout di connessione|timeout durante~|non ha risposto in tempo|non ha risposto entro~|impiegato troppo tempo|
		scadenza superata`},
	{"it", says, unavailable, 4, "PostgreSQL, common", `
		temporaneamente non disponibile|non disponibile temporaneamente|temporaneamente indisponibile|
		momentaneamente non disponibile|attualmente non disponibile|non disponibile al momento|servizio non disponibile|
		servizio non e disponibile|server non disponibile|server non e disponibile|servizio indisponibile|connessione rifiutata|
		connessione negata|connessione fallita|connessione non riuscita|impossibile connettersi~|impossibile collegarsi~|
		impossibile stabilire~|impossibile raggiungere|impossibile contattare|errore di connessione|errore nella connessione|
		non risponde|non raggiungibile|irraggiungibile|server occupato|sistema occupato|sovraccarico|sovraccarica|
		deadlock rilevato|rilevato deadlock|stallo~|individuato stallo|in manutenzione|manutenzione|troppe connessioni|
		troppi client~|in fase di avvio|in avvio|database bloccato|database e bloccato|serializzare l'accesso`},
	{"it", says, replyLost, 4, "common", `
		connessione persa|connessione interrotta|connessione chiusa|connessione reimpostata|connessione ripristinata|
		connessione e stata chiusa|connessione e stata interrotta|persa la connessione|errore interno del server|
		errore del server|errore di rete|problema di rete`},
	{"it", says, replyLost, 2, "common", `
		riprova piu tardi|riprovare piu tardi|riprova tra~|riprovare tra~|si prega di riprovare piu tardi|piu tardi`},
	{"it", takesBack, unknown, 2, "", `
		inviato|inviata|inviati|creato|creata|salvato|salvata|addebitato|addebitata|pagato|pagata|effettuato|effettuata|
		elaborato|emesso|emessa|consegnato|prenotato|prenotata|pubblicato|pubblicata|mensile|giornaliero|al giorno|al mese|
		gratuit~|politica|certificato~|regione|paese|firewall|host sconosciuto|non riprovare|permanentemente|definitiv~|
		il tuo account|l'utente non|approvazione|nome host|finche`},
	{"it", negates, unknown, 0, "", "non|nessun|nessuna|nessuno|senza|mai|impossibile"},
	{"it", subordinates, unknown, 0, "", "dopo|prima|mentre|quando|se|sebbene|durante|fino"},
	{"it", explains, unknown, 0, "", "perche|poiche|a causa~|ma|tuttavia|motivo"},
	{"it", attempts, unknown, 0, "", "errore|impossibile|fallito|fallita|non riuscito|non riuscita"},
	{"it", ifConnection, replyLost, 4, "", "persa|interrotta|chiusa|rifiutata|reimpostata|fallita|caduta"},
	{"it", connection, unknown, 0, "", "connessione"},
	{"it", asks, unknown, 0, "", "riprova|riprovare"},
	{"it", nothing, unknown, 0, "", "il|lo|gli|di|nel|della|questo|questa|con"},
	{"it", nothing, unknown, 0, "", "errore sconosciuto|errore imprevisto|si e verificato un errore"},
}

var russian = []phrases{
	{"ru", says, notFound, 4, "PostgreSQL, Windows, common", `
		не найден~|не найдено|не найдена|не найдены|не удалось найти|не существует|не существуют|несуществующ~|отсутствует в~|
		нет такого~|нет такой~|неизвестный пользователь|неизвестная таблица|неизвестная команда|ничего не найдено|был удален~|
		не обнаружен~|больше не существует|не удается найти|невозможно найти`},
	{"ru", ifNot, notFound, 3, "common", "найден|найдена|найдено|существует"},
	{"ru", says, invalid, 3, "common", `
		неверн~|некорректн~|недопустим~|неправильн~|невалидн~|ошибочн~|недействительн~|синтаксическая ошибка|ошибка синтаксиса|
		ошибка валидации|ошибка проверки|неизвестный параметр|неизвестное поле|неизвестный тип|не поддерживается|
		не поддерживаются|неподдерживаем~|слишком длинн~|слишком больш~|слишком коротк~|слишком маленьк~|должен быть|
		должна быть|должно быть|должны быть|должен содержать|не должен|не должно|не может быть отрицательн~|вне диапазона|
		вне допустимого~|превышает максимальн~|превышает допустим~|превышен размер|превышена длина|нарушает ограничение~|
		не соответствует|не является`},
	{"ru", says, missing, 4, "common", `
		обязательн~|требуется|требуются|необходимо указать|не указан~|не задан~|не передан~|не заполнен~|отсутствует|
		отсутствуют|не может быть пуст~|не должно быть пуст~|не должен быть пуст~|пустое значение|укажите|пропущен`},
	{"ru", says, denied, 4, "PostgreSQL, Windows", `
		нет доступа|доступ запрещен~|доступ закрыт|доступ ограничен|отказано в доступе|в доступе отказано|нет прав~|
		недостаточно прав|недостаточно привилегий|недостаточно полномочий|нет разрешения|запрещено|запрещен|запрещена|
		не авторизован для|не имеете прав~|не имеет прав~|не разрешено|только администратор~|доступ отклонен`},
	{"ru", says, unauthenticated, 5, "common", `
		не авторизован~|неавторизован~|ошибка авторизации|ошибка аутентификации|не прошел проверку~|не прошел аутентификацию|
		требуется авторизация|требуется аутентификация|требуется вход|необходима авторизация|необходимо авторизоваться|
		необходимо войти|войдите в~|неверный пароль|неправильный пароль|неверный логин~|неверное имя пользователя~|
		неверные учетные данные|учетные данные~|сессия истекла|срок действия сессии~|сеанс истек|срок действия токена~|
		токен истек|токен недействителен|недействительный токен|неверный токен|просроченный токен|неверный ключ api|
		неверный api~|ключ api~|api ключ~`},
	{"ru", says, exists, 5, "PostgreSQL, common", `
		уже существует|уже существуют|уже есть|уже зарегистрирован~|уже занят~|уже используется|дубликат~|дублируется|
		повторяющееся значение~|повторяющийся~|нарушает ограничение уникальности|ограничение уникальности`},
	{"ru", says, precondition, 4, "common", `
		уже|конфликт~|только для чтения|только чтение|заблокирован~|отключен|отключена|отключено|деактивирован~|закрыт|закрыта|
		закрыто|истек|истекла|истек срок~|просрочен~|в архиве|архивирован~|отменен~|нельзя удалить|нельзя изменить|нельзя|
		невозможно удалить|невозможно изменить|не может быть удален~|не может быть изменен~|не активен|не активна|неактивн~|
		не включен~|используется другим|устарел~|больше не|недоступно для|недоступен для|нет в наличии|закончил~|отклонен~|
		отказ|отказано|приостановлен~|завершен~|сначала|был изменен~`},
	{"ru", says, limit, 5, "common", `
		квот~|лимит исчерпан|лимит превышен|превышен лимит|исчерпан лимит|достигнут лимит|дневной лимит|суточный лимит|
		месячный лимит|максимальное количество~|максимальное число~|недостаточно средств|недостаточный баланс|
		недостаточно баланса|недостаточно кредит~|оплат~|подписк~|тариф~|пополните|баланс~`},
	{"ru", says, throttled, 5, "common", `
		слишком много запросов|слишком много попыток|слишком много вызовов|слишком часто|слишком частые~|
		превышен лимит запросов|превышено количество запросов|превышено число запросов|лимит запросов|ограничение частоты~|
		ограничение скорости|запросов в минуту|запросов в секунду`},
	{"ru", says, timedOut, 4, "PostgreSQL, Windows, common", `
		время ожидания истекло|истекло время~|превышено время~|превышен таймаут~|превышен тайм аут|превышен интервал~|
		превышен лимит времени|тайм аут~|таймаут~|время ожидания~|время вышло|не ответил вовремя|не отвечает вовремя|
		не получен ответ~|превышено допустимое время~|по тайм ауту|по таймауту`},
	{"ru", says, unavailable, 4, "PostgreSQL, Windows, common", `
		временно недоступ~|временно не~|сервис недоступен|сервер недоступен|сервис не доступен|сервер не доступен|
		служба недоступна|недоступен в данный~|недоступна в данный~|сейчас недоступ~|в данный момент недоступ~|
		в соединении отказано|в подключении отказано|соединение отклонено|подключение отклонено|отказано в подключении|
		не удалось подключиться~|не удалось установить соединение|не удалось установить подключение|не удается подключиться~|
		не удалось соединиться~|невозможно подключиться~|невозможно установить соединение|ошибка подключения|ошибка соединения|
		ошибка при подключении|нет соединения~|нет подключения~|не отвечает|сервер занят|сервер перегружен|перегружен~|
		взаимоблокировк~|обнаружена взаимоблокировка|техническ~ работ~|технические работы|на обслуживании|
		слишком много подключений|слишком много соединений|запускается|завершает работу|база данных заблокирована|
		не удалось сериализовать~`},
	{"ru", says, replyLost, 4, "common", `
		соединение разорвано|соединение прервано|соединение закрыто|соединение потеряно|соединение сброшено|
		подключение разорвано|подключение прервано|потеряно соединение|разрыв соединения|обрыв соединения|
		внутренняя ошибка сервера|ошибка сервера|ошибка сети|сетевая ошибка|проблемы с сетью|сбой сети`},
	{"ru", says, replyLost, 2, "common", `
		попробуйте позже|попробуйте позднее|повторите попытку позже|повторите попытку через|повторите позже|
		повторите запрос позже|попробуйте снова через|попробуйте еще раз позже`},
	{"ru", takesBack, unknown, 2, "", `
		отправлен~|создан|создана|создано|сохранен~|списан~|оплачен~|доставлен~|оформлен~|забронирован~|выполнен~|опубликован~|
		обработан~|в день|в месяц|ежедневн~|ежемесячн~|в сутки|бесплатн~|политик~|сертификат~|регион~|стран~|брандмауэр~|
		файрвол~|неизвестный хост|не повторяйте|навсегда|окончательно|ваш аккаунт|пользователь не|подтвержден~|имя хоста|
		до тех пор|пока не`},
	{"ru", negates, unknown, 0, "", "не|нет|без|ни|никогда|невозможно"},
	{"ru", subordinates, unknown, 0, "", "после|перед|пока|когда|если|хотя|во время|при|прежде|до"},
	{"ru", explains, unknown, 0, "", "потому|так как|из за|но|однако|причина|поскольку"},
	{"ru", attempts, unknown, 0, "", "ошибка|не удалось|ошибка при|не удается"},
	{"ru", ifConnection, replyLost, 4, "", "разорван~|прерван~|закрыт~|потерян~|сброшен~|отклонен~|отказано"},
	{"ru", connection, unknown, 0, "", "соединени~|подключени~"},
	{"ru", asks, unknown, 0, "", "повторите попытку|попробуйте еще раз|попробуйте снова|повторите запрос"},
	{"ru", nothing, unknown, 0, "", "неизвестная ошибка|произошла ошибка|непредвиденная ошибка"},
}

var turkish = []phrases{
	{"tr", says, notFound, 4, "common", `
		bulunamadi|bulunamiyor|bulunmuyor|bulunmamaktadir|bulunamamistir|mevcut degil|mevcut degildir|yok|yoktur|var olmayan|
		boyle bir~|bilinmeyen kullanici|bilinmeyen dosya|sonuc bulunamadi|silinmis|silindi`},
	{"tr", says, invalid, 3, "common", `
		gecersiz~|hatali~|yanlis~|uygun degil|gecerli degil~|gecerli bir~|sozdizimi hatasi|soz dizimi hatasi|dogrulama hatasi|
		bicim hatasi|bilinmeyen parametre|bilinmeyen alan|bilinmeyen secenek|desteklenmiyor~|desteklenmeyen|cok uzun|cok buyuk|
		cok kisa|cok kucuk|olmalidir|olmali|icermelidir|olmamali~|aralik disinda|araligin disinda|asamaz|maksimum uzunlu~|
		kisitlamasini ihlal~|beklenmeyen~|eslesmiyor|uyusmuyor`},
	{"tr", says, missing, 4, "common", `
		zorunlu~|gerekli~|gereklidir|gerekiyor|eksik~|bos olamaz|bos birakilamaz|bos olmamali~|belirtilmedi|belirtilmemis|
		belirtilmelidir|girilmedi|saglanmadi|verilmedi|belirtin|girin`},
	{"tr", says, denied, 4, "common", `
		erisim engellendi|erisim reddedildi|erisim izni yok|erisim yetkiniz~|izin verilmedi|izin reddedildi|izin yok|
		izniniz yok|iznin yok|yetkiniz yok~|yetkisi yok|yetkisiz~|yetki yok|yetersiz yetki|yetersiz izin|yasak~|yasaklandi|
		reddedildi|izni yok|yetkili degil~`},
	{"tr", says, unauthenticated, 5, "common", `
		kimlik dogrulama basarisiz~|kimlik dogrulama hatasi|kimlik dogrulamasi~|kimlik dogrulama gerekli|oturum acmaniz~|
		oturum acilmadi|oturum acin|oturum suresi~|oturumunuz~|oturum sona erdi|giris yapin~|giris yapmaniz~|giris yapmalisiniz|
		giris basarisiz|sifre hatali|hatali sifre|yanlis sifre|gecersiz sifre|parola hatali|yanlis parola|kullanici adi veya~|
		kimlik bilgileri~|token suresi~|gecersiz token|token gecersiz|gecersiz api~|api anahtari~`},
	{"tr", says, exists, 5, "common", `
		zaten var|zaten mevcut|zaten kayitli|zaten kullanimda|zaten kullaniliyor|zaten alinmis|yinelenen~|tekrarlanan~|
		benzersiz olmali~|benzersizlik~|cift kayit`},
	{"tr", says, precondition, 4, "common", `
		zaten|cakisma~|catisma~|salt okunur|kilitli|kilitlendi|devre disi~|pasif|kapali|kapatilmis|suresi doldu|suresi dolmus|
		suresi gecmis|arsivlendi|arsivlenmis|iptal edildi|iptal edilmis|silinemez|degistirilemez|guncellenemez|izin verilmiyor|
		aktif degil~|etkin degil~|kullanimda|kullaniliyor|kullanimdan kaldirildi|artik|stokta yok|tukendi|reddedilmis|
		askiya alindi|askiya alinmis|tamamlanmis|once|degistirilmis`},
	{"tr", says, limit, 5, "common", `
		kota~|limit asildi|limite ulasildi|limiti asildi|limitiniz~|limitine ulasti~|gunluk limit~|aylik limit~|maksimum sayi~|
		azami sayi~|yetersiz bakiye|bakiye yetersiz|bakiye~|kredi yetersiz|yetersiz kredi|odeme~|abonelik~|aboneliginiz~|
		planiniz~|plan|paket~|fatura~|yukseltin`},
	{"tr", says, throttled, 5, "common", `
		cok fazla istek~|cok fazla deneme~|cok fazla cagri~|cok fazla talep~|istek siniri~|istek limiti~|hiz siniri~|
		hiz limiti~|dakikada~ istek~|saniyede~ istek~|cok sik~`},
	{"tr", says, timedOut, 4, "common", `
		zaman asimi~|zaman asimina~|zamanasimi~|zamanasimina~|sure asimi~|istek zaman asimina~|baglanti zaman asimi~|
		suresi asildi|zamaninda yanit~|zamaninda cevap~|yanit alinamadi|cevap alinamadi|cok uzun surdu`},
	{"tr", says, unavailable, 4, "common", `
		gecici olarak kullanilamiyor|gecici olarak hizmet~|gecici olarak erisilemiyor|su anda kullanilamiyor|
		su an kullanilamiyor|su anda hizmet~|hizmet kullanilamiyor|hizmet disi~|servis kullanilamiyor|servis disi~|
		sunucu kullanilamiyor|sunucuya ulasilamiyor~|sunucuya erisilemiyor|sunucuya baglanilamadi|sunucuya baglanilamiyor|
		ulasilamiyor|erisilemiyor|baglanti reddedildi|baglanilamadi|baglanti kurulamadi|baglanti kurulamiyor|baglanti hatasi|
		baglanti basarisiz~|yanit vermiyor|cevap vermiyor|sunucu mesgul|sistem mesgul|mesgul|asiri yuk~|yogunluk~|bakim~|
		bakimda|cok fazla baglanti~|kilitlenme~|olumcul kilitlenme|baslatiliyor|kapatiliyor`},
	{"tr", says, replyLost, 4, "common", `
		baglanti kesildi|baglanti koptu|baglanti kapatildi|baglanti sifirlandi|baglanti kaybedildi|baglanti sonlandirildi|
		sunucu hatasi|dahili sunucu hatasi|ic sunucu hatasi|ag hatasi|ag sorunu`},
	{"tr", says, replyLost, 2, "common", "daha sonra tekrar~|sonra tekrar deneyin~|sonra yeniden~|daha sonra deneyin~"},
	{"tr", takesBack, unknown, 2, "", `
		gonderildi|olusturuldu|kaydedildi|tahsil edildi|odendi|teslim edildi|rezerve edildi|yayinlandi|islendi|tamamlandi|aylik|
		gunluk|gunde|ayda|ucretsiz~|politika~|sertifika~|bolge~|ulke~|guvenlik duvari~|bilinmeyen ana~|tekrar denemeyin|kalici~|
		hesabiniz~|kullanici yanit~|onay~|engellendi|engellenmis|kadar`},
	{"tr", subordinates, unknown, 0, "", "sonra|once|iken|sirasinda|eger"},
	{"tr", attempts, unknown, 0, "", "hata|hatasi|basarisiz~|yapilamadi"},
	{"tr", ifConnection, replyLost, 4, "", "kesildi|koptu|kapatildi|reddedildi|sifirlandi|kayboldu"},
	{"tr", connection, unknown, 0, "", "baglanti|baglantisi"},
	{"tr", asks, unknown, 0, "", "tekrar deneyin|yeniden deneyin"},
	{"tr", nothing, unknown, 0, "", "bu|bir|ve|icin|lutfen|ile|olarak"},
	{"tr", nothing, unknown, 0, "", `
		bilinmeyen hata|beklenmeyen hata|bilinmeyen bir hata|beklenmeyen bir hata|bir hata olustu`},
}
