import type { LIVE_SET_FILE as ENGLISH } from "../en/live-set.ts";
import type { Translated } from "../message.ts";

export const LIVE_SET_FILE: Translated<typeof ENGLISH> = {
  "format.host-live-set": "un archivo de Set de Live",
};

/** A part of the sentences of imports. */
export const LIVE_SET_RUN = {
  "run.SET_UNTRIED":
    "En un archivo de Set de Live: experimental, aún no se ha abierto en un Live real.",
  "run.SET_TEMPO_ASSUMED":
    "Un archivo de Set no puede dejar el tempo sin definir: el clip tiene el tempo del Set.",
  "run.SET_FILLED":
    "Un archivo de Set no puede dejar el tempo sin definir: el archivo se ajusta con Warp para llenar {beats}.",
  "run.SET_METER_UNKNOWN": "Live no tiene el compás {meter}, así que el Set está en 4/4.",
  "run.SET_INT_32": "{file} contiene enteros de 32 bits, que Live rechaza. Expórtalo con 24 bits.",
  "run.SET_TOO_LARGE": "Son demasiados paquetes para un solo Set. Escribe menos a la vez.",
  "run.TEMPLATE_UNREADABLE": "No se puede leer la plantilla.",
  "run.TEMPLATE_NOT_A_SET": "La plantilla no es un Set de Live.",
  "run.TEMPLATE_OLD": "La plantilla es de un Live más antiguo. Guárdala con Live 11 o posterior.",
  "run.TEMPLATE_BARE":
    "La plantilla necesita una pista de audio con un sonido en un slot. Añádela y guarda la plantilla.",
  "run.TEMPLATE_TIED":
    "Un dispositivo del máster de la plantilla usa una pista. Quítalo y guarda el Set.",
  "run.TEMPLATE_FAULTY": "La plantilla no es como Live guarda un Set, en {path}.",
  "run.TEMPLATE_LACKS": "En la plantilla, a {element} le falta {member}.",
  "run.NOT_IN_SET_FILE": "El archivo de Set no contiene {name}.",
} as const;
