import { SoundCheck } from "../../core/audio/sound-check.ts";
import { hashHere } from "../../program/hashing/hash-here.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { needsColorTurn, planLayout } from "../../core/layout/plan-layout.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import type { PackagePlan, ReadHeaders } from "../../core/panel/panel-plan.ts";
import { fileNameFor } from "../../core/text/file-name.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { forEachConcurrently } from "./for-each-concurrently.ts";
import type { PackageFinder } from "./package-finder.ts";
import type { PackageSource } from "./package-source.ts";
import type { ColorTurns } from "../state/color-turns.ts";
import { statusOfError } from "../relay/relay-port.ts";

/** Number of packages whose headers are cached. */
const MAX_CACHED = 100;

/** A sound to play in the panel. */
export interface OpenedSound {
  /** The name of its file in the sounds folder, unless another sound has the same (rule F1). */
  readonly fileName: string;
  /** Size of the whole file; null where it is unknown. */
  readonly sizeBytes: number | null;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface PackagePlansDeps {
  readonly finder: Pick<PackageFinder, "findListed">;
  readonly colorTurns: Pick<ColorTurns, "peek">;
}

/** Previews packages before an import (rule N6): writes nothing, takes no lease. */
export class PackagePlans {
  readonly #deps: PackagePlansDeps;
  /** Headers of relay packages, which never change. */
  readonly #headers = new Map<string, Promise<ReadHeaders>>();

  constructor(deps: PackagePlansDeps) {
    this.#deps = deps;
  }

  /**
   * Plans a package's layout.
   * @throws {Error} with a sentence when there is no such package, or its sounds can't be reached
   */
  async plan(packageId: string): Promise<PackagePlan> {
    const source = await this.#find(packageId);
    const { manifest, warnings } = source;
    const sounds = await this.#headersOf(source);
    const colorTurn = needsColorTurn(manifest) ? await this.#deps.colorTurns.peek(packageId) : 0;
    return { sounds, layout: planLayout({ manifest, warnings, sounds, colorTurn }) };
  }

  /**
   * Opens a sound at its first byte.
   * @throws {Error} with a sentence when there is no such sound, or it is unavailable
   */
  async openSound(packageId: string, soundId: string, signal: AbortSignal): Promise<OpenedSound> {
    const source = await this.#find(packageId);
    const sound = source.manifest.items.find(({ id }) => id === soundId);
    const problem = source.problems.get(soundId);
    if (sound === undefined) throw new Error("There is no such sound in the package.");
    if (problem !== undefined) throw new Error(problem);
    const { fileBytes, body } = await source.open(sound, { startByte: 0, signal });
    const fileName = fileNameFor(sound.name, ".wav", () => false);
    return { fileName, sizeBytes: fileBytes > 0 ? fileBytes : null, body };
  }

  async #find(packageId: string): Promise<PackageSource> {
    return (await this.#deps.finder.findListed(packageId)).source;
  }

  #headersOf(source: PackageSource): Promise<ReadHeaders> {
    const { packageId, relay } = source;
    const known = this.#headers.get(packageId);
    if (known !== undefined) return known;
    const headers = readHeaders(source, new AbortController().signal);
    if (relay === undefined) return headers;
    this.#headers.set(packageId, headers);
    headers.catch(() => this.#headers.delete(packageId));
    const [oldest] = this.#headers.keys();
    if (this.#headers.size > MAX_CACHED && oldest !== undefined) this.#headers.delete(oldest);
    return headers;
  }
}

/** Limit of a header's size; a longer one isn't read. */
const MAX_HEADER_BYTES = 8_388_608;

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
  const check = new SoundCheck(sound, fileBytes, hashHere);
  // Leaving the loop closes the body.
  for await (const piece of body) {
    await check.push(piece);
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
