import { sentencesOf } from "../text/sentence-of.ts";

/** Notes and errors of Set files by their codes. They are a part of `RUN_SENTENCES` (rule N28). */
export const LIVE_SET_SENTENCES = {
  SET_UNTRIED: "In a Live Set file: experimental, not yet opened in a real Live.",
  SET_TEMPO_ASSUMED:
    "A Set file can't leave the tempo to be guessed: the clip has the Set's tempo.",
  SET_FILLED: "A Set file can't leave the tempo to be guessed: the file is warped to fill {beats}.",
  SET_METER_UNKNOWN: "Live has no time signature {meter}, so the Set is in 4/4.",
  SET_INT_32: "{file} has 32-bit integers, which Live refuses. Export it with 24 bits.",
  SET_TOO_LARGE: "These packages are too many for one Set. Write fewer at once.",
  TEMPLATE_UNREADABLE: "The template can't be read.",
  TEMPLATE_NOT_A_SET: "The template isn't a Live Set.",
  TEMPLATE_OLD: "The template is of an older Live. Save it in Live 11 or later.",
  TEMPLATE_BARE: "The template needs an audio track with a sound in a slot. Add one and save it.",
  TEMPLATE_TIED: "A device on the template's master uses a track. Remove it and save the Set.",
  TEMPLATE_FAULTY: "The template isn't as Live saves a Set, at {path}.",
  TEMPLATE_LACKS: "The template's {element} has no {member}.",
  NOT_IN_SET_FILE: "The Set file doesn't contain {name}.",
} as const satisfies Readonly<Record<string, string>>;

/** Fills in the sentence of a code. */
export const liveSetSentence = sentencesOf(LIVE_SET_SENTENCES);
