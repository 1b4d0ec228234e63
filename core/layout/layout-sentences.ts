import { MAX_BPM, MIN_BPM } from "../limits.ts";
import { sentencesOf } from "../text/sentence-of.ts";

/** The notes and reasons of a layout by their codes. They are a part of `RUN_SENTENCES`, which is larger (rule N28). */
export const LAYOUT_SENTENCES = {
  BOTH_GUESSED: "Neither tempo nor length was sent, so both are guessed. Check how the loop sits.",
  TEMPO_GUESSED: `{beats} in a file of {seconds} s would be a tempo outside ${MIN_BPM}–${MAX_BPM} BPM, so the tempo is guessed.`,
  LOOP_SHORTER:
    "A loop of {beats} at {bpm} BPM lasts {seconds} s, but the file lasts {fileSeconds} s: its last {gapSeconds} s are outside the loop.",
  LOOP_LONGER:
    "A loop of {beats} at {bpm} BPM lasts {seconds} s, but the file lasts {fileSeconds} s: the last {gapSeconds} s of the loop are silent.",
  FILE_ABSENT: "{file} is not there.",
} as const satisfies Readonly<Record<string, string>>;

/** Fills in the sentence of a code. */
export const layoutSentence = sentencesOf(LAYOUT_SENTENCES);
