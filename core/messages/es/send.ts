import type { Translated } from "../message.ts";
import type { SEND as ENGLISH } from "../en/send.ts";

/** In Spanish. */
export const SEND: Translated<typeof ENGLISH> = {
  "send.label": "Enviar sonidos a Ableton Live",
  "send.drop": "o suelta sonidos aquí",
  "send.more": "Enviar más",
  "send.paused": "{trouble} Continuará automáticamente.",
  "send.interrupted": "{title} se interrumpió.",
  "send.resume": "Continuar",
  "send.discard": "Descartar",
  "send.removeSound": "Quitar {name}",
  "send.bpm": "BPM",
  "send.otherRelay": "Este enlace es para {relay}. Aquí los sonidos van a {own}.",
};
