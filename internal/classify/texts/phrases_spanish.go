//nolint:misspell // it is Spanish
package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// The wordings of programs in Spanish, as their operating systems, databases and frameworks
// are translated, and as programmers write them.

var spanish = []phrases{
	{"es", says, class.NotFound, 4, "PostgreSQL, Windows, common", `
		no encontrado~|no encontrada~|no se encontro~|no se encontraron|no se ha encontrado|no se pudo encontrar|
		no se puede encontrar|no fue encontrad~|no existe|no existen|inexistente~|desconocido|desconocida|no hay resultados|
		sin resultados|no localizado|no se localizo|ha sido eliminado|fue eliminado|no hay ningun~|ya no existe|no such`},
	{"es", ifNot, class.NotFound, 3, "common", "encontrado|encontrada|encontrados|encontradas|existe|datos|registros|resultados|informacion|hallado|localizado"},
	{"es", ifNot, class.Precondition, 3, "common", "existencias|disponibilidad|vacantes|cupos|plazas|posible cancelar|posible modificar|posible eliminar|puede cancelar~|puede modificar~|puede eliminar~"},
	{"es", says, class.Invalid, 3, "common", `
		invalido~|invalida~|no valido~|no valida~|no es valido~|no es valida~|incorrecto~|incorrecta~|erroneo~|erronea~|
		mal formado~|mal formada~|formato incorrecto|formato invalido|tipo incorrecto|error de sintaxis|error de validacion|
		validacion fallida|solicitud incorrecta|peticion incorrecta|parametro desconocido|campo desconocido|no soportado~|desconocid~|
		no soportada~|no admitido~|no compatible|no es compatible|demasiado largo~|demasiado larga~|demasiado grande~|
		demasiado corto~|demasiado pequeno~|danado~|danada~|caracteres no permitidos|caracter no permitido|corrupto~|corrompido~|posterior~|anterior~|debe ser|deben ser|debe tener|debe contener|debe estar|no debe|
		no puede ser negativ~|fuera de rango|fuera del rango|supera el maximo|excede la longitud~|excede el tamano~|
		viola la restriccion~|viola la llave~|viola la llave foranea|inesperado~|inesperada~|no coincide~|no reconocido~`},
	{"es", says, class.Invalid, 2, "common", "debe|deben"},
	{"es", ifNot, class.Invalid, 3, "common", "admiten|admite|aceptan|permiten|valido|valida|validos|validas|correcto|correcta|admitido|admitida|compatible|reconocido|reconocida|soportado|soportada"},
	{"es", ifNot, class.Denied, 3, "common", "miembro|autorizado|autorizada|permiso|permisos|acceso|derechos|autorizacion"},
	{"es", says, class.Missing, 4, "common", `
		requerido|requerida|requeridos|requeridas|se requiere|obligatorio~|obligatoria~|falta|faltan|faltante~|
		no puede estar vacio~|no puede estar vacia~|no debe estar vacio~|no puede ser nulo|no puede ser vacio|debe especificar~|
		debe proporcionar~|debe indicar~|indique al menos~|al menos un|al menos una|no especificado~|no proporcionado~|no se proporciono~|no se especifico~|esta vacio|
		esta vacia|es necesario`},
	{"es", says, class.Denied, 4, "PostgreSQL, Windows", `
		permiso denegado|permisos denegados|permisos insuficientes|permiso insuficiente|sin permiso~|sin permisos|
		no tiene permiso~|no tienes permiso~|no dispone de permiso~|acceso denegado|acceso prohibido|acceso restringido|
		acceso no autorizado|no autorizado~|no autorizada|no esta autorizado~|prohibido|prohibida|denegado|denegada|
		privilegios insuficientes|solo el propietario|solo el administrador|solo los administradores|permisos de administrador|necesita permiso~|necesitas permiso~|requiere permiso~|requiere privilegios|no tiene acceso|no tienes acceso|sin acceso|autorizacion denegada|solo administradores`},
	{"es", says, class.Unauthenticated, 5, "common", `
		autenticacion fallida|fallo de autenticacion|fallo la autenticacion~|la autentificacion~|autentificacion password~|
		error de autenticacion|autenticacion requerida|requiere autenticacion|no autenticado~|no ha iniciado sesion|
		no has iniciado sesion|debe iniciar sesion|inicie sesion|inicia sesion|iniciar sesion|contrasena incorrecta|
		contrasena invalida|credenciales invalidas|credenciales incorrectas|credenciales no validas|credenciales~|
		usuario o contrasena~|sesion expirada|sesion caducada|sesion ha expirado|sesion ha caducado|token expirado|
		token caducado|token invalido|token no valido|token ha expirado|clave api~|clave de api~|api key invalida`},
	{"es", says, class.Exists, 5, "PostgreSQL, common", `
		ya existe|ya existen|ya esta registrado~|ya esta en uso|ya en uso|ya registrado~|ya ha sido registrado|duplicado|
		duplicada|llave duplicada~|clave duplicada|restriccion de unicidad~|restriccion unica|valor duplicado`},
	{"es", says, class.Precondition, 4, "common", `
		ya|conflicto~|solo lectura|solo de lectura|bloqueado|bloqueada|desactivado|desactivada|deshabilitado|deshabilitada|
		inhabilitado|cerrado|cerrada|expirado|expirada|ha expirado|ha caducado|expiro|no esta vacio|no esta vacia|caducado|caducada|vencido|vencida|archivado|archivada|cancelado|
		cancelada|no se puede eliminar|no se puede modificar|no se puede borrar|no puede eliminarse|no permitido~|no permitida~|
		no esta permitido~|no se permite~|ya no|no esta activo|no esta activa|no esta habilitad~|en uso|esta en uso|obsoleto|
		obsoleta|no disponible para|agotado|sin existencias|no hay stock|sin stock|stock insuficiente|insuficiente~|rechazado|rechazada|suspendido|suspendida|agotada|agotados|agotadas|finalizado|finalizada|primero|
		previamente|ha sido modificado|fue modificado`},
	{"es", says, class.Limit, 5, "common", `
		cuota excedida|cuota superada|cuota agotada|superado el limite|excedido el limite|limite de su plan|limite de tu plan|limite alcanzado|limite excedido|limite superado|limite de uso|limite mensual|limite diario|
		ha alcanzado el limite|alcanzo el limite|numero maximo~|maximo numero~|saldo insuficiente|fondos insuficientes|
		creditos insuficientes|sin creditos|credito insuficiente|pago rechazado|actualice su plan|actualiza tu plan`},
	{"es", says, class.Limit, 2, "common", "excedido|excedida"},
	{"es", says, class.Limit, 2, "the names of plans and quotas", "cuota~|pago~|suscripcion~|plan|plan actual|facturacion|presupuesto~"},
	{"es", access, class.Unknown, 0, "", "clave|claves|contrasena|credenciales"},
	{"es", ifAccess, class.Unauthenticated, 5, "common", "expirado|ha expirado|expiro|caducado|ha caducado|caduco|invalido~|no valido~|no es valido~|revocado"},
	{"es", says, class.Throttled, 5, "common", `
		demasiadas solicitudes|demasiadas solicitudes enviadas|demasiadas peticiones|demasiadas llamadas|demasiados intentos|demasiadas consultas|
		peticiones o caudal~|limite de solicitudes|limite de solicitudes excedido|limite de peticiones excedido|limite de peticiones|limite de tasa|limite de frecuencia|solicitudes por minuto|
		solicitudes por segundo|peticiones por minuto|peticiones por segundo|con demasiada frecuencia`},
	{"es", isRate, class.Unknown, 0, "", "por minuto|por segundo"},
	{"es", says, class.TimedOut, 4, "PostgreSQL, common", `
		tiempo de espera agotado|tiempo de espera excedido|tiempo de espera superado|tiempo de espera~|tiempo agotado|
		tiempo excedido|tiempo limite excedido|tiempo limite superado|tiempo limite agotado|agoto el tiempo~|
		se agoto el tiempo~|ha agotado el tiempo~|excedio el tiempo~|expiro el tiempo~|no respondio a tiempo|tardo demasiado|
		ha tardado demasiado|supero el tiempo~`},
	{"es", says, class.Unavailable, 4, "PostgreSQL, common", `
		temporalmente no disponible|no disponible temporalmente|no esta disponible temporalmente|temporalmente fuera~|
		no disponible en este momento|no esta disponible en este momento|servicio no disponible|servicio no esta disponible|
		servidor no disponible|servidor no esta disponible|no disponible actualmente|conexion rechazada|conexion denegada|
		conexion fallida|conexion rehusada|no se pudo conectar|no se puede conectar|no se pudo contactar~|no se pudo comunicar~|no se pudo establecer~|
		no fue posible conectar~|fallo de conexion|fallo la conexion|error de conexion|error al conectar|no responde|
		inalcanzable|servidor ocupado|sistema ocupado|sobrecargado|sobrecargada|saturado|deadlock detectado|
		se ha detectado un deadlock|interbloqueo|bloqueo mutuo~|mantenimiento|demasiadas conexiones|demasiados clientes|
		esta iniciando|esta arrancando|base de datos bloqueada|base de datos esta bloqueada|no se pudo serializar~`},
	{"es", says, class.ReplyLost, 4, "common", `
		conexion perdida|conexion interrumpida|conexion cerrada|conexion reiniciada|conexion restablecida|se perdio la conexion|
		se ha perdido la conexion|se cerro la conexion|error interno del servidor|error del servidor|error de servidor|
		error de red|problema de red|fallo de red`},
	{"es", says, class.ReplyLost, 2, "common", `
		intentelo mas tarde|intentelo de nuevo mas tarde|intentelo nuevamente mas tarde|intentalo de nuevo mas tarde|
		intentalo mas tarde|intente mas tarde|intente de nuevo mas tarde|intente nuevamente mas tarde|
		vuelva a intentarlo mas tarde|vuelve a intentarlo mas tarde|reintentar mas tarde|vuelva a intentarlo en~|
		intente de nuevo en~|mas tarde`},
	{"es", takesBack, class.Unknown, 2, "", `
		con exito|exitosamente|ejecutado|ejecutada|iniciado|iniciada|subido|subida|transferido|confirmado|confirmada|enviado|enviada|enviados|creado|creada|creados|guardado|guardada|cobrado|cobrada|pagado|pagada|realizado|realizada|
		procesado|procesada|emitido|emitida|entregado|entregada|reservado|reservada|registrado|publicado|publicada|mensual~|
		diario|diaria|por dia|por mes|gratuit~|politica|certificado~|region|pais|cortafuegos|host desconocido|no reintente|
		no vuelva a~|permanentemente|definitiv~|su cuenta|el usuario no respondio|el usuario no confirmo|el usuario no acepto|aprobacion|nombre de host|hasta que`},
	{"es", contrasts, class.Unknown, 0, "", "pero|sin embargo"},
	{"es", negates, class.Unknown, 0, "", "no|solo|solamente|unicamente|ningun|ninguna|ninguno|sin|nunca|tampoco"},
	{"es", subordinates, class.Unknown, 0, "", "despues|tras|antes|mientras|cuando|si|aunque|durante|hasta|luego"},
	{"es", explains, class.Unknown, 0, "", "porque|debido|pero|sin embargo|motivo|razon|a causa~"},
	{"es", attempts, class.Unknown, 0, "", "error|fallo|error al|no se pudo|no se puede|fallido"},
	{"es", ifConnection, class.ReplyLost, 4, "", "perdida|interrumpida|cerrada|rechazada|reiniciada|fallida|cortada"},
	{"es", connection, class.Unknown, 0, "", "conexion"},
	{"es", asks, class.Unknown, 0, "", "intente de nuevo|intente nuevamente|intentelo de nuevo|vuelva a intentarlo|reintente"},
	{"es", nothing, class.Unknown, 0, "", "el|los|las|una|en|para|campo|valor|archivo|registro|usuario|del|por|su|esta|este|con"},
	{"es", nothing, class.Unknown, 0, "", `
		error desconocido|motivo desconocido|causa desconocida|error inesperado|ha ocurrido un error|se produjo un error|ocurrio un error|por lo tanto`},
}
