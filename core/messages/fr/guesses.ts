import type { Translated } from "../message.ts";
import type { GUESSES as ENGLISH } from "../en/guesses.ts";

/** In French. */
export const GUESSES: Translated<typeof ENGLISH> = {
  "guess.word_loop": "« {text} » dans le nom indique une boucle.",
  "guess.word_oneshot": "« {text} » dans le nom indique un one-shot.",
  "guess.folder_loop": "Son dossier indique une boucle.",
  "guess.folder_oneshot": "Son dossier indique un one-shot.",
  "guess.short": "Il est trop court pour une boucle.",
  "guess.note": "Son nom est celui d’une note ou d’un accord seul.",
  "guess.chunk": "Le fichier dit que c’est un one-shot.",
  "guess.no_tempo": "Sa durée ne correspond à aucun tempo.",
  "guess.nothing": "Ni le nom ni la durée ne disent si c’est une boucle.",
  "guess.tempo_unknown": "Son tempo est inconnu.",
  "guess.in_name": {
    one: "« {text} » dans le nom ; {count} temps correspond à la durée.",
    other: "« {text} » dans le nom ; {count} temps correspondent à la durée.",
  },
  "guess.in_name_tail": {
    one: "« {text} » dans le nom ; {count} temps, le reste est la résonance.",
    other: "« {text} » dans le nom ; {count} temps, le reste est la résonance.",
  },
  "guess.near_name": {
    one: "« {text} » dans le nom est proche ; {count} temps remplit le fichier.",
    other: "« {text} » dans le nom est proche ; {count} temps remplissent le fichier.",
  },
  "guess.in_folder": {
    one: "« {text} » dans le nom du dossier ; {count} temps correspond à la durée.",
    other: "« {text} » dans le nom du dossier ; {count} temps correspondent à la durée.",
  },
  "guess.in_folder_tail": {
    one: "« {text} » dans le nom du dossier ; {count} temps, le reste est la résonance.",
    other: "« {text} » dans le nom du dossier ; {count} temps, le reste est la résonance.",
  },
  "guess.near_folder": {
    one: "« {text} » dans le nom du dossier est proche ; {count} temps remplit le fichier.",
    other: "« {text} » dans le nom du dossier est proche ; {count} temps remplissent le fichier.",
  },
  "guess.package": {
    one: "{count} temps au tempo du paquet correspond à la durée.",
    other: "{count} temps au tempo du paquet correspondent à la durée.",
  },
  "guess.count": { one: "Le nom indique {count} temps.", other: "Le nom indique {count} temps." },
  "guess.acid": {
    one: "Le fichier indique {count} temps (ACID), et sa durée concorde.",
    other: "Le fichier indique {count} temps (ACID), et sa durée concorde.",
  },
  "guess.length": {
    one: "Sa durée correspond exactement à {count} temps.",
    other: "Sa durée correspond exactement à {count} temps.",
  },
  "guess.region": {
    one: "Le fichier marque {count} temps comme boucle.",
    other: "Le fichier marque {count} temps comme boucle.",
  },
  "guess.smpl": {
    one: "Le fichier dit qu’il est une boucle entière ; {count} temps est probable.",
    other: "Le fichier dit qu’il est une boucle entière ; {count} temps sont probables.",
  },
  "guess.likely": {
    one: "D’après sa durée, {count} temps est probable.",
    other: "D’après sa durée, {count} temps sont probables.",
  },
};
