import { MAX_BPM, MIN_BPM } from "../../limits.ts";
import { PACKAGE_SIZE, RESULTS_SIZE } from "../../text/format-limit.ts";
import type { RUN_TEXTS as ENGLISH } from "../en/run.ts";
import type { Translated } from "../message.ts";
import { LIVE_SET_RUN } from "./live-set.ts";

export const RUN_TEXTS: Translated<typeof ENGLISH> = {
  ...LIVE_SET_RUN,
  "run.SAVED_AS_FILES": "Guardado como archivo; no se colocó en un Set.",
  "run.PLACED_IN_PREVIEW": "Colocado en la vista previa de Soundferry, no en Live.",
  "run.TRACKS_FULL":
    "{live} admite {count} pistas por Set. Este sonido está en la carpeta de sonidos.",
  "run.SCENE_TAKEN":
    "{live} admite {count} escenas por Set, así que los clips están en una escena vacía que ya existía.",
  "run.CHANGED_BY_PERSON": "Cambiaste este clip después de importarlo; no se volvió a comprobar.",
  "run.OPEN_IN_LIVE": "Este clip estaba abierto en Live, así que Soundferry lo dejó como está.",
  "run.ON_EARLIER_TRACK": "Está en su pista de la importación anterior.",
  "run.NO_EARLIER_TRACK": "Aún no tenía pista, así que recibió una nueva.",
  "run.EARLIER_TRACK_UNUSABLE":
    "Su pista anterior está congelada o no es de audio, así que recibió una nueva.",
  "run.NO_RESULT": "No llegó ningún resultado para este sonido.",
  "run.RESULTS_SHORTENED": `Abreviado: los resultados de un paquete tienen ${RESULTS_SIZE} de espacio.`,
  "run.NOT_CHECKED": "Sin comprobar: {settings}.",

  "run.BOTH_GUESSED":
    "No llegaron ni el tempo ni la duración, así que ambos son estimados. Comprueba que el loop encaje.",
  "run.TEMPO_GUESSED": `Con {beats} en un archivo de {seconds} s, el tempo quedaría fuera de ${MIN_BPM}–${MAX_BPM} BPM, así que es estimado.`,
  "run.LOOP_SHORTER":
    "Un loop de {beats} a {bpm} BPM dura {seconds} s, pero el archivo dura {fileSeconds} s: sus últimos {gapSeconds} s quedan fuera del loop.",
  "run.LOOP_LONGER":
    "Un loop de {beats} a {bpm} BPM dura {seconds} s, pero el archivo solo dura {fileSeconds} s: los últimos {gapSeconds} s del loop quedan en silencio.",
  "run.FILE_ABSENT": "{file} no está.",

  "run.FILE_LOST": "El relay perdió su archivo.",
  "run.FILE_NOT_AT_RELAY": "El relay no tiene {file}.",
  "run.FILE_SIZE_UNKNOWN": "{file}: no se conoce su tamaño.",
  "run.FILE_OTHER_PART": "{file}: el relay envió otra parte que la pedida.",
  "run.FILE_TOO_LONG": "{file}: el relay envió más de lo que tiene el archivo.",
  "run.FILE_ENDED_EARLY": "{file}: la conexión se cortó demasiado pronto.",
  "run.FILE_SILENT": "{file}: sin datos desde hace {seconds} s.",
  "run.FILE_HEADER_LONG":
    "{file}: su cabecera es demasiado larga para una vista previa antes de importar.",
  "run.FILE_UNREADABLE": "{file} no se puede leer.",
  "run.MAYBE_IN_CLOUD": "Quizá solo está en la nube: descárgalo e inténtalo otra vez.",
  "run.FILE_IN_ICLOUD":
    "{file} está en iCloud y no en este Mac. Descárgalo en el Finder e inténtalo otra vez.",
  "run.FILE_CHANGED": "{file} cambió mientras se leía.",
  "run.FILE_OUTSIDE": "{file} está fuera de la carpeta del paquete.",
  "run.FILE_MISSING": "{file} no está en la carpeta del paquete.",
  "run.NOT_A_FILE": "{file} no es un archivo.",
  "run.FILE_TOO_LARGE": "{file} es demasiado grande. El límite es {limit}.",
  "run.JSON_INVALID": "{file} no es JSON válido (línea {line}, columna {column}).",
  "run.JSON_ENCODED_FILE": "{file} está en {encoding}. Guárdalo como texto UTF-8 simple.",
  "run.TAKES_OVER": `{file}: con este sonido, el paquete supera los ${PACKAGE_SIZE}.`,
  "run.FOLDER_ABSENT": "No existe la carpeta {folder}.",
  "run.FOLDER_UNREADABLE": "La carpeta {folder} no se puede leer.",
  "run.NOT_IN_INBOX": "La carpeta de entrada no tiene el paquete {id}.",
  "run.NOT_AT_RELAY": "El relay no tiene el paquete {id} para este ordenador.",

  "run.RUN_CANCELLED": "Se canceló la importación.",
  "run.RUN_FAILED": "La importación falló.",
  "run.CONNECTION_LOST":
    "Se perdió la conexión. No se colocó nada. Vuelve a importar para continuar.",
  "run.LAST_PROBLEM": "Último problema: {problem}",
  "run.RELAY_SILENT": "El relay no respondió durante {seconds} s.",
  "run.NONE_CHOSEN": "Elige al menos un sonido.",
  "run.NAMED_TWICE": "Varios sonidos se llaman {name}. Usa un identificador: {ids}.",
  "run.TRACKS_NOT_REUSED": "Aquí no se puede importar en las mismas pistas.",
  "run.OTHER_SOUNDS_RUN":
    "Se están importando otros sonidos de {title}. Inténtalo otra vez después.",
  "run.IMPORT_RUNS": "{title} se está importando. Cancélalo primero.",
  "run.CLOSING": "Soundferry se está cerrando.",
  "run.INTERRUPTED": "Se interrumpió una importación anterior de {title}.",
  "run.STEPS_DONE": "Hecho: {steps}.",
  "run.STEPS_BEGUN": "Quizá hecho: {steps}.",
  "run.DELETE_REST": "Borra lo que no quieras y vuelve a importar.",

  "run.HOST_COULD_NOT": "{host} no pudo {step}.",
  "run.HOST_COULD_NOT_BECAUSE": "{host} no pudo {step}: {reason}.",
  "run.HOST_SILENT": "{host} no responde.",
  "run.TRACK_STAYS": "Su pista vacía se queda.",
  "run.STAYS_IN_SET": "Aún en el Set: {names}.",
  "run.STAYS_IN_SESSION": "Aún en la sesión: {names}.",
  "run.TEMPO_STAYS": "El tempo se queda en {bpm} BPM.",
  "run.NOT_IN_PREVIEW": "{name} no está en la vista previa.",

  "run.LIVE_TOO_OLD":
    "Usas {live}. Soundferry coloca sonidos en Live 11.3 desde 11.3.25 y en Live 12 desde 12.0.5. La actualización es gratuita.",
  "run.LIVE_ABSENT":
    "Live no responde. Abre Live y elige Soundferry en Ajustes → Link, Tempo y MIDI; `soundferry live status` dice más.",
  "run.LIVE_BUSY": "Live no respondió. Cierra sus menús y cuadros de diálogo abiertos.",
  "run.SCRIPT_VERSION":
    "Live usa la versión {other} de la superficie de control de Soundferry y esta es la {own}. Escribe `soundferry live install` y reinicia Live.",
  "run.SCRIPT_UNKNOWN":
    "Live usa otra versión de la superficie de control de Soundferry y esta es la {own}. Escribe `soundferry live install` y reinicia Live.",
  "run.LIVE_STOPPED":
    "Live dejó de responder mientras colocaba {name}. Vuelve a importar cuando Live responda: entonces se verá qué hay en su Set.",
  "run.SET_CLOSED": "Se cerró el Set mientras Live colocaba {name}.",
  "run.SET_HOLDS": "El Set que está abierto ahora contiene de ello: {things}.",
  "run.CLIP_ABSENT": "El clip «{name}» no está en Live.",
  "run.TEMPO_HEARD": "Live detectó {bpm} BPM.",
  "run.TEMPO_NEAR": "Live detecta {heldBpm} BPM, bastante cerca de {bpm}.",
  "run.TEMPO_UNTOLD":
    "Sin la superficie de control de Soundferry no se le puede indicar a Live el tempo de este loop.",
  "run.CLIP_MADE_AGAIN":
    "Live detectó {heldBpm} BPM, así que el clip se creó de nuevo con el Set a {bpm} BPM.",
  "run.BOUNDS_REFUSED": "Live no aceptó el inicio ni el final de su clip.",
  "run.SETTING_REFUSED": "Live no aceptó este ajuste: {setting}.",
  "run.SETTING_REFUSED_BECAUSE": "Live no aceptó este ajuste: {setting} ({reason}).",
  "run.ENDS_EARLY": "Termina a los {seconds} s; su archivo dura {fileSeconds} s.",
  "run.TRANSPOSED": "Está transpuesto {semitones} semitonos y {cents} cents.",
  "run.TRACK_ARMED": "Su pista está armada para grabar.",
  "run.TRACK_INPUT": "La entrada de su pista es «{input}».",
  "run.TRACK_FADER": "El fader de su pista no está a 0 dB.",
  "run.SCENE_NAMED": "Su escena se llama «{held}» en vez de «{name}».",
  "run.SCENE_COLOR": "Su escena tiene el color {heldColor} en vez del color {color}.",
  "run.SCENE_COLORLESS": "Su escena no tiene color en vez del color {color}.",
  "run.SET_TEMPO_DIFFERS": "El Set está a {heldBpm} BPM en vez de {bpm} BPM.",
  "run.SET_TEMPO_OTHER": "El tempo del Set es de {heldBpm} BPM en vez de {bpm}.",
  "run.SET_TEMPO_UNKNOWN": "No se pudo saber si el Set está ahora a {bpm} BPM.",
  "run.COLLECT_AND_SAVE":
    "Para conservarlo con tu Set, usa «Collect All and Save» (reunir todo y guardar) en el menú Archivo de Live.",
  "run.PLAYS_FROM_FOLDER": "Live reproduce su archivo desde la carpeta de sonidos.",
  "run.GAIN_IN_COPY_RANGE":
    "La ganancia de {gain} se aplica en una copia de su archivo, porque el volumen de una pista va de {leastDb} a {mostDb} dB.",
  "run.GAIN_IN_COPY_REFUSED":
    "La ganancia de {gain} se aplica en una copia de su archivo, porque Live no pudo ajustar el volumen de su pista.",
  "run.GAIN_ON_TRACK": "Su ganancia de {gain} está en el volumen de la pista.",
  "run.NO_GAINED_COPY": "No se pudo crear una copia con una ganancia de {gain}. {problem}",
  "run.CLIP_UNREADABLE": "{name}: no se puede leer.",

  "run.PROJECT_UNWARPED":
    "Un DAWproject no puede dejar el tempo sin definir: el clip no tiene Warp y su loop abarca todo el archivo.",
  "run.PROJECT_FILLED":
    "Un DAWproject no puede dejar el tempo sin definir: el archivo se ajusta con Warp para llenar {beats}.",
  "run.PROJECT_LOUD":
    "La ganancia de +{db} dB está en el volumen de la pista; muchos DAW admiten como máximo +6 dB.",
  "run.NOT_IN_PROJECT": "El archivo DAWproject no contiene {name}.",
  "run.PROJECT_UNREADABLE": "{file} no se puede volver a leer. Se queda junto a los sonidos.",

  "run.DISK_FULL":
    "El disco con {folder} está lleno. Libera espacio y vuelve a importar; los sonidos ya descargados se conservan.",
  "run.DISK_READ_ONLY":
    "Soundferry no puede guardar en {folder}: es de solo lectura o Soundferry no tiene permiso. Elige otra carpeta en los ajustes.",
  "run.DISK_MANY_FILES":
    "Hay demasiados archivos abiertos en este ordenador. Cierra un programa y vuelve a importar.",
  "run.DISK_AWAY": "La unidad con {folder} no está. Conéctala y vuelve a importar.",
  "run.DISK_ERROR":
    "El disco con {folder} indica un error. Compruébalo y vuelve a importar; los sonidos ya descargados se conservan.",
  "run.DISK_NAME_LONG":
    "Un nombre en {folder} es demasiado largo para su disco. Elige en los ajustes una carpeta con una ruta más corta.",
  "run.DISK_ICLOUD":
    "Un archivo de {folder} está en iCloud y no en este Mac. Descarga la carpeta en el Finder y vuelve a importar.",
  "run.DISK_BUSY": "Otro programa usa un archivo de {folder}. Ciérralo y vuelve a importar.",
  "run.DISK_FOLDER_IN_WAY":
    "{name} es una carpeta, pero Soundferry necesita ese nombre para un archivo. Cámbiale el nombre y vuelve a importar.",
  "run.DRIVE_AWAY":
    "La unidad con la carpeta de sonidos {folder} no está. Conéctala o elige otra carpeta.",
  "run.DISK_NEARLY_FULL": `El disco con {folder} está casi lleno: un paquete puede necesitar ${PACKAGE_SIZE}. Libera espacio o elige una carpeta en otro disco.`,
  "run.FOLDER_PATH_SHORT": "Escribe la ruta completa de la carpeta, desde el disco o desde ~.",
  "run.NOT_A_FOLDER": "{folder} no es una carpeta.",
  "run.FOLDER_IN_USE":
    "Soundferry usa {folder} para otra cosa. Elige otra carpeta para los sonidos.",
  "run.FOLDER_OF_EXTENSION": "Live solo permite que su extensión escriba en esta carpeta.",
  "run.FOLDER_SET": "La carpeta de sonidos se fijó al iniciar Soundferry.",
  "run.FOLDER_SET_BY": "La carpeta de sonidos está fijada por {variable}.",
  "run.FOLDER_CHANGE_WAITS":
    "Hay una importación en curso. Cambia la carpeta de sonidos cuando termine.",
  "run.FOLDER_NOT_MADE":
    "No se puede crear la carpeta {folder}: {reason}. Comprueba la ruta y sus permisos.",
  "run.FOLDER_STUCK": "La carpeta {folder} no se puede leer o eliminar.",
  "run.FOLDER_NOT_SHOWN": "No se pudo mostrar la carpeta.",
  "run.FOLDERS_NOT_SHOWN": "Soundferry no puede mostrar carpetas aquí.",

  "run.SCRIPT_DISK_FULL": "El disco está lleno. Libera espacio e inténtalo otra vez.",
  "run.SCRIPT_READ_ONLY":
    "Soundferry no puede escribir en {folder}. Permite la escritura, cierra los programas que la usan e inténtalo otra vez.",
  "run.SCRIPT_BUSY": "Otro programa usa {folder}. Ciérralo e inténtalo otra vez.",
  "run.SCRIPT_IN_WAY": "{folder} estorba, porque no es una carpeta. Muévelo e inténtalo otra vez.",
  "run.SCRIPT_DISK_ERROR":
    "{folder} no se puede usar: el disco indica un error. Compruébalo e inténtalo otra vez.",

  "run.TRY_AGAIN": "Inténtalo otra vez.",
  "run.TRY_LATER": "Inténtalo más tarde.",
  "run.NO_RELAY": "No hay ningún relay definido. Escribe aquí su dirección.",
  "run.RELAY_SET": "La dirección del relay se fijó al iniciar Soundferry.",
  "run.RELAY_SET_BY": "La dirección del relay está fijada por {variable}.",
  "run.RELAY_CHANGE_WAITS": "Hay una importación en curso. Cambia el relay cuando termine.",
  "run.RELAY_NOT_FOUND": "No se encuentra {relay}. Comprueba la dirección del relay y tu conexión.",
  "run.RELAY_NOT_RUNNING": "Nada responde en {relay}. ¿Está en marcha el relay?",
  "run.RELAY_LATE": "{relay} no respondió a tiempo.",
  "run.RELAY_UNREACHABLE": "No se llega a {relay} desde aquí. Comprueba tu conexión.",
  "run.RELAY_UNREACHED": "No se llega a {relay} ({status}).",
  "run.RELAY_LOST": "Se perdió la conexión con {relay}.",
  "run.RELAY_TROUBLE": "El relay {relay} tiene un problema ({status}).",
  "run.RELAY_REFUSED": "El relay {relay} rechazó la petición ({status}).",
  "run.RELAY_FOREIGN":
    "Algo entre este ordenador y el relay responde en su lugar. Abre una página en tu navegador: quizá espera el inicio de sesión de un wifi.",
  "run.RELAY_OTHER_SERVER":
    "El servidor {relay} no es un relay de Soundferry. Comprueba la dirección.",
  "run.RELAY_REDIRECTS": "{relay} redirige a {address}. Escribe eso como dirección del relay.",
  "run.RELAY_NOT_SOUND": "De {relay} llegó algo distinto del sonido.",
  "run.RELAY_REPLACED": "Ahora responde otro relay en {relay}.",
  "run.RELAY_CERTIFICATE_OLD":
    "El certificado de {relay} ha caducado. Avisa a quien gestiona el relay.",
  "run.RELAY_CERTIFICATE_OTHER":
    "El certificado de {relay} pertenece a otra dirección. Comprueba la dirección del relay.",
  "run.RELAY_CERTIFICATE_UNTRUSTED":
    "El certificado de {relay} no es de confianza. Avisa a quien gestiona el relay.",
  "run.RELAY_WITHOUT_HTTPS": "{relay} no admite https. En tu propia red, prueba con http://.",
};
