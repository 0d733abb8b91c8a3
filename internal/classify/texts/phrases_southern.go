//nolint:misspell // it is Portuguese and Italian
package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// The wordings of programs in Portuguese and Italian, as their operating systems,
// databases and frameworks are translated, and as programmers write them.

var portuguese = []phrases{
	{"pt", says, class.NotFound, 4, "PostgreSQL, Windows, common", `
		nao encontrado~|nao encontrada~|nao foi encontrado~|nao foi encontrada~|nao foi possivel encontrar|
		nao foi possivel localizar|nao localizado~|nao localizada~|nao existe|nao existem|inexistente~|desconhecido|
		desconhecida|nenhum resultado|sem resultados|nenhum registro encontrado|foi excluido|foi removido|ja nao existe|
		nao existe mais`},
	{"pt", ifNot, class.NotFound, 3, "common", "encontrado|encontrada|encontrados|encontradas|existe|dados|registros|resultados|informacoes"},
	{"pt", says, class.Invalid, 3, "common", `
		invalido~|invalida~|nao e valido~|nao e valida~|incorreto~|incorreta~|malformado~|mal formado~|formato incorreto|desconhecid~|
		tipo incorreto|erro de sintaxe|erro de validacao|falha na validacao|falha de validacao|requisicao invalida|
		solicitacao invalida|requisicao incorreta|parametro desconhecido|campo desconhecido|nao suportado~|nao suportada~|
		nao e suportado~|muito longo|muito longa|muito grande|muito curto|muito curta|muito pequeno|corrompid~|danificad~|caracteres nao permitidos|caractere nao permitido|posterior~|anterior~|deve ser|devem ser|deve ter|
		deve conter|deve estar|nao deve|nao pode ser negativ~|fora do intervalo|fora dos limites|excede o tamanho~|
		excede o maximo|viola a restricao~|viola restricao~|inesperado~|inesperada~|nao corresponde~|nao reconhecido~`},
	{"pt", says, class.Invalid, 2, "common", "deve|devem"},
	{"pt", ifNot, class.Invalid, 3, "common", "valido|valida|validos|validas|correto|correta|suportado|suportada|reconhecido|reconhecida|compativel|aceito"},
	{"pt", ifNot, class.Denied, 3, "common", "membro|autorizado|autorizada|permissao|permissoes|acesso|autorizacao"},
	{"pt", says, class.Missing, 4, "common", `
		obrigatorio~|obrigatoria~|requerido|requerida|e necessario~|faltando|falta|ausente~|nao informado~|nao informada~|
		nao fornecido~|nao especificado~|ao menos um|ao menos uma|pelo menos um|pelo menos uma|faltou|informe ao~|informe o~|informe a~|deve ser informado~|deve ser fornecido~|deve informar|nao pode ser vazio~|
		nao pode ser vazia~|nao pode estar vazio~|nao pode estar vazia~|nao pode ser nulo|esta vazio|esta vazia|em branco`},
	{"pt", says, class.Denied, 4, "PostgreSQL, Windows", `
		permissao negada|permissoes insuficientes|permissao insuficiente|sem permissao|nao tem permissao|nao possui permissao|
		acesso negado|acesso proibido|acesso restrito|acesso nao autorizado|nao autorizado~|nao autorizada|nao esta autorizado~|
		proibido|proibida|negado|negada|privilegios insuficientes|sem privilegio~|apenas o proprietario|somente o proprietario|permissoes de administrador|privilegios de administrador|requer permissao~|nao tem acesso|sem acesso|somente administradores|
		apenas administradores`},
	{"pt", says, class.Unauthenticated, 5, "common", `
		falha na autenticacao|falha de autenticacao|autenticacao falhou|autenticacao do tipo senha~|erro de autenticacao|
		autenticacao necessaria|requer autenticacao|nao autenticado~|nao esta logado|faca login|fazer login|efetue login|
		senha incorreta|senha invalida|credenciais invalidas|credenciais incorretas|credenciais~|usuario ou senha~|
		sessao expirada|sessao expirou|token expirado|token expirou|token invalido|chave de api~|chave api~|chave da api~`},
	{"pt", says, class.Exists, 5, "PostgreSQL, common", `
		ja existe|ja existem|ja cadastrado~|ja cadastrada~|ja registrado~|ja esta em uso|ja em uso|ja esta cadastrado~|
		duplicado|duplicada|chave duplicada|duplicar valor da chave~|restricao de unicidade|valor duplicado`},
	{"pt", says, class.Precondition, 4, "common", `
		ja|conflito~|somente leitura|apenas leitura|so leitura|bloqueado|bloqueada|desativado|desativada|desabilitado|
		desabilitada|fechado|fechada|encerrado|encerrada|expirado|expirada|vencido|vencida|arquivado|arquivada|expirou|nao esta vazio|nao esta vazia|cancelado|
		cancelada|nao pode ser excluido~|nao pode ser alterado~|nao pode ser removido~|nao e possivel excluir|
		nao e possivel alterar|nao e possivel remover|nao permitido~|nao permitida~|nao e permitido~|nao esta ativo|
		nao esta ativa|nao esta habilitad~|em uso|obsoleto|descontinuado|nao disponivel para|esgotado|fora de estoque|
		sem estoque|estoque insuficiente|insuficiente~|rejeitado|rejeitada|recusado|recusada|suspenso|suspensa|finalizado|primeiro|
		foi modificado|foi alterado`},
	{"pt", says, class.Limit, 5, "common", `
		cota excedida|cota atingida|cota esgotada|limite do seu plano|limite atingido|limite excedido|limite ultrapassado|limite de uso|limite mensal|limite diario|atingiu o limite|
		numero maximo~|quantidade maxima~|saldo insuficiente|fundos insuficientes|creditos insuficientes|sem creditos|
		credito insuficiente|pagamento recusado|atualize seu plano|faca upgrade`},
	{"pt", says, class.Limit, 3, "common", "ultrapassado|ultrapassada|credito excedido|excedeu"},
	{"pt", says, class.Limit, 2, "the names of plans and quotas", "cota~|pagamento~|assinatura~|plano|plano atual|faturamento|orcamento~"},
	{"pt", access, class.Unknown, 0, "", "chave|chaves|senha|credenciais"},
	{"pt", ifNot, class.Precondition, 3, "common", "vaga|vagas|disponivel|disponiveis|estoque|possivel cancelar|possivel alterar|pode cancelar~"},
	{"pt", ifAccess, class.Unauthenticated, 5, "common", "expirado|expirou|invalido~|nao e valido|revogado"},
	{"pt", says, class.Throttled, 5, "common", `
		muitas requisicoes|muitas requisicoes enviadas|muitas solicitacoes|muitos pedidos|muitas tentativas|muitas chamadas|excesso de requisicoes|
		excesso de solicitacoes|demasiados pedidos|limite de requisicoes|limite de requisicoes excedido|limite de solicitacoes excedido|limite de solicitacoes|limite de taxa|
		requisicoes por minuto|requisicoes por segundo|solicitacoes por minuto|com muita frequencia`},
	{"pt", isRate, class.Unknown, 0, "", "por minuto|por segundo"},
	{"pt", says, class.TimedOut, 4, "PostgreSQL, common", `
		tempo limite excedido|tempo limite esgotado|tempo limite atingido|tempo limite~|tempo esgotado|tempo excedido|
		tempo de espera esgotado|tempo de espera excedido|tempo de espera~|tempo de resposta excedido|tempo de resposta esgotado|esgotou o tempo~|
		excedeu o tempo~|expirou o tempo~|nao respondeu a tempo|demorou muito~|demorou demais|tempo de execucao excedido`},
	{"pt", says, class.Unavailable, 4, "PostgreSQL, common", `
		temporariamente indisponivel|indisponivel temporariamente|indisponivel no momento|momentaneamente indisponivel|
		atualmente indisponivel|servico indisponivel|servico esta indisponivel|servidor indisponivel|servidor esta indisponivel|
		sistema indisponivel|fora do ar|conexao recusada|conexao negada|conexao falhou|falha na conexao|falha de conexao|
		falha ao conectar|erro de conexao|erro ao conectar|nao foi possivel conectar~|nao foi possivel contatar~|nao foi possivel comunicar~|nao foi possivel estabelecer~|
		nao foi possivel se conectar~|nao responde|nao esta respondendo|inacessivel no momento|servidor ocupado|sistema ocupado|
		sobrecarregado|sobrecarregada|impasse detectado|deadlock detectado|em manutencao|manutencao|muitas conexoes|
		muitos clientes~|esta iniciando|banco de dados bloqueado|banco de dados esta bloqueado|nao pode serializar~`},
	{"pt", says, class.ReplyLost, 4, "common", `
		conexao perdida|conexao interrompida|conexao fechada|conexao encerrada|conexao redefinida|conexao foi fechada|
		conexao foi perdida|conexao foi redefinida|perda de conexao|erro interno do servidor|erro interno no servidor|
		erro do servidor|erro no servidor|erro de rede|problema de rede|falha de rede|falha na rede`},
	{"pt", says, class.ReplyLost, 2, "common", "tente novamente mais tarde|tente mais tarde|tente novamente em~|mais tarde"},
	{"pt", takesBack, class.Unknown, 2, "", `
		com sucesso|executado|executada|iniciado|iniciada|transferido|confirmado|confirmada|efetuado|efetuada|enviado|enviada|enviados|criado|criada|salvo|salva|cobrado|cobrada|pago|paga|realizado|realizada|processado|processada|
		emitido|emitida|entregue|reservado|reservada|publicado|publicada|mensal~|diario|diaria|por dia|por mes|gratuit~|
		politica|certificado~|regiao|pais|firewall|host desconhecido|nao tente~|permanentemente|definitiv~|sua conta|
		o usuario nao respondeu|o usuario nao confirmou|o usuario nao aceitou|aprovacao|nome do host|ate que`},
	{"pt", contrasts, class.Unknown, 0, "", "mas|porem|contudo"},
	{"pt", negates, class.Unknown, 0, "", "nao|apenas|somente|nenhum|nenhuma|sem|nunca"},
	{"pt", subordinates, class.Unknown, 0, "", "depois|apos|antes|enquanto|quando|se|embora|durante|ate"},
	{"pt", explains, class.Unknown, 0, "", "porque|devido|mas|porem|entretanto|motivo|por causa~"},
	{"pt", attempts, class.Unknown, 0, "", "erro|falha|erro ao|falha ao|nao foi possivel|falhou"},
	{"pt", ifConnection, class.ReplyLost, 4, "", "perdida|interrompida|fechada|encerrada|recusada|redefinida|falhou"},
	{"pt", connection, class.Unknown, 0, "", "conexao"},
	{"pt", asks, class.Unknown, 0, "", "tente novamente|tente de novo"},
	{"pt", nothing, class.Unknown, 0, "", "os|uma|em|foi|um|informar|deve|ao|campo|valor|arquivo|registro|usuario|seu|sua|esta|este|com"},
	{"pt", nothing, class.Unknown, 0, "", "erro desconhecido|motivo desconhecido|causa desconhecida|erro inesperado|ocorreu um erro"},
}

var italian = []phrases{
	{"it", says, class.NotFound, 4, "PostgreSQL, Windows, common", `
		non trovato~|non trovata~|non trovati|non trovate|non e stato trovato~|non e stata trovata~|impossibile trovare|
		non e possibile trovare|non esiste|non esistono|inesistente~|sconosciuto|sconosciuta|nessun risultato|
		nessun file o directory~|e stato eliminato|e stato rimosso|non esiste piu|non presente`},
	{"it", ifNot, class.NotFound, 3, "common", "trovato|trovata|trovati|trovate|esiste|dati|risultati|informazioni"},
	{"it", says, class.Invalid, 3, "common", `
		non valido~|non valida~|non validi|non valide|invalido~|invalida~|non corretto~|non corretta~|errato|errata|errati|
		sconosciut~|formato errato|malformato~|errore di sintassi|errore di validazione|validazione fallita|richiesta non valida|
		parametro sconosciuto|campo sconosciuto|non supportato~|non supportata~|non e supportato~|troppo lungo|troppo lunga|
		troppo grande|troppo corto|troppo corta|troppo piccolo|danneggiat~|corrott~|caratteri non ammessi|caratteri non consentiti|successiv~|precedente a~|deve essere|devono essere|deve avere|deve contenere|non deve|
		non puo essere negativ~|fuori intervallo|fuori dai limiti|supera la dimensione~|supera la lunghezza~|supera il massimo|
		viola il vincolo~|inatteso~|inattesa~|non corrisponde~|non riconosciuto~`},
	{"it", says, class.Invalid, 2, "common", "deve|devono"},
	{"it", ifNot, class.Invalid, 3, "common", "valido|valida|validi|valide|corretto|corretta|supportato|supportata|riconosciuto|riconosciuta|compatibile|ammesso"},
	{"it", ifNot, class.Denied, 3, "common", "membro|autorizzato|autorizzata|permesso|permessi|accesso|abilitato|autorizzazione"},
	{"it", says, class.Missing, 4, "common", `
		obbligatorio~|obbligatoria~|richiesto|richiesta obbligatoria|e richiesto|e richiesta|sono richiesti|mancante~|mancanti|
		manca|mancano|almeno un|almeno una|inserire|inserisci|specificare|non specificato~|non specificata~|non fornito~|non fornita~|deve essere specificato~|deve essere fornito~|
		non puo essere vuoto~|non puo essere vuota~|non puo essere nullo|e vuoto|e vuota|necessario specificare`},
	{"it", says, class.Denied, 4, "PostgreSQL, Windows", `
		permesso negato|permessi insufficienti|permessi non sufficienti|permessi mancanti|non hai i permessi|non si dispone~|
		autorizzazione negata|autorizzazioni insufficienti|accesso negato|accesso vietato|accesso non consentito|
		accesso non autorizzato|non autorizzato~|non autorizzata|vietato|vietata|proibito|negato|negata|privilegi insufficienti|
		non hai accesso|senza permesso|permessi di amministratore|solo il proprietario|solo gli amministratori|diritti di amministratore|solo amministratori`},
	{"it", says, class.Unauthenticated, 5, "common", `
		autenticazione fallita|autenticazione non riuscita|autenticazione con password~|errore di autenticazione|
		autenticazione richiesta|autenticazione necessaria|richiede autenticazione|non autenticato~|accesso non effettuato|effettua l'accesso|
		effettuare l'accesso|effettuare il login|password errata|password non corretta|password non valida|
		credenziali non valide|credenziali errate|credenziali~|nome utente o password~|sessione scaduta|la sessione e scaduta|
		token scaduto|token non valido|chiave api~|chiave dell'api~`},
	{"it", says, class.Exists, 5, "PostgreSQL, common", `
		esiste gia|esistono gia|gia esistente~|gia esiste|gia presente~|gia registrato~|gia in uso|gia utilizzato~|duplicato|
		duplicata|chiave duplicata|vincolo di unicita~|vincolo univoco~|valore duplicato`},
	{"it", says, class.Precondition, 4, "common", `
		gia|e scaduto|e scaduta|non e vuoto|non e vuota|conflitto~|sola lettura|bloccato|bloccata|disattivato|disattivata|disabilitato|disabilitata|chiuso|chiusa|scaduto|
		scaduta|archiviato|archiviata|annullato|annullata|non puo essere eliminato~|non puo essere modificato~|
		non puo essere rimosso~|impossibile eliminare|impossibile modificare|non consentito~|non consentita~|non e consentito~|
		non permesso|non ammesso~|non e attivo|non e attiva|non attivo|non abilitato~|in uso|e in uso|obsoleto|
		non disponibile per|esaurito|esaurita|esauriti|esaurite|al completo|scorte insufficienti|insufficiente|insufficienti|non piu|rifiutato|rifiutata|respinto|sospeso|sospesa|terminato|terminata|prima di|
		e stato modificato`},
	{"it", says, class.Limit, 5, "common", `
		quota superata|quota esaurita|limite del tuo piano|limite raggiunto|limite superato|limite di utilizzo|limite mensile|limite giornaliero|raggiunto il limite|
		superato il limite|numero massimo~|saldo insufficiente|fondi insufficienti|credito insufficiente|crediti insufficienti|
		crediti esauriti|credito esaurito|pagamento rifiutato|aggiorna il piano`},
	{"it", says, class.Limit, 2, "the names of plans and quotas", "quota~|pagamento~|abbonamento~|piano|piano attuale|fatturazione|passa a"},
	{"it", access, class.Unknown, 0, "", "chiave|chiavi|credenziali|password"},
	{"it", ifNot, class.Precondition, 3, "common", "disponibile|disponibili|disponibilita|posti|possibile annullare|possibile modificare"},
	{"it", ifAccess, class.Unauthenticated, 5, "common", "scaduto|e scaduto|non valido~|revocato|errato|errata|errati|errate"},
	{"it", says, class.Throttled, 5, "common", `
		troppe richieste|troppe richieste inviate|troppe chiamate|troppi tentativi|limite di richieste|limite di frequenza|limite di velocita|
		richieste al minuto|richieste al secondo|troppo frequent~`},
	{"it", isRate, class.Unknown, 0, "", "al minuto|al secondo"},
	{"it", says, class.TimedOut, 4, "PostgreSQL, common", `
		tempo scaduto|tempo di attesa scaduto|tempo di attesa superato|tempo di attesa~|tempo massimo superato|
		tempo limite superato|tempo limite scaduto|tempo limite~|timeout scaduto|timeout superato|timeout della~|
		timeout di connessione|timeout durante~|non ha risposto in tempo|non ha risposto entro~|impiegato troppo tempo|
		scadenza superata`},
	{"it", says, class.Unavailable, 4, "PostgreSQL, common", `
		temporaneamente non disponibile|non disponibile temporaneamente|temporaneamente indisponibile|
		momentaneamente non disponibile|attualmente non disponibile|non disponibile al momento|servizio non disponibile|
		servizio non e disponibile|server non disponibile|server non e disponibile|servizio indisponibile|connessione rifiutata|
		connessione negata|connessione fallita|connessione non riuscita|impossibile connettersi~|impossibile collegarsi~|
		impossibile stabilire~|impossibile raggiungere|impossibile contattare|errore di connessione|errore nella connessione|
		non risponde|non raggiungibile|irraggiungibile|server occupato|sistema occupato|sovraccarico|sovraccarica|
		deadlock rilevato|rilevato deadlock|stallo~|individuato stallo|in manutenzione|manutenzione|troppe connessioni|
		troppi client~|in fase di avvio|in avvio|database bloccato|database e bloccato|serializzare l'accesso`},
	{"it", says, class.ReplyLost, 4, "common", `
		connessione persa|connessione interrotta|connessione chiusa|connessione reimpostata|connessione ripristinata|
		connessione e stata chiusa|connessione e stata interrotta|persa la connessione|errore interno del server|
		errore del server|errore di rete|problema di rete`},
	{"it", says, class.ReplyLost, 2, "common", `
		riprova piu tardi|riprovare piu tardi|riprova tra~|riprovare tra~|si prega di riprovare piu tardi|piu tardi`},
	{"it", takesBack, class.Unknown, 2, "", `
		con successo|eseguito|eseguita|avviato|avviata|caricato|trasferito|confermato|confermata|inviato|inviata|inviati|creato|creata|salvato|salvata|addebitato|addebitata|pagato|pagata|effettuato|effettuata|
		elaborato|emesso|emessa|consegnato|prenotato|prenotata|pubblicato|pubblicata|mensile|giornaliero|al giorno|al mese|
		gratuit~|politica|certificato~|regione|paese|firewall|host sconosciuto|non riprovare|permanentemente|definitiv~|
		il tuo account|l'utente non ha risposto|l'utente non ha confermato|l'utente non ha accettato|approvazione|nome host|finche`},
	{"it", contrasts, class.Unknown, 0, "", "ma|tuttavia"},
	{"it", negates, class.Unknown, 0, "", "non|solo|soltanto|nessun|nessuna|nessuno|senza|mai|impossibile"},
	{"it", subordinates, class.Unknown, 0, "", "dopo|prima|mentre|quando|se|sebbene|durante|fino"},
	{"it", explains, class.Unknown, 0, "", "perche|poiche|a causa~|ma|tuttavia|motivo"},
	{"it", attempts, class.Unknown, 0, "", "errore|impossibile|fallito|fallita|non riuscito|non riuscita"},
	{"it", ifConnection, class.ReplyLost, 4, "", "persa|non riuscita|interrotta|chiusa|rifiutata|reimpostata|fallita|caduta"},
	{"it", connection, class.Unknown, 0, "", "connessione"},
	{"it", asks, class.Unknown, 0, "", "riprova|riprovare"},
	{"it", nothing, class.Unknown, 0, "", "il|lo|gli|di|nel|e|stato|codice|campo|valore|ordine|parametro|della|questo|questa|con"},
	{"it", nothing, class.Unknown, 0, "", "errore sconosciuto|errore imprevisto|si e verificato un errore"},
}
