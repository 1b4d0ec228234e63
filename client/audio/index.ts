// The entry `@soundferry/client/audio`: converts sounds to WAV, records, and guesses what sounds are. Only
// the guesses and WAV and AIFF files work outside browsers.

export type { SoundsGuess } from "../../core/guess/guess-sounds.ts";
export type { Recording } from "../../core/guess/recording.ts";
export type { SoundGuess } from "../../core/guess/sound-guess.ts";
export { uniqueNames } from "../../core/guess/guess-package-title.ts";
export { guessTitle } from "../../core/guess/guess-package-title.ts";
export type { Heard } from "../../core/audio/listening/heard.ts";
export type { LoopHints } from "../../core/audio/read-loop-hints.ts";
export type { RepairNote } from "../../core/audio/repair-note.ts";
export type { WavHeader } from "../../core/audio/wav-header.ts";
export { ClientError } from "../wire/client-error.ts";
export { convert, type ConvertedSound, type SourceFormat } from "./convert.ts";
export { peaks, wavOf } from "./decode.ts";
export { isOpenGuess } from "../../core/guess/apply-heard.ts";
export { guess, type GuessContext, guessSounds, type NamedSound } from "./guess.ts";
export { listen } from "./listen.ts";
export { type Recorded, Recorder } from "./recorder.ts";
export { SOUND_FILES } from "./sound-files.ts";
