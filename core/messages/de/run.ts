import { MAX_BPM, MIN_BPM } from "../../limits.ts";
import { PACKAGE_SIZE, RESULTS_SIZE } from "../../text/format-limit.ts";
import type { RUN_TEXTS as ENGLISH } from "../en/run.ts";
import type { Translated } from "../message.ts";
import { LIVE_SET_RUN } from "./live-set.ts";

export const RUN_TEXTS: Translated<typeof ENGLISH> = {
  ...LIVE_SET_RUN,
  "run.SAVED_AS_FILES": "Als Dateien gespeichert; nicht in einem Set platziert.",
  "run.PLACED_IN_PREVIEW": "In der Vorschau von Soundferry platziert, nicht in Live.",
  "run.TRACKS_FULL": "{live} erlaubt {count} Spuren pro Set. Dieser Sound liegt im Soundordner.",
  "run.SCENE_TAKEN":
    "{live} erlaubt {count} Szenen pro Set, deshalb liegen die Clips in einer leeren Szene, die schon da war.",
  "run.CHANGED_BY_PERSON":
    "Du hast diesen Clip nach dem Import geändert; er wurde nicht noch einmal geprüft.",
  "run.OPEN_IN_LIVE":
    "Dieser Clip war in Live geöffnet, deshalb hat Soundferry ihn so gelassen, wie er ist.",
  "run.ON_EARLIER_TRACK": "Der Sound liegt auf seiner Spur vom früheren Import.",
  "run.NO_EARLIER_TRACK": "Für diesen Sound gab es noch keine Spur, deshalb hat er eine neue.",
  "run.EARLIER_TRACK_UNUSABLE":
    "Die frühere Spur ist eingefroren oder keine Audiospur, deshalb hat der Sound eine neue.",
  "run.NO_RESULT": "Für diesen Sound wurde kein Ergebnis gemeldet.",
  "run.RESULTS_SHORTENED": `Gekürzt: Die Ergebnisse eines Pakets dürfen höchstens ${RESULTS_SIZE} groß sein.`,
  "run.NOT_CHECKED": "Nicht geprüft: {settings}.",

  "run.BOTH_GUESSED":
    "Weder Tempo noch Länge wurden gesendet, deshalb ist beides geschätzt. Prüf, ob der Loop richtig sitzt.",
  "run.TEMPO_GUESSED": `Bei {beats} in einer Datei von {seconds} s läge das Tempo außerhalb von ${MIN_BPM}–${MAX_BPM} BPM, deshalb ist es geschätzt.`,
  "run.LOOP_SHORTER":
    "Ein Loop von {beats} bei {bpm} BPM dauert {seconds} s, die Datei aber {fileSeconds} s: Deren letzte {gapSeconds} s liegen außerhalb des Loops.",
  "run.LOOP_LONGER":
    "Ein Loop von {beats} bei {bpm} BPM dauert {seconds} s, die Datei aber nur {fileSeconds} s: Die letzten {gapSeconds} s des Loops sind still.",
  "run.FILE_ABSENT": "{file} ist nicht da.",

  "run.FILE_LOST": "Die Datei ist beim Relay verloren gegangen.",
  "run.FILE_NOT_AT_RELAY": "Das Relay hat {file} nicht.",
  "run.FILE_SIZE_UNKNOWN": "{file}: Die Größe ist nicht bekannt.",
  "run.FILE_OTHER_PART": "{file}: Das Relay hat einen anderen Teil geschickt als angefragt.",
  "run.FILE_TOO_LONG": "{file}: Das Relay hat mehr geschickt, als die Datei hat.",
  "run.FILE_ENDED_EARLY": "{file}: Die Verbindung ist zu früh abgebrochen.",
  "run.FILE_SILENT": "{file}: Seit {seconds} s kommen keine Daten.",
  "run.FILE_HEADER_LONG": "{file}: Der Header ist zu lang für eine Vorschau vor dem Import.",
  "run.FILE_UNREADABLE": "{file} lässt sich nicht lesen.",
  "run.MAYBE_IN_CLOUD":
    "Vielleicht liegt die Datei nur in der Cloud: Lade sie herunter und versuch es noch einmal.",
  "run.FILE_IN_ICLOUD":
    "{file} liegt in iCloud und nicht auf diesem Mac. Lade die Datei im Finder herunter und versuch es noch einmal.",
  "run.FILE_CHANGED": "{file} wurde beim Lesen geändert.",
  "run.FILE_OUTSIDE": "{file} liegt außerhalb des Paketordners.",
  "run.FILE_MISSING": "{file} liegt nicht im Paketordner.",
  "run.NOT_A_FILE": "{file} ist keine Datei.",
  "run.FILE_TOO_LARGE": "{file} ist zu groß. Die Grenze ist {limit}.",
  "run.JSON_INVALID": "{file} ist kein gültiges JSON (Zeile {line}, Spalte {column}).",
  "run.JSON_ENCODED_FILE": "{file} ist {encoding}. Sichere sie als einfachen UTF-8-Text.",
  "run.TAKES_OVER": `{file}: Mit diesem Sound wäre das Paket größer als ${PACKAGE_SIZE}.`,
  "run.FOLDER_ABSENT": "Den Ordner {folder} gibt es nicht.",
  "run.FOLDER_UNREADABLE": "Der Ordner {folder} lässt sich nicht lesen.",
  "run.NOT_IN_INBOX": "Im Eingang gibt es kein Paket {id}.",
  "run.NOT_AT_RELAY": "Das Relay hat kein Paket {id} für diesen Computer.",

  "run.RUN_CANCELLED": "Der Import wurde abgebrochen.",
  "run.RUN_FAILED": "Der Import ist fehlgeschlagen.",
  "run.CONNECTION_LOST":
    "Die Verbindung ist abgerissen. Nichts wurde platziert. Importiere noch einmal, um weiterzumachen.",
  "run.LAST_PROBLEM": "Letztes Problem: {problem}",
  "run.RELAY_SILENT": "Das Relay hat {seconds} s lang nicht geantwortet.",
  "run.NONE_CHOSEN": "Wähle mindestens einen Sound.",
  "run.NAMED_TWICE": "Mehrere Sounds heißen {name}. Nimm eine ID: {ids}.",
  "run.TRACKS_NOT_REUSED": "Hier lässt sich nicht auf dieselben Spuren importieren.",
  "run.OTHER_SOUNDS_RUN":
    "Andere Sounds von {title} werden gerade importiert. Versuch es danach noch einmal.",
  "run.IMPORT_RUNS": "{title} wird gerade importiert. Brich das zuerst ab.",
  "run.CLOSING": "Soundferry wird beendet.",
  "run.INTERRUPTED": "Ein früherer Import von {title} wurde unterbrochen.",
  "run.STEPS_DONE": "Erledigt: {steps}.",
  "run.STEPS_BEGUN": "Vielleicht erledigt: {steps}.",
  "run.DELETE_REST": "Lösche, was du nicht willst, und importiere dann noch einmal.",

  "run.HOST_COULD_NOT": "Das hat in {host} nicht geklappt: {step}.",
  "run.HOST_COULD_NOT_BECAUSE": "Das hat in {host} nicht geklappt: {step} ({reason}).",
  "run.HOST_SILENT": "{host} antwortet nicht.",
  "run.TRACK_STAYS": "Die leere Spur bleibt stehen.",
  "run.STAYS_IN_SET": "Noch im Set: {names}.",
  "run.STAYS_IN_SESSION": "Noch in der Session: {names}.",
  "run.TEMPO_STAYS": "Das Tempo bleibt bei {bpm} BPM.",
  "run.NOT_IN_PREVIEW": "In der Vorschau fehlt {name}.",

  "run.LIVE_TOO_OLD":
    "Du benutzt {live}. Soundferry platziert Sounds in Live 11.3 ab 11.3.25 und in Live 12 ab 12.0.5. Das Update ist kostenlos.",
  "run.LIVE_ABSENT":
    "Live antwortet nicht. Öffne Live und wähle Soundferry unter Einstellungen → Link, Tempo & MIDI; mehr sagt `soundferry live status`.",
  "run.LIVE_BUSY": "Live hat nicht geantwortet. Schließ dort offene Menüs und Dialoge.",
  "run.SCRIPT_VERSION":
    "In Live läuft Version {other} der Bedienoberfläche von Soundferry, hier ist es {own}. Gib `soundferry live install` ein und starte Live neu.",
  "run.SCRIPT_UNKNOWN":
    "In Live läuft eine andere Version der Bedienoberfläche von Soundferry, hier ist es {own}. Gib `soundferry live install` ein und starte Live neu.",
  "run.LIVE_STOPPED":
    "Live hat aufgehört zu antworten, während {name} platziert wurde. Importiere noch einmal, sobald Live antwortet: Dann zeigt sich, was im Set ist.",
  "run.SET_CLOSED": "Das Set wurde geschlossen, während {name} platziert wurde.",
  "run.SET_HOLDS": "Im jetzt geöffneten Set ist davon: {things}.",
  "run.CLIP_ABSENT": "Der Clip „{name}“ ist nicht in Live.",
  "run.TEMPO_HEARD": "Live hat {bpm} BPM erkannt.",
  "run.TEMPO_NEAR": "Live erkennt {heldBpm} BPM, das ist nah genug an {bpm}.",
  "run.TEMPO_UNTOLD":
    "Ohne die Bedienoberfläche von Soundferry lässt sich Live das Tempo dieses Loops nicht vorgeben.",
  "run.CLIP_MADE_AGAIN":
    "Live hat {heldBpm} BPM erkannt, deshalb wurde der Clip neu angelegt, während das Set {bpm} BPM hatte.",
  "run.BOUNDS_REFUSED": "Live hat Anfang und Ende des Clips nicht angenommen.",
  "run.SETTING_REFUSED": "Live hat diese Einstellung nicht angenommen: {setting}.",
  "run.SETTING_REFUSED_BECAUSE":
    "Live hat diese Einstellung nicht angenommen: {setting} ({reason}).",
  "run.ENDS_EARLY": "Der Clip endet bei {seconds} s; die Datei dauert {fileSeconds} s.",
  "run.TRANSPOSED": "Der Clip ist um {semitones} Halbtöne und {cents} Cent transponiert.",
  "run.TRACK_ARMED": "Die Spur ist scharf geschaltet.",
  "run.TRACK_INPUT": "Der Eingang der Spur ist „{input}“.",
  "run.TRACK_FADER": "Der Fader der Spur steht nicht auf 0 dB.",
  "run.SCENE_NAMED": "Die Szene heißt „{held}“ statt „{name}“.",
  "run.SCENE_COLOR": "Die Szene hat Farbe {heldColor} statt Farbe {color}.",
  "run.SCENE_COLORLESS": "Die Szene hat keine Farbe statt Farbe {color}.",
  "run.SET_TEMPO_DIFFERS": "Das Set hat {heldBpm} BPM statt {bpm} BPM.",
  "run.SET_TEMPO_OTHER": "Das Tempo des Sets ist {heldBpm} BPM statt {bpm}.",
  "run.SET_TEMPO_UNKNOWN": "Ob das Set jetzt {bpm} BPM hat, ließ sich nicht feststellen.",
  "run.COLLECT_AND_SAVE":
    "Mit „Alles sammeln und sichern“ im Datei-Menü von Live bleibt die Datei bei deinem Set.",
  "run.PLAYS_FROM_FOLDER": "Live spielt die Datei aus dem Soundordner.",
  "run.GAIN_IN_COPY_RANGE":
    "Die Lautstärke von {gain} steckt in einer Kopie der Datei, weil eine Spur nur von {leastDb} bis {mostDb} dB reicht.",
  "run.GAIN_IN_COPY_REFUSED":
    "Die Lautstärke von {gain} steckt in einer Kopie der Datei, weil sich die Spur in Live nicht einstellen ließ.",
  "run.GAIN_ON_TRACK": "Die Lautstärke von {gain} ist an der Spur eingestellt.",
  "run.NO_GAINED_COPY": "Eine Kopie mit {gain} ließ sich nicht anlegen. {problem}",
  "run.CLIP_UNREADABLE": "{name}: Die Datei lässt sich nicht lesen.",

  "run.PROJECT_UNWARPED":
    "Ein DAWproject kann das Tempo nicht offenlassen: Der Clip ist nicht gewarpt und loopt über die ganze Datei.",
  "run.PROJECT_FILLED":
    "Ein DAWproject kann das Tempo nicht offenlassen: Die Datei ist auf {beats} gewarpt.",
  "run.PROJECT_LOUD":
    "Die Lautstärke von +{db} dB ist an der Spur eingestellt; viele DAWs erlauben höchstens +6 dB.",
  "run.NOT_IN_PROJECT": "In der DAWproject-Datei fehlt {name}.",
  "run.PROJECT_UNREADABLE":
    "{file} lässt sich nicht wieder lesen. Die Datei bleibt neben den Sounds liegen.",

  "run.DISK_FULL":
    "Der Datenträger mit {folder} ist voll. Schaff Platz und importiere noch einmal; schon geladene Sounds bleiben.",
  "run.DISK_READ_ONLY":
    "Soundferry kann nicht in {folder} speichern: Der Ordner ist schreibgeschützt oder für Soundferry gesperrt. Wähle in den Einstellungen einen anderen.",
  "run.DISK_MANY_FILES":
    "Auf diesem Computer sind zu viele Dateien offen. Schließ ein Programm und importiere noch einmal.",
  "run.DISK_AWAY":
    "Das Laufwerk mit {folder} ist nicht da. Schließ es an und importiere noch einmal.",
  "run.DISK_ERROR":
    "Der Datenträger mit {folder} meldet einen Fehler. Prüf ihn und importiere dann noch einmal; schon geladene Sounds bleiben.",
  "run.DISK_NAME_LONG":
    "Ein Name in {folder} ist zu lang für den Datenträger. Wähle in den Einstellungen einen Ordner mit kürzerem Pfad.",
  "run.DISK_ICLOUD":
    "Eine Datei in {folder} liegt in iCloud und nicht auf diesem Mac. Lade den Ordner im Finder herunter und importiere dann noch einmal.",
  "run.DISK_BUSY":
    "Ein anderes Programm benutzt eine Datei in {folder}. Schließ es und importiere noch einmal.",
  "run.DISK_FOLDER_IN_WAY":
    "{name} ist ein Ordner, aber Soundferry braucht den Namen für eine Datei. Benenne ihn um und importiere noch einmal.",
  "run.DRIVE_AWAY":
    "Das Laufwerk mit dem Soundordner {folder} ist nicht da. Schließ es an oder wähle einen anderen Ordner.",
  "run.DISK_NEARLY_FULL": `Der Datenträger mit {folder} ist fast voll: Ein Paket kann ${PACKAGE_SIZE} brauchen. Schaff Platz oder wähle einen Ordner auf einem anderen.`,
  "run.FOLDER_PATH_SHORT": "Gib den ganzen Pfad des Ordners ein, ab dem Laufwerk oder ab ~.",
  "run.NOT_A_FOLDER": "{folder} ist kein Ordner.",
  "run.FOLDER_IN_USE":
    "Soundferry benutzt {folder} für etwas anderes. Wähle einen anderen Ordner für die Sounds.",
  "run.FOLDER_OF_EXTENSION": "Live lässt seine Extension nur in diesen Ordner schreiben.",
  "run.FOLDER_SET": "Der Soundordner wurde beim Start von Soundferry festgelegt.",
  "run.FOLDER_SET_BY": "Der Soundordner ist durch {variable} festgelegt.",
  "run.FOLDER_CHANGE_WAITS": "Ein Import läuft. Ändere den Soundordner, wenn er fertig ist.",
  "run.FOLDER_NOT_MADE":
    "Der Ordner {folder} lässt sich nicht anlegen: {reason}. Prüf den Pfad und die Zugriffsrechte.",
  "run.FOLDER_STUCK": "Der Ordner {folder} lässt sich nicht lesen oder nicht entfernen.",
  "run.FOLDER_NOT_SHOWN": "Der Ordner ließ sich nicht zeigen.",
  "run.FOLDERS_NOT_SHOWN": "Soundferry kann hier keine Ordner zeigen.",

  "run.SCRIPT_DISK_FULL": "Der Datenträger ist voll. Schaff Platz und versuch es noch einmal.",
  "run.SCRIPT_READ_ONLY":
    "Soundferry kann nicht in {folder} schreiben. Hebe den Schreibschutz auf, schließ Programme, die den Ordner benutzen, und versuch es noch einmal.",
  "run.SCRIPT_BUSY":
    "Ein anderes Programm benutzt {folder}. Schließ es und versuch es noch einmal.",
  "run.SCRIPT_IN_WAY":
    "{folder} ist im Weg, weil es kein Ordner ist. Verschieb es und versuch es noch einmal.",
  "run.SCRIPT_DISK_ERROR":
    "{folder} lässt sich nicht benutzen: Der Datenträger meldet einen Fehler. Prüf ihn und versuch es noch einmal.",

  "run.TRY_AGAIN": "Versuch es noch einmal.",
  "run.TRY_LATER": "Versuch es später noch einmal.",
  "run.NO_RELAY": "Es ist kein Relay eingestellt. Gib hier seine Adresse ein.",
  "run.RELAY_SET": "Die Adresse des Relays wurde beim Start von Soundferry festgelegt.",
  "run.RELAY_SET_BY": "Die Adresse des Relays ist durch {variable} festgelegt.",
  "run.RELAY_CHANGE_WAITS": "Ein Import läuft. Ändere das Relay, wenn er fertig ist.",
  "run.RELAY_NOT_FOUND":
    "{relay} ist nicht zu finden. Prüf die Adresse des Relays und deine Verbindung.",
  "run.RELAY_NOT_RUNNING": "Unter {relay} antwortet niemand. Läuft das Relay?",
  "run.RELAY_LATE": "{relay} hat nicht rechtzeitig geantwortet.",
  "run.RELAY_UNREACHABLE": "{relay} ist von hier nicht erreichbar. Prüf deine Verbindung.",
  "run.RELAY_UNREACHED": "{relay} ist nicht erreichbar ({status}).",
  "run.RELAY_LOST": "Die Verbindung zu {relay} ist abgerissen.",
  "run.RELAY_TROUBLE": "Das Relay unter {relay} hat ein Problem ({status}).",
  "run.RELAY_REFUSED": "Das Relay unter {relay} hat die Anfrage abgelehnt ({status}).",
  "run.RELAY_FOREIGN":
    "Etwas zwischen diesem Computer und dem Relay antwortet an seiner Stelle. Öffne eine Seite im Browser: Vielleicht wartet eine WLAN-Anmeldung.",
  "run.RELAY_OTHER_SERVER": "Der Server unter {relay} ist kein Soundferry-Relay. Prüf die Adresse.",
  "run.RELAY_REDIRECTS": "{relay} leitet weiter zu {address}. Gib das als Adresse des Relays ein.",
  "run.RELAY_NOT_SOUND": "Von {relay} kam etwas anderes als der Sound.",
  "run.RELAY_REPLACED": "Unter {relay} antwortet jetzt ein anderes Relay.",
  "run.RELAY_CERTIFICATE_OLD":
    "Das Zertifikat von {relay} ist abgelaufen. Sag dem Betreiber des Relays Bescheid.",
  "run.RELAY_CERTIFICATE_OTHER":
    "Das Zertifikat unter {relay} gehört zu einer anderen Adresse. Prüf die Adresse des Relays.",
  "run.RELAY_CERTIFICATE_UNTRUSTED":
    "Dem Zertifikat von {relay} wird nicht vertraut. Sag dem Betreiber des Relays Bescheid.",
  "run.RELAY_WITHOUT_HTTPS":
    "{relay} unterstützt kein https. Versuch es im eigenen Netz mit http://.",
};
