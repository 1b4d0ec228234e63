import type { LIVE_SET_FILE as ENGLISH } from "../en/live-set.ts";
import type { Translated } from "../message.ts";

export const LIVE_SET_FILE: Translated<typeof ENGLISH> = {
  "format.host-live-set": "un fichier de Set Live",
};

/** A part of the sentences of imports. */
export const LIVE_SET_RUN = {
  "run.SET_UNTRIED":
    "Dans un fichier de Set Live : expérimental, jamais encore ouvert dans un vrai Live.",
  "run.SET_TEMPO_ASSUMED":
    "Un fichier de Set ne peut pas laisser le tempo à deviner : le clip a le tempo du Set.",
  "run.SET_FILLED":
    "Un fichier de Set ne peut pas laisser le tempo à deviner : le fichier est warpé pour remplir {beats}.",
  "run.SET_METER_UNKNOWN": "Live n’a pas la mesure {meter}, donc le Set est en 4/4.",
  "run.SET_INT_32":
    "{file} contient des entiers de 32 bits, que Live refuse. Exporte-le en 24 bits.",
  "run.SET_TOO_LARGE": "Ces paquets sont trop nombreux pour un seul Set. Écris-en moins à la fois.",
  "run.TEMPLATE_UNREADABLE": "Impossible de lire le modèle.",
  "run.TEMPLATE_NOT_A_SET": "Le modèle n’est pas un Set Live.",
  "run.TEMPLATE_OLD":
    "Le modèle vient d’un Live plus ancien. Enregistre-le avec Live 11 ou plus récent.",
  "run.TEMPLATE_BARE":
    "Il faut au modèle une piste audio avec un son dans un slot. Ajoute-la et enregistre-le.",
  "run.TEMPLATE_TIED":
    "Un périphérique du master du modèle utilise une piste. Retire-le et enregistre le Set.",
  "run.TEMPLATE_FAULTY": "Le modèle n’est pas tel que Live enregistre un Set, à {path}.",
  "run.TEMPLATE_LACKS": "Dans le modèle, il manque {member} à {element}.",
  "run.NOT_IN_SET_FILE": "Le fichier de Set ne contient pas {name}.",
} as const;
