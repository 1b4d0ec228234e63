import type { Translated } from "../message.ts";
import type { SEND as ENGLISH } from "../en/send.ts";

/** In French. */
export const SEND: Translated<typeof ENGLISH> = {
  "send.label": "Envoyer des sons vers Ableton Live",
  "send.drop": "ou déposez des sons ici",
  "send.more": "Envoyer d’autres sons",
  "send.paused": "{trouble} Reprise automatique.",
  "send.interrupted": "{title} a été interrompu.",
  "send.resume": "Reprendre",
  "send.discard": "Abandonner",
  "send.removeSound": "Retirer {name}",
  "send.bpm": "BPM",
  "send.otherRelay": "Ce lien est pour {relay}. Ici, les sons vont vers {own}.",
};
