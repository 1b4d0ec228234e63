import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { PACKAGE_SIZE } from "../../core/text/format-limit.ts";
import { ClientError } from "../wire/client-error.ts";
import type { DescribedSound } from "./describe-package.ts";
import { loadHeaders } from "../parts/parts.ts";
import { readPiece } from "./sound-bytes.ts";
import { soundNameOf } from "./sound-names.ts";
import type { SoundProblem } from "./sound-problem.ts";

/** Loads the part that reads headers; a caller may retry it. */
export type LoadHeaders = typeof loadHeaders;

/** @throws {ClientError} `TOTAL_TOO_LARGE` */
export function checkTotal(sounds: readonly DescribedSound[]): void {
  if (sumOfBytes(sounds) <= MAX_PACKAGE_BYTES) return;
  const sentence = `These sounds are too large together: a package can have at most ${PACKAGE_SIZE}.`;
  throw new ClientError(sentence, { code: "TOTAL_TOO_LARGE" });
}

/**
 * Reads every sound's header as the relay will.
 * @throws {ClientError} `SOUNDS_REFUSED` with every bad sound in `problems`
 */
export async function checkSounds(
  sounds: readonly DescribedSound[],
  load: LoadHeaders = loadHeaders,
): Promise<void> {
  const { findHeaderFault } = await load();
  const problems: SoundProblem[] = [];
  for (const [index, { file, item, blob }] of sounds.entries()) {
    const { name, ...about } = soundNameOf(item, file, index + 1);
    try {
      const readAt = (offset: number, length: number) => readPiece(blob, offset, length, name);
      const fault = await findHeaderFault(readAt, blob.size, name);
      if (fault !== undefined) problems.push({ ...fault, ...about });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      problems.push({ error: error.message, code: "SOUND_UNREADABLE", ...about });
    }
  }
  const [first] = problems;
  if (first === undefined) return;
  const sentences = problems.map(({ error }) => error).join(" ");
  const sentence =
    problems.length === 1 ? sentences : `${problems.length} sounds can't be sent. ${sentences}`;
  const { error: _, ...about } = first;
  throw new ClientError(sentence, { ...about, code: "SOUNDS_REFUSED", problems });
}

/** The size of all sounds together. */
export function sumOfBytes(sounds: readonly DescribedSound[]): number {
  return sounds.reduce((sum, { blob }) => sum + blob.size, 0);
}
