import type { Sound } from "../../core/manifest/manifest.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { forEachConcurrently } from "../concurrency/for-each-concurrently.ts";
import type { PackageSource } from "./package-source.ts";
import { statusOfError } from "../relay/relay-port.ts";
import { SoundCheck } from "./sound-check.ts";

/** A longer header isn't read. */
const MAX_HEADER_BYTES = 8_388_608;

/** Sound id → its header, or a sentence that says why it can't be used. */
export type ReadHeaders = ReadonlyMap<string, WavHeader | { readonly error: string }>;

/**
 * Reads only the headers of a package's sounds, four at a time (rule N6); the import checks the rest.
 * @throws {Error} with a sentence when the source can't be reached, or the signal's reason
 */
export async function readHeaders(
  source: PackageSource,
  signal: AbortSignal,
): Promise<ReadHeaders> {
  const headers = new Map<string, WavHeader | { readonly error: string }>();
  for (const [soundId, error] of source.problems) headers.set(soundId, { error });
  const sounds = source.manifest.items.filter((sound) => !source.problems.has(sound.id));
  await forEachConcurrently(sounds, signal, async (sound, task) => {
    try {
      headers.set(sound.id, await readHeader(source, sound, task.signal));
    } catch (error) {
      if (!isOfTheSound(error)) throw error;
      headers.set(sound.id, { error: error.message });
    }
  });
  return headers;
}

async function readHeader(
  source: PackageSource,
  sound: Sound,
  signal: AbortSignal,
): Promise<WavHeader> {
  const { body, fileBytes } = await source.open(sound, { startByte: 0, signal });
  const check = new SoundCheck(sound, fileBytes);
  // Leaving the loop closes the body.
  for await (const piece of body) {
    check.push(piece);
    if (check.header !== undefined) return check.header;
    if (check.seenBytes > MAX_HEADER_BYTES) throw new LateHeaderError(sound.file);
  }
  return check.end();
}

/** Returns whether an error concerns one sound only, not the whole source. */
function isOfTheSound(error: unknown): error is Error {
  if (error instanceof Refusal || error instanceof LateHeaderError) return true;
  const status = statusOfError(error);
  return status !== undefined && status < 500 && status !== 401 && status !== 429;
}

class LateHeaderError extends Error {
  override readonly name = "LateHeaderError";

  constructor(file: string) {
    super(`${file}: its header is too long to preview before the import.`);
  }
}
