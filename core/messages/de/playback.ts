import type { Translated } from "../message.ts";
import type { PLAYBACK as ENGLISH } from "../en/playback.ts";

/** In German. */
export const PLAYBACK: Translated<typeof ENGLISH> = {
  "playback.approximation":
    "Eine Annäherung: In deinem Projekt klingen gewarpte Loops etwas anders.",
  "playback.repitched":
    "Mit veränderter Tonhöhe: Diese Seite kann Sounds nicht dehnen, deshalb folgt die Tonhöhe eines Loops seinem Tempo.",
  "playback.tooLarge": "Dieser Sound ist zu groß, um ihn hier abzuspielen.",
  "playback.tooShort": "Dieser Loop ist zu kurz, um ihn in diesem Tempo abzuspielen.",
};
