import type { Translated } from "../message.ts";
import type { SEND as ENGLISH } from "../en/send.ts";

/** In German. */
export const SEND: Translated<typeof ENGLISH> = {
  "send.label": "Sounds an Ableton Live senden",
  "send.drop": "oder Sounds hierher ziehen",
  "send.more": "Mehr senden",
  "send.paused": "{trouble} Geht automatisch weiter.",
  "send.interrupted": "{title} wurde unterbrochen.",
  "send.resume": "Fortsetzen",
  "send.discard": "Verwerfen",
  "send.removeSound": "{name} entfernen",
  "send.bpm": "BPM",
  "send.otherRelay": "Dieser Link ist für {relay}. Hier gehen Sounds an {own}.",
};
