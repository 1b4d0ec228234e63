import {
  MAX_APP_ID_LENGTH,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_ID_LENGTH,
  MAX_PACKAGE_BYTES,
  MAX_SAMPLE_RATE_HZ,
  MAX_SOUNDS,
} from "../../limits.ts";
import { PACKAGE_SIZE } from "../../text/format-limit.ts";
import type { Translated } from "../message.ts";
import type { REFUSAL_TEXTS as ENGLISH } from "../en/refusals.ts";

export const REFUSAL_TEXTS: Translated<typeof ENGLISH> = {
  "refusal.REQUEST_MALFORMED": "Diese Anfrage konnte nicht gelesen werden.",
  "refusal.NOT_JSON": "Der Inhalt ist kein gültiges JSON.",
  "refusal.JSON_IN_FORM": "Das ist ein Formular: Sende das JSON selbst als Inhalt.",
  "refusal.JSON_ENCODED": "Als {encoding} angekommen. Sende das JSON als einfachen UTF-8-Text.",
  "refusal.PATH_UNKNOWN": "Unter dieser Adresse gibt es nichts.",
  "refusal.METHOD_WRONG": "Diese Adresse unterstützt {method} nicht.",
  "refusal.REQUEST_TOO_SLOW": "Die Anfrage kam zu langsam an. Versuch es noch einmal.",
  "refusal.BODY_TOO_LARGE": "Der Inhalt ist zu groß. Die Grenze ist {max}.",
  "refusal.HEADERS_TOO_LARGE": "Die Kopfzeilen der Anfrage sind zu groß.",
  "refusal.CLAIM_INCOMPLETE": "code, app_name und app_id sind nötig, jeweils als Text.",
  "refusal.APP_ID_TOO_LONG": `app_id darf höchstens ${MAX_APP_ID_LENGTH} Zeichen haben.`,
  "refusal.TOKEN_MISSING": "Der Header Authorization fehlt. Sende darin Bearer und den Token.",
  "refusal.TOKEN_UNKNOWN": "Nicht mehr gekoppelt. Gib einen neuen Kopplungscode ein.",
  "refusal.IMPORTER_UNKNOWN": "Dieses Relay kennt diesen Computer nicht.",
  "refusal.REGISTRATION_KEY_WRONG":
    "Dieses Relay verlangt einen Anmeldeschlüssel. Frag, wer es betreibt.",
  "refusal.REGISTRATION_KEY_ENDED":
    "Dieser Anmeldeschlüssel ist abgelaufen. Frag nach einem neuen.",
  "refusal.REGISTRATION_KEY_USED_UP":
    "Dieser Anmeldeschlüssel ist aufgebraucht. Frag nach einem neuen.",
  "refusal.REGISTRATION_KEY_REMOVED":
    "Dieser Anmeldeschlüssel ist entfernt. Frag nach einem neuen.",
  "refusal.CODE_UNKNOWN": "Dieser Code ist falsch, benutzt oder abgelaufen. Hol dir einen neuen.",
  "refusal.PAIRING_UNKNOWN": "Diese App ist nicht mit diesem Computer gekoppelt.",
  "refusal.DEVICE_NAME_WRONG": "device_name muss ein Text sein.",
  "refusal.IMPORTER_TOO_OLD": "Diese Version ist zu alt für das Relay. Aktualisiere Soundferry.",
  "refusal.SCHEMA_NEWER": "Format {schema} wird noch nicht unterstützt. Aktualisiere Soundferry.",
  "refusal.SCHEMA_UNKNOWN": "schema muss app2host/1 sein.",
  "refusal.MANIFEST_NOT_OBJECT": "Die Beschreibung muss ein JSON-Objekt sein.",
  "refusal.ITEMS_MISSING": `items muss eine Liste von 1 bis ${MAX_SOUNDS} Sounds sein.`,
  "refusal.ITEMS_TOO_MANY": `Ein Paket fasst höchstens ${MAX_SOUNDS} Sounds; dieses hat {count}.`,
  "refusal.ITEM_NOT_OBJECT": "Sound {position} muss ein JSON-Objekt sein.",
  "refusal.FILE_NAME_MISSING": "{sound}: file fehlt.",
  "refusal.FILE_NAME_WRONG": "{sound}: file muss ein einfacher Name sein, der mit .wav endet.",
  "refusal.BYTES_WRONG": `{sound}: bytes muss von 1 bis ${MAX_PACKAGE_BYTES} sein.`,
  "refusal.SHA256_WRONG": "{sound}: sha256 muss aus 64 Hex-Ziffern bestehen.",
  "refusal.FILE_TWICE": "{sound}: Ein anderer Sound benutzt {file} schon.",
  "refusal.TOTAL_TOO_LARGE": `{sound}: Mit diesem Sound wäre das Paket größer als ${PACKAGE_SIZE}.`,
  "refusal.IDEMPOTENCY_KEY_WRONG": `Idempotency-Key muss 1 bis ${MAX_IDEMPOTENCY_KEY_LENGTH} Zeichen haben.`,
  "refusal.IDEMPOTENCY_KEY_REUSED": "Dieser Idempotency-Key wurde für ein anderes Paket benutzt.",
  "refusal.MORE_PROBLEMS": "Es gibt {count} weitere Probleme.",
  "refusal.PACKAGE_UNKNOWN": "Dieses Paket gibt es nicht.",
  "refusal.FILE_UNKNOWN": "Das Paket hat keine Datei {file}.",
  "refusal.SOUND_LOST": "{file}: Das Relay hat diese Datei verloren. Sende sie erneut.",
  "refusal.UPLOAD_STALLED": "{file}: Das Senden wurde unterbrochen. Sende die Datei noch einmal.",
  "refusal.SIZE_DIFFERS": "{file}: {got} Byte empfangen, {announced} erwartet.",
  "refusal.CHECKSUM_DIFFERS": "{file}: Die Prüfsumme stimmt nicht mit der angekündigten überein.",
  "refusal.UPLOAD_HEADERS_WRONG":
    "Upload-Offset muss eine ganze Zahl sein, Upload-Complete ?0 oder ?1.",
  "refusal.FILE_IN_FORM": "Das ist ein Formular-Upload: Sende die Bytes der Datei, wie sie sind.",
  "refusal.FILE_ENCODED":
    "{file}: als {encoding} angekommen. Sende die Bytes der Datei, wie sie sind.",
  "refusal.UPLOAD_OFFSET_DIFFERS": "{file}: Weiter bei Byte {offset}.",
  "refusal.UPLOAD_REPLACED": "{file}: Ein neuerer Upload hat diesen ersetzt.",
  "refusal.UPLOAD_TYPE_WRONG": "Content-Type muss application/partial-upload sein.",
  "refusal.UPLOAD_VERSION_UNKNOWN":
    "Diese Version fortsetzbarer Uploads ist unbekannt. Sende die ganze Datei mit PUT.",
  "refusal.UPLOADS_TOO_MANY": "{max} Dateien werden schon gesendet. Warte, bis eine fertig ist.",
  "refusal.WAV_NOT_RIFF": "{file}: keine WAV-Datei. Exportiere sie als WAV.",
  "refusal.WAV_LFS_POINTER": "{file} ist ein Git-LFS-Zeiger: Führe git lfs pull aus.",
  "refusal.WAV_TAG_IN_FRONT": "{file}: Davor steht ein ID3-Tag. Exportiere sie ohne Tags.",
  "refusal.WAV_RF64": "{file}: {container} wird nicht unterstützt. Sichere sie als einfaches WAV.",
  "refusal.WAV_RIFX": "{file}: Big-Endian-WAV. Sichere sie als einfaches WAV.",
  "refusal.WAV_NO_FORMAT": "{file}: Die Formatangabe fehlt. Exportiere sie noch einmal.",
  "refusal.WAV_FORMAT_BROKEN":
    "{file}: Die Formatangabe ist beschädigt. Exportiere sie noch einmal.",
  "refusal.WAV_FORMAT_AFTER_DATA":
    "{file}: Das Format steht nach dem Ton. Exportiere sie noch einmal.",
  "refusal.WAV_COMPRESSED": "{file}: Ihr Codec ist {codec}. Exportiere sie als PCM-WAV.",
  "refusal.WAV_FLOAT_UNSUPPORTED": "{file}: {bits} Bit Float. Exportiere sie mit 32 Bit Float.",
  "refusal.WAV_BITS_UNSUPPORTED": "{file}: {bits} Bit. Exportiere sie mit 16, 24 oder 32 Bit.",
  "refusal.WAV_CHANNELS_UNSUPPORTED":
    "{file}: {channels} Kanäle. Exportiere sie in Mono oder Stereo.",
  "refusal.WAV_RATE_UNSUPPORTED": `{file}: Abtastrate {rate} Hz. Exportiere sie mit 44,1 bis ${MAX_SAMPLE_RATE_HZ / 1000} kHz.`,
  "refusal.WAV_BLOCK_ALIGN_WRONG":
    "{file}: Block Align ist {got} statt {expected}. Sichere sie neu.",
  "refusal.WAV_NO_DATA": "{file}: enthält keinen Ton. Exportiere sie noch einmal.",
  "refusal.WAV_STREAMED":
    "{file}: Im Header fehlt die Länge: Sie wurde gestreamt. Sichere sie neu.",
  "refusal.WAV_LENGTH_WRONG": "{file}: Die Länge im Header ist falsch. Sichere sie neu.",
  "refusal.WAV_CUT_SHORT": "{file}: Die Datei ist unvollständig. Exportiere sie noch einmal.",
  "refusal.FILES_MISSING": "Es fehlen: {files}",
  "refusal.NOT_UPLOADING": "Dieses Paket ist vollständig und nimmt keine Dateien mehr an.",
  "refusal.PACKAGE_EXPIRED": "Dieses Paket ist abgelaufen. Sende es noch einmal.",
  "refusal.PACKAGE_TAKEN": "Dieses Paket wird gerade importiert.",
  "refusal.PACKAGE_IMPORTED": "Dieses Paket ist schon importiert.",
  "refusal.PACKAGE_NOT_COMMITTED": "Dieses Paket wird noch gesendet.",
  "refusal.RUN_ELSEWHERE": "Ein anderer Import läuft. Versuch es in {seconds} s noch einmal.",
  "refusal.RANGE_WRONG": "Die Datei hat {size} Byte; dieser Bereich liegt außerhalb.",
  "refusal.RESULTS_WRONG": "results muss jedem Sound ein Objekt mit Status geben.",
  "refusal.SOUND_UNKNOWN": "Das Paket hat keinen Sound {id}.",
  "refusal.RUN_ID_WRONG": `run_id muss ein Text von 1 bis ${MAX_ID_LENGTH} Zeichen sein.`,
  "refusal.CALLS_TOO_MANY": "Zu viele Anfragen. Versuch es in {seconds} s noch einmal.",
  "refusal.PACKAGES_TOO_MANY":
    "Die Grenze ist {max} Pakete pro Stunde. Versuch es später noch einmal.",
  "refusal.TRIES_TOO_MANY": "Zu viele Versuche. Versuch es in {seconds} s noch einmal.",
  "refusal.ADDRESS_BYTES_TOO_MANY":
    "Von dieser Adresse kam heute zu viel. Versuch es später noch einmal.",
  "refusal.MANY_WAIT": "{app} hat viele wartende Pakete. Importiere sie oder blende sie aus.",
  "refusal.MANY_WAIT.own": "Viele deiner Pakete warten. Importiere sie oder blende sie aus.",
  "refusal.DEVICE_FULL":
    "{app} füllt den Platz dieses Computers. Importiere die Pakete der App oder blende sie aus.",
  "refusal.DEVICE_FULL.own":
    "Deine Pakete füllen den Platz dieses Computers. Importiere sie oder blende sie aus.",
  "refusal.DISK_FULL": "Die Festplatte des Relays ist voll. Versuch es später noch einmal.",
  "refusal.TOO_MUCH_AT_ONCE": "Zu viel auf einmal. Versuch es in {seconds} s noch einmal.",
  "refusal.REFUSED_TOO_MUCH": "Zu viel wurde abgelehnt. Versuch es in {seconds} s noch einmal.",
  "refusal.REGISTRATIONS_TOO_MANY":
    "Heute wurden viele Computer angemeldet. Versuch es in {wait} noch einmal.",
  "refusal.NETWORK_REGISTRATIONS_TOO_MANY":
    "Dein Netz hat heute viele Computer angemeldet. Versuch es in {wait} noch einmal.",
  "refusal.UPLOADS_UNFINISHED":
    "Unfertige Uploads belegen den Platz. Versuch es in {minutes} min noch einmal.",
  "refusal.BUSY": "Das Relay ist ausgelastet. Versuch es in {seconds} s noch einmal.",
  "refusal.STOPPING": "Das Relay startet neu. Versuch es in {seconds} s noch einmal.",
  "refusal.REGISTRATIONS_OFF":
    "Das Relay meldet gerade keine Computer an. Versuch es später noch einmal.",
  "refusal.ANNOUNCEMENTS_OFF":
    "Das Relay nimmt gerade keine Pakete an. Versuch es später noch einmal.",
  "refusal.CLAIMS_OFF": "Das Relay koppelt gerade keine Apps. Versuch es später noch einmal.",
  "refusal.HOST_UNKNOWN":
    "Das Relay heißt nicht so. Sein Betreiber kann SOUNDFERRY_ALLOWED_HOSTS setzen.",
  "refusal.ADDRESS_BLOCKED": "Der Betreiber des Relays hat diese Adresse gesperrt.",
  "refusal.DEVICE_BLOCKED": "Der Betreiber des Relays hat diesen Computer gesperrt.",
  "refusal.JSON_TOO_COMPLEX": "Der Inhalt ist zu tief verschachtelt oder hat zu viele Werte.",
  "refusal.SOUND_DENIED": "{sound}: Der Betreiber des Relays nimmt diesen Sound nicht an.",
  "refusal.STATUS_WRONG":
    "status muss aus uploading, waiting, imported, partial, failed, expired sein.",
  "refusal.CURSOR_WRONG": "after muss sein, was die Seite davor genannt hat.",
  "refusal.PAIRING_ANSWER_WRONG": "answer muss allow oder deny sein.",
  "refusal.PAIRING_REQUEST_OVER": "Diese Anfrage ist vorbei.",
  "refusal.INTERNAL": "Beim Relay ist etwas schiefgegangen. Versuch es noch einmal.",
  "refusal.NOT_READY": "Das Relay erreicht seinen Speicher nicht. Versuch es gleich noch einmal.",
};
