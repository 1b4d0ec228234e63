import type { RUN_RECEIVE as ENGLISH } from "../en/run-receive.ts";
import type { Translated } from "../message.ts";

export const RUN_RECEIVE: Translated<typeof ENGLISH> = {
  "run.RECEIVE_OWN_RELAY": "Cette page ne reçoit que de son propre relais.",
  "run.RECEIVE_OTHER_RELAY":
    "Un autre relais répond ici maintenant. Il ne reçoit rien de ce que ce navigateur sait.",
  "run.RECEIVE_UNKNOWN":
    "Le relais ne connaît plus ce navigateur. Oublie ce navigateur dans les réglages, puis reçois à nouveau.",
  "run.RECEIVE_ELSEWHERE": "Un autre onglet de ce navigateur reçoit maintenant.",
  "run.RECEIVE_STORAGE":
    "Le navigateur n’enregistre rien pour cette page. Quitte la fenêtre privée ou libère de l’espace sur son disque.",
  "run.RECEIVE_NO_WORKER":
    "Ce navigateur ne peut pas enregistrer de sons depuis une page. Mets-le à jour ou prends-en un autre.",
  "run.RECEIVE_NO_ROOM":
    "Le navigateur n’a pas de place pour {limit} de sons. Libère de l’espace, puis importe à nouveau.",
  "run.RECEIVE_NO_PLACE": "Choisis où enregistrer les imports : dans un dossier ou en ZIP.",
  "run.RECEIVE_FOLDER_CLOSED":
    "Le navigateur ne peut pas écrire dans « {name} ». Importe à nouveau et autorise-le.",
  "run.RECEIVE_FOLDER_GONE":
    "Le dossier « {name} » n’existe plus. Choisis-le à nouveau ou prends-en un autre.",
  "run.RECEIVE_NOT_WRITTEN":
    "{file} n’a pas pu être écrit dans le dossier. Vérifie son disque, puis importe à nouveau.",
  "run.RECEIVE_PLACE_WAITS": "Un import est en cours. Change d’emplacement quand il sera terminé.",
  "run.RECEIVE_NOT_FORGOTTEN": "Le relais n’a pas oublié ce navigateur. {problem}",
  "run.RECEIVE_NOT_HERE": "Un navigateur ne peut pas faire cela.",
};
