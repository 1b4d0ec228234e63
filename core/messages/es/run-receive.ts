import type { RUN_RECEIVE as ENGLISH } from "../en/run-receive.ts";
import type { Translated } from "../message.ts";

export const RUN_RECEIVE: Translated<typeof ENGLISH> = {
  "run.RECEIVE_OWN_RELAY": "Esta página solo recibe de su propio relay.",
  "run.RECEIVE_OTHER_RELAY":
    "Ahora responde aquí otro relay. No recibe nada de lo que sabe este navegador.",
  "run.RECEIVE_UNKNOWN":
    "El relay ya no conoce este navegador. Olvida este navegador en los ajustes y vuelve a recibir.",
  "run.RECEIVE_ELSEWHERE": "Ahora recibe otra pestaña de este navegador.",
  "run.RECEIVE_STORAGE":
    "El navegador no guarda nada para esta página. Sal de la ventana privada o libera espacio en su disco.",
  "run.RECEIVE_NO_WORKER":
    "Este navegador no puede guardar sonidos desde una página. Actualízalo o usa otro.",
  "run.RECEIVE_NO_ROOM":
    "El navegador no tiene sitio para {limit} de sonidos. Libera espacio e importa de nuevo.",
  "run.RECEIVE_NO_PLACE": "Elige dónde se guardan las importaciones: en una carpeta o como ZIP.",
  "run.RECEIVE_FOLDER_CLOSED":
    "El navegador no puede escribir en «{name}». Importa de nuevo y permítelo.",
  "run.RECEIVE_FOLDER_GONE": "La carpeta «{name}» ya no está. Vuelve a elegirla o elige otra.",
  "run.RECEIVE_NOT_WRITTEN":
    "No se pudo escribir {file} en la carpeta. Revisa su disco e importa de nuevo.",
  "run.RECEIVE_PLACE_WAITS": "Hay una importación en curso. Cambia el lugar cuando termine.",
  "run.RECEIVE_NOT_FORGOTTEN": "El relay no ha olvidado este navegador. {problem}",
  "run.RECEIVE_NOT_HERE": "Un navegador no puede hacer eso.",
};
