import type { Translated } from "../message.ts";
import type { PANEL_LIVE as ENGLISH } from "../en/panel-live.ts";

/** In German. */
export const PANEL_LIVE: Translated<typeof ENGLISH> = {
  "panel.live-setup": "Live einrichten",
  "panel.live-setup-title": "Ableton Live einrichten",
  "panel.live-why":
    "Die Bedienoberfläche ist ein kleines Skript in Live. Damit bekommt jeder Loop in jeder Edition von Live 12 genau sein Tempo, seinen Start und seine Lautstärke.",
  "panel.live-ready": "{live} ist bereit für genaue Importe",
  "panel.live-answers": "{live} antwortet.",
  "panel.live-waiting": "Warten, bis Live antwortet…",
  "panel.live-silent": "Live antwortet nicht mehr.",
  "panel.live-done": "Erledigt",
  "panel.live-open": "Zu tun",
  "panel.live-installing": "Wird installiert…",
  "panel.live-install": "Installieren",
  "panel.live-update": "Aktualisieren",
  "panel.live-install-again": "Neu installieren",
  "panel.live-step-install": "Das Skript installieren",
  "panel.live-step-restart": "Live neu starten",
  "panel.live-step-choose": "Soundferry in Live auswählen",
  "panel.live-restart": "Beende Live und starte es wieder. Neue Skripte findet es nur beim Start.",
  "panel.live-restart-other":
    "In Live läuft noch eine andere Version des Skripts. Beende Live und starte es wieder.",
  "panel.live-choose":
    "Öffne in Live Einstellungen → Link, Tempo & MIDI. Wähle Soundferry als Bedienoberfläche und lass Eingang und Ausgang auf „Keine“.",
  "panel.live-missing": "Soundferry kopiert ein kleines Skript in {library} von Live.",
  "panel.live-old":
    "Das Skript in {library} von Live ist von einer anderen Version von Soundferry.",
  "panel.live-changed": "Das Skript in {library} von Live wurde von Hand geändert.",
  "panel.live-foreign":
    "In {library} von Live gibt es einen anderen Ordner Remote Scripts/Soundferry. Verschiebe ihn zuerst.",
  "panel.live-current": "Es ist in {library} von Live.",
  "panel.live-no-library":
    "Die User Library von Live wurde nicht gefunden. Starte Soundferry mit SOUNDFERRY_LIVE_LIBRARY und dem Ordner, den Live unter Einstellungen → Library zeigt.",
  "panel.live-unknown":
    "In Live kann Soundferry es nicht installieren. Gib in einem Terminal ein: soundferry live install",
  "panel.check": "Dieses Live prüfen",
  "panel.check-what":
    "Soundferry probiert in etwa zwei Minuten aus, was dieses Live tut, und schreibt einen Bericht, den du verschicken kannst: ohne Pfade, Namen und Adressen. Öffne vorher in Live ein neues, leeres Set. Alles, was die Prüfung anlegt, wird wieder entfernt.",
  "panel.check-start": "Prüfung starten",
  "panel.check-again": "Noch einmal prüfen",
  "panel.check-cancel": "Prüfung abbrechen",
  "panel.check-label": "Prüfung von Live",
  "panel.check-waiting": "Warten auf Live…",
  "panel.check-progress": {
    one: "{done} von {count} Frage beantwortet",
    other: "{done} von {count} Fragen beantwortet",
  },
  "panel.check-done": {
    one: "{live} wurde geprüft: {answered} von {count} Frage beantwortet.",
    other: "{live} wurde geprüft: {answered} von {count} Fragen beantwortet.",
  },
  "panel.check-save": "Bericht sichern",
  "panel.check-answer": "Antworten",
  "panel.check-did": "Erledigt",
  "panel.check-skip": "Überspringen",
};
