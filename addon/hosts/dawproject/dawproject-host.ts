import { dirname } from "node:path";
import type { TrackPlan } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { DawprojectFile, dawprojectPath } from "./dawproject-file.ts";
import { notesOn, planProject } from "../../../core/dawproject/plan-project.ts";
import { type HeldClip, readDawproject } from "./read-dawproject.ts";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import { putSounds, writeAndRead } from "../file-steps.ts";
import type { Host, HostAbilities, PlaceRequest } from "../host.ts";

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
    const { layout, signal } = request;
    const [anyFile] = request.files.values();
    signal.throwIfAborted();
    if (anyFile === undefined) return [];
    const path = dawprojectPath(dirname(anyFile), { withArrangement: this.#withArrangement });
    await using file = await DawprojectFile.begin(path);
    const { audio, errors } = await putSounds(request, ({ clipName }, sound) =>
      file.addSound(clipName, sound, signal),
    );
    const options = { title: layout.scene.name, withArrangement: this.#withArrangement };
    const write = () => file.finish(planProject([{ layout, audio }], options));
    const read = () => readDawproject(path);
    const clips = audio.size > 0 ? await writeAndRead(path, request, { write, read }) : [];
    const held = new Map([...audio.keys()].map((soundId, slot) => [soundId, clips[slot]]));
    return usableTracks(layout).map((plan) => {
      const error = errors.get(plan.soundId);
      if (error !== undefined) return { soundId: plan.soundId, error };
      return placedSound(plan, held.get(plan.soundId));
    });
  }
}

function placedSound(plan: TrackPlan, clip: HeldClip | undefined): PlacedSound {
  const { soundId, clipName } = plan;
  if (clip === undefined || !clip.hasSound) {
    return { soundId, error: `The DAWproject file doesn't contain ${clipName}.` };
  }
  return { soundId, holds: clip.holds, notes: notesOn(plan) };
}
