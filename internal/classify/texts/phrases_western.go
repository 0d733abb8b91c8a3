//nolint:misspell // it is German and French
package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// The wordings of programs in the languages of western Europe, as their
// operating systems, databases and frameworks are translated, and as programmers write
// them.

var german = []phrases{
	{"de", says, class.NotFound, 4, "PostgreSQL, Windows, common", `
		nicht gefunden|nicht auffindbar|nicht vorhanden|existiert nicht|existieren nicht|gibt es nicht|unbekannte datei|
		unbekannter benutzer|unbekannte tabelle|unbekannte spalte|konnte nicht gefunden~|kann nicht gefunden~|
		konnte nicht finden|kein treffer|keine treffer|keine ergebnisse|wurde geloscht|nicht existent|
		datei oder verzeichnis nicht gefunden|konnten nicht gefunden~`},
	{"de", ifNot, class.NotFound, 3, "common", "gefunden|existiert|vorhanden|finden"},
	{"de", says, class.Invalid, 3, "common", `
		ungultig~|unzulassig~|fehlerhaft~|falsches format|falscher typ|falscher wert|falsche~|falscher~|falsches~|
		unerwartet~ zeichen|syntaxfehler~|unbekannter parameter|unbekanntes feld|unbekannte option|nicht unterstutzt|
		unbekannt~|unbekanntes werkzeug|wird nicht unterstutzt|werden nicht unterstutzt|zu lang|zu gross|zu kurz|zu klein|muss eine|muss ein|muss grosser|muss im|muss in|muss als|muss mindestens|mussen ein~|beschadigt|defekt|keine zahl|keine ganzzahl|keine gultigen|liegt nach|liegt vor dem|liegt in der vergangenheit|liegt in der zukunft|zulassigen bereich~|gultigen bereich~|erlaubten bereich~|
		muss kleiner|muss zwischen|darf nicht grosser|darf nicht negativ|darf maximal|uberschreitet die maximale~|
		ausserhalb des~ bereichs|ausserhalb des gultigen~|keine gultige~|kein gultiger|kein gultiges|verletzt fremdschlussel~|
		verletzt not null~|verletzt check~|nicht erlaubter wert|nicht zulassig|eingabefehler|validierungsfehler|
		validierung fehlgeschlagen|formatfehler|passt nicht`},
	{"de", says, class.Invalid, 2, "common", "maximal|hochstens|mindestens|muss|mussen|darf nicht|durfen nicht|darf nur|durfen nur"},
	{"de", ifNot, class.Missing, 3, "common", "ubergeben|angegeben|mitgegeben|eingegeben"},
	{"de", ifNot, class.Invalid, 3, "common", "gultig~|korrekt|unterstutzt|zulassig~|lesbar|bekannt|erkannt"},
	{"de", ifNot, class.Denied, 3, "common", "mitglied|berechtigt|befugt|zugriff|rechte|berechtigung|freigeschaltet|freigegeben"},
	{"de", says, class.Missing, 4, "common", `
		fehlt|fehlen|fehlender~|fehlende~|fehlendes~|erforderlich~|ist pflicht|pflichtfeld~|pflichtangabe|darf nicht leer~|
		nicht leer sein|muss angegeben~|mussen angegeben~|nicht angegeben|benotigt|wird benotigt|bitte geben sie|ist leer`},
	{"de", says, class.Denied, 4, "PostgreSQL, Windows", `
		keine berechtigung~|fehlende berechtigung~|berechtigung fehlt|nicht berechtigt|zugriff verweigert|
		zugriff wurde verweigert|zugriff nicht erlaubt|kein zugriff|zugriff untersagt|verweigert|verboten|untersagt|
		bot schutz~|freigeschaltet werden|anfrage blockiert|zugriff blockiert|unzureichende rechte|unzureichende berechtigung~|keine rechte|nur der eigentumer~|nur administratoren|nur fur mitglieder|nur fur~|fehlende rechte|nicht autorisiert|rechte nicht|fehlen ihnen die rechte|fehlen die rechte|fehlt die berechtigung|fehlen ihnen~|
		keine ausreichenden~|nicht gestattet|nur fur administratoren`},
	{"de", says, class.Unauthenticated, 5, "common", `
		nicht angemeldet|nicht eingeloggt|nicht authentifiziert|authentifizierung fehlgeschlagen|authentifizierung erforderlich|
		authentifizierungsfehler|passwort authentifizierung~|passwort falsch|falsches passwort|falscher benutzername~|falsche zugangsdaten|administratorrechte|falsches kennwort|
		kennwort falsch|anmeldung fehlgeschlagen|anmeldung erforderlich|anmelden|melden sie sich~|melde dich~|loggen sie sich~|anmeldedaten|zugangsdaten|sitzung abgelaufen|
		sitzung ist abgelaufen|token abgelaufen|token ist abgelaufen|token ungultig|ungultiges token|ungultiger token|
		ungultiger api~|ungultiger schlussel|api schlussel~|einloggen`},
	{"de", says, class.Exists, 5, "PostgreSQL, common", `
		existiert bereits|existiert schon|bereits vorhanden|bereits vergeben|bereits angelegt|bereits registriert|
		schon vorhanden|doppelter schlussel~|doppelte~|doppelter~|verletzt unique constraint|eindeutigkeits~|ist bereits`},
	{"de", says, class.Precondition, 4, "common", `
		bereits|konflikt~|nur lesen|nur lese~|schreibgeschutzt~|gesperrt|deaktiviert|geschlossen|abgelaufen|ist abgelaufen|nicht leer|nicht moglich|
		nicht erlaubt|kann nicht geloscht~|kann nicht geandert~|nicht mehr|wird noch verwendet|noch in verwendung|in verwendung|
		archiviert|storniert|gekundigt|beendet|belegt|voll|abgelehnt|abgeschlossen|nicht aktiv|nicht aktiviert|nicht freigegeben|nicht verfugbar fur|veraltet|
		eingestellt|ausverkauft|zuerst|geandert von|nicht aktuell|nicht genugend~|nicht genug|zu wenig|nicht lieferbar|nicht vorratig|nicht auf lager|vergriffen|ausgebucht|kollidiert~|uberschneidet~|vollstandig belegt`},
	{"de", says, class.Limit, 5, "common", `
		kontingent aufgebraucht|kontingent ist~|kontingent erschopft|kontingent uberschritten|limit erreicht|limit uberschritten|limit wurde uberschritten|kreditlimit~|uberschritten|erschopft|aufgebraucht|limit ist erreicht|hochstgrenze|maximale anzahl~|hochstzahl~|guthaben reicht~|guthaben aufgebraucht|
		nicht genugend guthaben|tageslimit~|monatslimit~|unzureichende deckung|zahlung fehlgeschlagen|speicherplatz voll`},
	{"de", says, class.Limit, 2, "the names of plans and quotas", "kontingent~|guthaben~|zahlung~|abonnement~|abo|tarif~|kostenpflichtig~"},
	{"de", ifNot, class.NotFound, 3, "common", "eintrag|datensatz|datensatze|eintrage|daten|informationen|angaben"},
	{"de", access, class.Unknown, 0, "", "schlussel|zugangsdaten|kennwort|passwort"},
	{"de", ifAccess, class.Unauthenticated, 5, "common", "abgelaufen|ist abgelaufen|ungultig~|widerrufen|fehlt|falsch"},
	{"de", says, class.Throttled, 5, "common", `
		zu viele anfragen|zu viele anfragen gesendet|zu viele aufrufe|zu viele versuche|zu viele gleichzeitige~|anfragelimit~|ratenbegrenzung~|ratenlimit~|
		anfragen pro minute|anfragen pro sekunde|zu haufig~`},
	{"de", isRate, class.Unknown, 0, "", "pro minute|pro sekunde"},
	{"de", says, class.TimedOut, 4, "PostgreSQL, Windows, common", `
		zu lange gedauert|dauerte zu lange|dauert zu lange|zeituberschreitung~|zeitlimit~|zeitlimit uberschritten|zeitlimit erreicht|verbindungszeituberschreitung~|
		timeout uberschritten|timeout erreicht|antwortet nicht rechtzeitig|nicht rechtzeitig geantwortet|
		wegen zeituberschreitung~`},
	{"de", says, class.Unavailable, 4, "PostgreSQL, Windows, common", `
		vorubergehend nicht verfugbar|vorubergehend nicht erreichbar|derzeit nicht verfugbar|derzeit nicht erreichbar|
		momentan nicht verfugbar|zurzeit nicht verfugbar|zur zeit nicht verfugbar|dienst nicht verfugbar|
		dienst ist nicht verfugbar|server nicht verfugbar|server ist nicht verfugbar|nicht erreichbar|nicht erreicht werden|
		verbindung verweigert|verbindung abgelehnt|verbindungsaufbau abgelehnt|verbindung wurde verweigert|keine verbindung~|
		verbindung fehlgeschlagen|datenbankverbindung konnte nicht~|datenbankverbindung fehlgeschlagen|verbindungsfehler~|verbindung konnte nicht~|konnte nicht verbinden|konnte nicht kontaktiert~|server nicht erreichen|konnte nicht erreicht~|konnte keine verbindung~|
		verbindungsaufbau~|uberlastet|ausgelastet|server ist beschaftigt|verklemmung~|deadlock entdeckt|wartungsarbeiten|
		wartungsmodus|zu viele verbindungen|wird gerade gestartet|fahrt herunter|fahrt hoch|serialisierungsfehler|
		konnte zugriff nicht serialisieren~|antwortet nicht|reagiert nicht|hat nicht geantwortet|keine antwort vom~|datenbank ist gesperrt|sperre konnte nicht~`},
	{"de", says, class.ReplyLost, 4, "common", `
		verbindung abgebrochen|verbindung unterbrochen|verbindung getrennt|verbindung wurde getrennt|
		verbindung wurde unterbrochen|verbindung wurde geschlossen|verbindung zuruckgesetzt|verbindung wurde zuruckgesetzt|
		verbindung wurde unerwartet~|verbindung verloren|verbindungsabbruch~|interner serverfehler|interner server fehler|
		serverfehler|netzwerkfehler|netzwerkproblem~`},
	{"de", says, class.ReplyLost, 2, "common", `
		versuchen sie es spater~|spater erneut|spater noch einmal|bitte spater|versuche es spater~`},
	{"de", takesBack, class.Unknown, 2, "", `
		ausgefuhrt|durchgefuhrt|abgeschickt|eingereicht|veroffentlicht|ubertragen|hochgeladen|erfolgreich|gesendet|verschickt|erstellt|angelegt|gebucht|bezahlt|abgebucht|gespeichert|ubermittelt|geliefert|bestellt|uberwiesen|
		versendet|monatlich~|taglich~|pro tag|pro monat|bis~ bezahlt|richtlinie~|zertifikat~|region|land|firewall|
		unbekannter host|nicht erneut|wurde blockiert|blockiert|kostenlos~|dauerhaft|endgultig|benutzer hat nicht bestatigt|benutzer hat nicht geantwortet|freigabe|
		hostname`},
	{"de", contrasts, class.Unknown, 0, "", "aber|jedoch|allerdings|doch"},
	{"de", negates, class.Unknown, 0, "", "nicht|nur|kein|keine|keinen|keiner|keinem|ohne|nie|niemals|weder"},
	{"de", subordinates, class.Unknown, 0, "", "nachdem|bevor|wahrend|wenn|falls|sobald|nach|vor|obwohl|solange|bis"},
	{"de", explains, class.Unknown, 0, "", "weil|wegen|aufgrund|da|aber|jedoch|grund"},
	{"de", attempts, class.Unknown, 0, "", "fehler|fehlgeschlagen|gescheitert|konnte nicht|kann nicht"},
	{"de", ifConnection, class.ReplyLost, 4, "", `
		unterbrochen|abgebrochen|getrennt|verloren|geschlossen|abgelehnt|verweigert|fehlgeschlagen|zuruckgesetzt|beendet`},
	{"de", connection, class.Unknown, 0, "", "verbindung"},
	{"de", asks, class.Unknown, 0, "", "bitte erneut versuchen|erneut versuchen|versuchen sie es erneut"},
	{"de", nothing, class.Unknown, 0, "", "der|das|den|dem|ein|eine|ist|feld|wert|datei|der wert|kunde|sie|wurde|konnte|bitte|und|fur|mit|von|zum|zur|auf|beim"},
	{"de", nothing, class.Unknown, 0, "", "unbekannter fehler|unbekannter grund|unbekannte ursache|ein fehler ist aufgetreten|interner fehler"},
}

var french = []phrases{
	{"fr", says, class.NotFound, 4, "PostgreSQL, Windows, common", `
		introuvable~|non trouve~|pas trouve~|pas ete trouve~|pu etre trouve~|n'existe pas|n'existent pas|n'existe plus|
		inexistant~|aucun resultat~|aucune correspondance|aucun fichier ou dossier~|inconnu|inconnue|a ete supprime~|
		impossible de trouver|n'a pas ete trouve~|n'a pas pu etre trouve~`},
	{"fr", ifNot, class.NotFound, 3, "common", "trouve|trouvee|trouves|trouvees|existe|donnee|donnees|resultat|resultats|correspond|correspondant|correspondante|enregistre"},
	{"fr", says, class.Invalid, 3, "common", `
		invalide~|non valide~|pas valide~|incorrect~|errone~|malforme~|mal forme~|mauvais format|mauvais type|mauvaise valeur|
		mauvaise requete|requete incorrecte|erreur de syntaxe|syntaxe incorrecte|erreur de validation|echec de la validation|
		parametre inconnu|champ inconnu|option inconnue|non supporte~|non pris en charge|pas pris en charge|pas supporte~|
		trop long~|trop grand~|trop court~|trop petit~|trop volumineu~|corrompu~|endommage~|caracteres non autorises|caractere non autorise|anterieur~|posterieur~|doit etre|doivent etre|doit contenir|ne doit pas|
		ne peut pas etre negati~|hors limites|hors de la plage|depasse la taille~|depasse la longueur~|viole la contrainte~|
		inattendu~|non conforme|ne correspond pas`},
	{"fr", says, class.Invalid, 2, "common", "doit|doivent"},
	{"fr", ifNot, class.Invalid, 3, "common", "valide|valides|correct|correcte|supporte|supportee|reconnu|reconnue|accepte|acceptee"},
	{"fr", ifNot, class.Denied, 3, "common", "membre|autorise|autorisee|autorisation|droit|droits|acces|permission|permissions|habilite"},
	{"fr", says, class.Missing, 4, "common", `
		requis|requise|requises|obligatoire~|manquant~|manque|ne peut pas etre vide|ne doit pas etre vide|ne peut etre vide|
		doit etre renseigne~|doit etre fourni~|doit etre specifie~|non fourni~|non renseigne~|non specifie~|est vide|
		faut indiquer|veuillez saisir|veuillez indiquer|veuillez fournir|veuillez preciser|veuillez renseigner|au moins un|au moins une`},
	{"fr", ifNot, class.Missing, 3, "common", "specifie|specifiee|fourni|fournie|indique|indiquee|renseigne|renseignee|precise|precisee|saisi|saisie"},
	{"fr", says, class.Denied, 4, "PostgreSQL, Windows", `
		droit refuse~|droits insuffisants|permission refusee|permission non accordee|permissions insuffisantes|
		autorisation refusee|autorisations insuffisantes|acces refuse|acces interdit|acces non autorise|non autorise~|
		pas autorise~|n'etes pas autorise~|interdit~|vous n'avez pas~|pas la permission|pas les permissions|pas les droits|
		pas acces|etre administrateur|droits d'administrateur|droits administrateur|privileges insuffisants|seul le proprietaire|seuls les~|seul un administrateur|reserve aux~|reservee aux~|l'autorisation de|pas l'autorisation|n'avez pas le droit|n'avez pas les droits|n'avez pas acces|refuse|reserve aux administrateurs`},
	{"fr", says, class.Unauthenticated, 5, "common", `
		echec de l'authentification|echec d'authentification|authentification echouee|authentification a echoue|
		authentification requise|authentification par mot de passe~|erreur d'authentification|non authentifie~|non connecte~|
		pas connecte|pas authentifie|mot de passe incorrect|mot de passe invalide|mauvais mot de passe|identifiants incorrects|
		identifiants invalides|identifiant ou mot de passe~|session expiree|session a expire|jeton expire|jeton a expire|
		jeton invalide|token expire|token invalide|cle api~|cle d'api~|connexion requise|veuillez vous connecter|
		vous devez vous connecter|vous reconnecter|vous identifier|identifiez vous|vous authentifier|connectez vous|se connecter d'abord`},
	{"fr", says, class.Exists, 5, "PostgreSQL, common", `
		existe deja|existent deja|deja existant~|deja utilise~|deja pris~|deja enregistre~|deja present~|doublon~|cle dupliquee|
		valeur dupliquee|valeur d'une cle dupliquee~|contrainte unique|contrainte d'unicite|en double|duplique~`},
	{"fr", says, class.Precondition, 4, "common", `
		deja|conflit~|lecture seule|verrouille~|desactive~|ferme|fermee|expire|expiree|a expire|pas vide|n'est pas vide|archivee|est archive|annule|annulee|
		impossible de supprimer|impossible de modifier|ne peut pas etre supprime~|ne peut pas etre modifie~|ne peut plus|
		n'est plus|n'est pas active~|pas encore|en cours d'utilisation|est utilise par|obsolete|n'est pas disponible pour|
		indisponible pour|stock insuffisant|pas assez|insuffisant~|stock epuise|complet|epuise~|resilie~|plus disponible~|rupture de stock|rejete~|decline~|suspendu~|termine|terminee|d'abord|a ete modifie~|prealable`},
	{"fr", says, class.Limit, 5, "common", `
		quota atteint|quota depasse|quota epuise|limite atteinte|limite depassee|limite d'utilisation|limite mensuelle|limite quotidienne|limite journaliere|
		nombre maximal~|nombre maximum~|plafond~|solde insuffisant|fonds insuffisants|credit insuffisant|credits insuffisants|
		credits epuises|paiement refuse|limite de votre forfait|limite de votre abonnement|offre superieure`},
	{"fr", says, class.Limit, 2, "the names of plans and quotas", "quota~|offre|paiement~|abonnement~|forfait~|facturation|passez a|mise a niveau"},
	{"fr", access, class.Unknown, 0, "", "jeton|jetons|cle|cles|identifiants|mot de passe"},
	{"fr", ifAccess, class.Unauthenticated, 5, "common", "expire|a expire|est expire|invalide~|revoque|manquant~"},
	{"fr", says, class.Throttled, 5, "common", `
		trop de requetes|trop de requetes envoyees|trop de demandes|trop d'appels|trop de tentatives|limite de debit~|limite de taux|limitation de debit~|
		limite de requetes|limite de frequence|requetes par minute|requetes par seconde|trop frequent~`},
	{"fr", isRate, class.Unknown, 0, "", "par minute|par seconde"},
	{"fr", says, class.TimedOut, 4, "PostgreSQL, common", `
		delai depasse|temps de reponse~|delai d'attente depasse|delai d'attente expire|delai d'attente~|delai expire|delai imparti~|
		temps d'attente depasse|temps d'attente~|temps imparti depasse|expiration du delai~|a expire apres|
		n'a pas repondu a temps|n'a pas repondu dans~|pris trop de temps|met trop de temps|a depasse le delai~|
		la requete a expire|la connexion a expire|la demande a expire|depassement du delai~`},
	{"fr", says, class.Unavailable, 4, "PostgreSQL, common", `
		temporairement indisponible~|momentanement indisponible~|actuellement indisponible~|service indisponible|
		service est indisponible|serveur indisponible|serveur est indisponible|injoignable~|inaccessible pour le moment|
		n'est pas joignable|connexion refusee|connexion impossible|impossible de se connecter|impossible de joindre|
		impossible de contacter|impossible d'etablir~|echec de la connexion|echec de connexion|erreur de connexion|
		connexion au serveur impossible|ne repond pas|serveur occupe|serveur surcharge|surcharge~|temporairement verrouille~|interblocage~|
		bloquage mortel~|blocage mortel~|maintenance|en maintenance|trop de connexions|trop de clients|en cours de demarrage|
		demarre|s'arrete|n'a pas pu serialiser~|base de donnees est verrouillee|base de donnees verrouillee`},
	{"fr", says, class.ReplyLost, 4, "common", `
		connexion perdue|connexion interrompue|connexion fermee|connexion coupee|connexion reinitialisee|connexion a ete perdue|
		connexion a ete fermee|connexion a ete interrompue|connexion a ete reinitialisee|perte de connexion|
		erreur interne du serveur|erreur serveur|erreur du serveur|erreur reseau|erreur de reseau|probleme de reseau|
		probleme reseau`},
	{"fr", says, class.ReplyLost, 2, "common", `
		reessayez plus tard|reessayer plus tard|ressayez plus tard|veuillez reessayer plus tard|reessayez dans~|ulterieurement`},
	{"fr", takesBack, class.Unknown, 2, "", `
		avec succes|lance|lancee|executee|publie|publiee|telecharge|telechargee|envoye|envoyee|envoyes|envoyees|cree|creee|crees|enregistre|enregistree|paye|payee|debite|debitee|preleve|reserve|
		commande passee|transmis|livre|livree|expedie~|effectue|effectuee|mensuel~|quotidien~|par jour|par mois|gratuit~|
		politique|certificat~|region|pays|pare feu|hote inconnu|ne reessayez pas|ne pas reessayer|bloque~|definitivement|
		definitif|votre compte|l'utilisateur n'a pas repondu|l'utilisateur n'a pas confirme|l'utilisateur n'a pas accepte|approbation|nom d'hote`},
	{"fr", contrasts, class.Unknown, 0, "", "mais|cependant|toutefois"},
	{"fr", negates, class.Unknown, 0, "", "pas|aucun|aucune|sans|jamais|n'a|n'est|n'ont|impossible"},
	{"fr", subordinates, class.Unknown, 0, "", "apres|avant|pendant|lorsque|lors|quand|si|alors|tandis|bien que|des que|jusqu'a"},
	{"fr", explains, class.Unknown, 0, "", "car|parce|en raison~|a cause~|mais|cependant|puisque|raison"},
	{"fr", attempts, class.Unknown, 0, "", "erreur|echec|impossible de|echoue"},
	{"fr", ifConnection, class.ReplyLost, 4, "", "perdue|interrompue|fermee|coupee|refusee|reinitialisee|echouee|impossible|rompue"},
	{"fr", connection, class.Unknown, 0, "", "connexion"},
	{"fr", asks, class.Unknown, 0, "", "veuillez reessayer|reessayez"},
	{"fr", nothing, class.Unknown, 0, "", "le|la|les|des|une|est|du|champ|valeur|fichier|ressource|aucun|pour|dans|veuillez|cette|ce|vous|votre|avec|sur"},
	{"fr", nothing, class.Unknown, 0, "", "erreur inconnue|une erreur est survenue|une erreur s'est produite|erreur inattendue"},
}
