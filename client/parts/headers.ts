import { Refusal } from "../../core/protocol/refusal.ts";
import type { RefusalCode } from "../../core/protocol/refusals.ts";
import { type ReadAt, readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";

/**
 * Finds the refusal that the relay would answer to a sound's header (rule U4); undefined if it would accept it.
 * @param name names the sound in the sentence
 * @throws what `readAt` throws
 */
export async function findHeaderFault(
  readAt: ReadAt,
  fileBytes: number,
  name: string,
): Promise<{ readonly error: string; readonly code: RefusalCode } | undefined> {
  try {
    await readWavHeaderAt(readAt, fileBytes, name);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message, code: error.code };
    throw error;
  }
}
