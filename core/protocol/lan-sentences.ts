import { sentencesOf } from "../text/sentence-of.ts";

/** Sentences on why devices in the local network can't reach the relay, by code. The panel translates them like those of a run (rule N28). */
export const LAN_SENTENCES = {
  LAN_ABSENT: "This computer is in no private network now. Connect it to your Wi-Fi.",
  LAN_PORT_TAKEN: "Another program uses port {port} at {address}. Quit it, or choose another port.",
  LAN_REFUSED: "This computer doesn't let Soundferry listen at {address} ({status}).",
  LAN_SET: "The relay listens at {address}, because --host says so.",
} as const;

/** Fills in a sentence about the local network. */
export const lanSentence = sentencesOf(LAN_SENTENCES);
