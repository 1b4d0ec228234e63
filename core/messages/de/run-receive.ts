import type { RUN_RECEIVE as ENGLISH } from "../en/run-receive.ts";
import type { Translated } from "../message.ts";

export const RUN_RECEIVE: Translated<typeof ENGLISH> = {
  "run.RECEIVE_OWN_RELAY": "Diese Seite empfängt nur von ihrem eigenen Relay.",
  "run.RECEIVE_OTHER_RELAY":
    "Hier antwortet jetzt ein anderes Relay. Es bekommt nichts von dem, was dieser Browser weiß.",
  "run.RECEIVE_UNKNOWN":
    "Das Relay kennt diesen Browser nicht mehr. Vergiss den Browser in den Einstellungen und empfange dann neu.",
  "run.RECEIVE_ELSEWHERE": "Jetzt empfängt ein anderer Tab dieses Browsers.",
  "run.RECEIVE_STORAGE":
    "Der Browser speichert nichts für diese Seite. Verlass das private Fenster oder schaff Platz auf der Festplatte.",
  "run.RECEIVE_NO_WORKER":
    "Dieser Browser kann keine Sounds von einer Seite speichern. Aktualisiere ihn oder nimm einen anderen.",
  "run.RECEIVE_NO_ROOM":
    "Der Browser hat keinen Platz für {limit} an Sounds. Schaff etwas Platz und importiere noch einmal.",
  "run.RECEIVE_NO_PLACE": "Wähle, wohin Importe gespeichert werden: in einen Ordner oder als ZIP.",
  "run.RECEIVE_FOLDER_CLOSED":
    "Der Browser darf nicht in „{name}“ schreiben. Importiere noch einmal und erlaube es.",
  "run.RECEIVE_FOLDER_GONE":
    "Den Ordner „{name}“ gibt es nicht mehr. Wähle ihn noch einmal oder nimm einen anderen.",
  "run.RECEIVE_NOT_WRITTEN":
    "{file} ließ sich nicht in den Ordner schreiben. Prüfe dessen Festplatte und importiere noch einmal.",
  "run.RECEIVE_PLACE_WAITS": "Ein Import läuft. Ändere den Ort, wenn er fertig ist.",
  "run.RECEIVE_NOT_FORGOTTEN": "Das Relay hat diesen Browser nicht vergessen. {problem}",
  "run.RECEIVE_NOT_HERE": "Das kann ein Browser nicht.",
};
