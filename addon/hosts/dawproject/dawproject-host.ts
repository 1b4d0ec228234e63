import { basename, dirname } from "node:path";
import type { TrackPlan } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { DawprojectFile, dawprojectPath } from "./dawproject-file.ts";
import { notesOn, planProject } from "../../../core/dawproject/plan-project.ts";
import type { ProjectAudio } from "../../../core/dawproject/project.ts";
import { type HeldClip, readDawproject } from "./read-dawproject.ts";
import { isOfTheSound } from "./sound-file.ts";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import {
  type Host,
  type HostAbilities,
  HostStepError,
  LeftBehindError,
  type PlaceRequest,
} from "../host.ts";

/**
 * A host for DAWs that open DAWproject files. It writes each package, with its sounds, to
 * `<folder>/<folder>.dawproject` and replaces an older file (rule D7). With an arrangement, the file and the host
 * have other names, so imports are recorded separately. The folder keeps the plain sound files. An interrupted
 * run leaves nothing or the whole file, so the next one can simply start.
 */
export class DawprojectHost implements Host {
  readonly name: string;
  readonly can: HostAbilities = { resumes: true, replacesEarlier: true };
  readonly #withArrangement: boolean;

  /** @param options.withArrangement true to lay the sounds out on the timeline, too */
  constructor(options: { readonly withArrangement?: boolean } = {}) {
    this.#withArrangement = options.withArrangement ?? false;
    this.name = this.#withArrangement ? "dawproject-arrangement" : "dawproject";
  }

  async place(request: PlaceRequest): Promise<readonly PlacedSound[]> {
    const { layout, journal, signal } = request;
    const [anyFile] = request.files.values();
    signal.throwIfAborted();
    if (anyFile === undefined) return [];
    const path = dawprojectPath(dirname(anyFile), { withArrangement: this.#withArrangement });
    await using file = await DawprojectFile.begin(path);
    const { audio, errors } = await addSounds(file, request);
    signal.throwIfAborted();
    if (audio.size > 0) {
      const options = { title: layout.scene.name, withArrangement: this.#withArrangement };
      const project = planProject([{ layout, audio }], options);
      await journal
        .step(`write ${basename(path)}`, () => file.finish(project))
        .catch(throwDiskTrouble);
    }
    const clips = audio.size > 0 ? await readClips(path) : [];
    const held = new Map([...audio.keys()].map((soundId, slot) => [soundId, clips[slot]]));
    return usableTracks(layout).map((plan) => {
      const error = errors.get(plan.soundId);
      if (error !== undefined) return { soundId: plan.soundId, error };
      return placedSound(plan, held.get(plan.soundId));
    });
  }
}

/** Copies every readable sound; returns the copies and the errors by sound id. */
async function addSounds(file: DawprojectFile, request: PlaceRequest) {
  const { layout, files, journal, signal, onProgress } = request;
  const audio = new Map<string, ProjectAudio>();
  const errors = new Map<string, string>();
  const plans = usableTracks(layout);
  for (const [index, { soundId, clipName }] of plans.entries()) {
    signal.throwIfAborted();
    const path = files.get(soundId);
    if (path === undefined) throw new RangeError(`${soundId} has no file.`);
    try {
      await journal.step(
        `put ${clipName} into the file`,
        async () => void audio.set(soundId, await file.addSound(clipName, path, signal)),
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
  return { audio, errors };
}

/** Rethrows a step's disk error: the importer has a sentence for it, and the step's sentence would show a local path. */
function throwDiskTrouble(error: unknown): never {
  const cause = error instanceof HostStepError ? error.cause : undefined;
  throw cause instanceof Error && "syscall" in cause ? cause : error;
}

/**
 * Reads the clips of a written file.
 * @throws {LeftBehindError} when the file can't be read back
 */
async function readClips(path: string): Promise<readonly HeldClip[]> {
  try {
    return await readDawproject(path);
  } catch (cause) {
    const message = `${basename(path)} can't be read back. It stays beside the sounds.`;
    throw new LeftBehindError(message, { cause });
  }
}

function placedSound(plan: TrackPlan, clip: HeldClip | undefined): PlacedSound {
  const { soundId, clipName } = plan;
  if (clip === undefined || !clip.hasSound) {
    return { soundId, error: `The DAWproject file doesn't contain ${clipName}.` };
  }
  return { soundId, holds: clip.holds, notes: notesOn(plan) };
}
