import type { RECEIVE as ENGLISH } from "../en/receive.ts";
import type { Translated } from "../message.ts";

export const RECEIVE: Translated<typeof ENGLISH> = {
  "receive.title": "Sounds in diesem Browser empfangen",
  "receive.what":
    "Deine Apps können an diesen Browser senden wie an einen Computer. Was sie senden, wartet beim Relay, bis du es importierst: in einen Ordner oder als ZIP.",
  "receive.name": "Name dieses Browsers",
  "receive.name-hint": "Apps zeigen ihn dort an, wo sie senden.",
  "receive.key": "Registrierungsschlüssel",
  "receive.key-hint":
    "Dieses Relay registriert Computer nur mit einem Schlüssel. Wer es betreibt, kann dir einen geben.",
  "receive.begin": "Empfangen",
  "receive.beginning": "Wird registriert…",
  "receive.insecure":
    "Über eine einfache http-Adresse kann ein Browser nur auf dem Computer des Relays empfangen. Öffne diese Seite über https.",
  "receive.unable":
    "Dieser Browser kann für diese Seite keine Dateien aufbewahren. Nimm einen anderen Browser oder ein Fenster, das nicht privat ist.",
  "receive.send-instead": "Stattdessen Sounds senden",

  "receive.elsewhere-title": "Ein anderer Tab empfängt",
  "receive.elsewhere": "In einem Browser empfängt immer nur ein Tab.",
  "receive.here": "Stattdessen hier empfangen",
  "receive.looking": "Einen Moment…",

  "receive.where-title": "Wohin mit den Importen?",
  "receive.where-what":
    "Aus jedem Paket werden seine Sounds als WAVs, mit einer DAWproject-Datei. Es kommt in einen Ordner von dir, oder dein Browser sichert es als ein ZIP.",
  "receive.where-once": "Du wirst nur einmal gefragt. In den Einstellungen kannst du es ändern.",
  "receive.choose-folder": "Ordner wählen",
  "receive.folder-tip": "Tipp: Wähle in Lives User Library den Ordner Samples.",
  "receive.save-zip": "Als ZIP sichern",
  "receive.no-folders":
    "Dieser Browser kann nicht in einen Ordner schreiben. Chrome und Edge auf einem Computer können es.",
  "receive.saves-into": "Sichert in {folder}",
  "receive.saves-zip": "Sichert als ZIP",
  "receive.not-chosen": "Es wurde nichts importiert. Wähle zuerst, wohin Importe kommen.",

  "receive.place": "Importe",
  "receive.into-folder": "Sie kommen in den Ordner {folder}.",
  "receive.into-zip": "Jedes Paket wird als ein ZIP gesichert.",
  "receive.undecided": "Der erste Import fragt, wohin sie kommen.",
  "receive.asks-again":
    "Wenn diese Seite geschlossen war, fragt der Browser beim nächsten Import noch einmal, ob er den Ordner benutzen darf.",
  "receive.live-set": "Auch ein Live-Set schreiben (experimentell)",
  "receive.live-set-hint": "Noch nicht in einem echten Live geöffnet.",
  "receive.forget-title": "Dieser Browser",
  "receive.forget-what": "Wenn du hier nicht mehr empfangen willst, lass diesen Browser vergessen.",
  "receive.forget": "Diesen Browser vergessen",
  "receive.forget-question":
    "Das Relay löscht die Pakete, die auf diesen Browser warten, und entkoppelt seine Apps. Der Browser löscht seinen Zugang zum Relay. Importierte Dateien bleiben.",
  "receive.forget-keep": "Behalten",
  "receive.forget-here": "Nur hier vergessen",
  "receive.forget-here-what":
    "Oder vergiss ihn nur hier. Das Relay behält die Pakete dann, bis sie ablaufen.",

  "receive.zip-again": "ZIP noch einmal sichern",
  "receive.zip-again-title": "ZIP noch einmal sichern: {title}",
  "receive.relay-fixed": "Diese Seite empfängt von dem Relay, von dem sie stammt.",
};
