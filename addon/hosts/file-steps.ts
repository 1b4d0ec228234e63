import { basename } from "node:path";
import type { TrackPlan } from "../../core/layout/layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { isOfTheSound } from "../disk/sound-file.ts";
import { HostStepError, LeftBehindError, type PlaceRequest } from "./host.ts";

// The steps of every host that writes a file.

/** The part of a file that comes from a package's sounds, by sound id. */
export interface SoundsInFile<Audio> {
  readonly audio: ReadonlyMap<string, Audio>;
  /** Why the others can't be used. */
  readonly errors: ReadonlyMap<string, string>;
}

/**
 * Puts every usable sound into a file, one step each; one that can't be read stops no other.
 * @param put gets the sound's plan and the path of its file
 * @throws {unknown} the disk's error if the file can't be written
 */
export async function putSounds<Audio>(
  request: PlaceRequest,
  put: (plan: TrackPlan, path: string) => Promise<Audio>,
): Promise<SoundsInFile<Audio>> {
  const { layout, files, journal, signal, onProgress } = request;
  const audio = new Map<string, Audio>();
  const errors = new Map<string, string>();
  const plans = usableTracks(layout);
  for (const [index, plan] of plans.entries()) {
    signal.throwIfAborted();
    const { soundId, clipName } = plan;
    const path = files.get(soundId);
    if (path === undefined) throw new RangeError(`${soundId} has no file.`);
    try {
      await journal.step(
        `put ${clipName} into the file`,
        async () => void audio.set(soundId, await put(plan, path)),
        { leavesNothing: true },
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HostStepError)) throw error;
      if (!isOfTheSound(error.cause)) throwDiskTrouble(error);
      errors.set(soundId, error.message);
    }
    onProgress(index + 1, plans.length, soundId);
  }
  signal.throwIfAborted();
  return { audio, errors };
}

/**
 * Writes the file, one step, and reads it back.
 * @throws {LeftBehindError} when it can't be read back
 * @throws {unknown} the disk's error if it can't be written
 */
export async function writeAndRead<Held>(
  path: string,
  { journal }: PlaceRequest,
  file: { readonly write: () => Promise<void>; readonly read: () => Promise<Held> },
): Promise<Held> {
  await journal.step(`write ${basename(path)}`, file.write).catch(throwDiskTrouble);
  try {
    return await file.read();
  } catch (cause) {
    const message = `${basename(path)} can't be read back. It stays beside the sounds.`;
    throw new LeftBehindError(message, { cause });
  }
}

/** Rethrows a step's disk error: the importer has a sentence for it, and the step's sentence would show a local path. */
function throwDiskTrouble(error: unknown): never {
  const cause = error instanceof HostStepError ? error.cause : undefined;
  throw cause instanceof Error && "syscall" in cause ? cause : error;
}
