import type { Translated } from "../message.ts";
import type { PLAYBACK as ENGLISH } from "../en/playback.ts";

/** In Spanish. */
export const PLAYBACK: Translated<typeof ENGLISH> = {
  "playback.approximation":
    "Una aproximación: en tu sesión, los loops con warp sonarán algo distintos.",
  "playback.repitched":
    "Con otra altura: esta página no puede estirar sonidos, así que la altura de un loop sigue a su tempo.",
  "playback.tooLarge": "Este sonido es demasiado grande para escucharlo aquí.",
  "playback.tooShort": "Este loop es demasiado corto para sonar a este tempo.",
};
