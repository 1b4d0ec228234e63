import type { RefusalCode } from "../refusals.ts";
import { makeWav, type WavShape } from "../sounds.ts";

/** WAVs that a relay judges alike. */
export interface WavCase {
  readonly id: string;
  /** Ends "takes a WAV …" or "refuses a WAV …". */
  readonly words: string;
  readonly wavs: readonly Buffer[];
  /** The code of the refusal; without it they are accepted. */
  readonly code?: RefusalCode;
  /** Words of the public specification, for the check. */
  readonly spec?: string;
}

export const ONLY_WAV = "8: only WAV files are accepted; 4: checked against the WAV header";

export function taken(id: string, words: string, ...wavs: readonly (WavShape | Buffer)[]): WavCase {
  return { id, words, wavs: wavs.map(wavOf) };
}

export function refused(
  id: string,
  code: RefusalCode,
  words: string,
  ...wavs: readonly (WavShape | Buffer)[]
): WavCase {
  return { id, words, wavs: wavs.map(wavOf), code };
}

function wavOf(wav: WavShape | Buffer): Buffer {
  return Buffer.isBuffer(wav) ? wav : makeWav(wav);
}
