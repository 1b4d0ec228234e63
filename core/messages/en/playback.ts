/** What the pages that play scenes and clips say about it. */
export const PLAYBACK = {
  "playback.approximation":
    "An approximation: in your session, warped loops will sound slightly different.",
  "playback.repitched":
    "Playing repitched: this page can’t stretch sounds, so a loop’s pitch follows its tempo.",
  "playback.tooLarge": "This sound is too large to play here.",
  "playback.tooShort": "This loop is too short to play at this tempo.",
} as const;
