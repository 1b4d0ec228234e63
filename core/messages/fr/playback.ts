import type { Translated } from "../message.ts";
import type { PLAYBACK as ENGLISH } from "../en/playback.ts";

/** In French. */
export const PLAYBACK: Translated<typeof ENGLISH> = {
  "playback.approximation":
    "Une approximation : dans ta session, les boucles warpées sonneront un peu différemment.",
  "playback.repitched":
    "Hauteur modifiée : cette page ne peut pas étirer les sons, la hauteur d’une boucle suit donc son tempo.",
  "playback.tooLarge": "Ce son est trop volumineux pour être écouté ici.",
  "playback.tooShort": "Cette boucle est trop courte pour être jouée à ce tempo.",
};
