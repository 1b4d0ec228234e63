import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import type { TrackPlan } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { formatLiveSet } from "../../../core/live-set/format-live-set.ts";
import { liveSetSentence } from "../../../core/live-set/live-set-sentences.ts";
import { notesOnSet, planLiveSet } from "../../../core/live-set/plan-live-set.ts";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import { putSounds, writeAndRead } from "../file-steps.ts";
import type { Host, HostAbilities, PlaceRequest } from "../host.ts";
import { liveSetPath, makeProject, writeSet } from "./live-set-file.ts";
import { type HeldSetClip, readLiveSet, readShape } from "./read-live-set.ts";
import { readSetAudio } from "./set-audio.ts";

/**
 * A host that writes each package as a Live Set, into a project's folder beside the package's sounds, which the Set
 * refers to (rules LS8, LS9). Experimental: no such Set was opened in a real Live yet. An interrupted run leaves nothing
 * or the whole Set, so the next one can simply start.
 */
export class LiveSetHost implements Host {
  readonly name = "live-set";
  readonly can: HostAbilities = { resumes: true, replacesEarlier: true };

  async place(request: PlaceRequest): Promise<readonly PlacedSound[]> {
    const { layout, files, signal, template } = request;
    const [anyFile] = files.values();
    signal.throwIfAborted();
    if (anyFile === undefined) return [];
    const path = liveSetPath(dirname(anyFile));
    const shape = template === undefined ? undefined : await readShape(template);
    const { audio, errors } = await putSounds(request, (_, sound) =>
      readSetAudio(sound, ["set", dirname(path)]),
    );
    const packages = [{ layout, audio }];
    const write = async () => {
      await makeProject(path);
      await writeSet(path, formatLiveSet(planLiveSet(packages), shape));
    };
    const read = () => readLiveSet(path);
    const clips = audio.size > 0 ? await writeAndRead(path, request, { write, read }) : [];
    const held = new Map([...audio.keys()].map((soundId, index) => [soundId, clips[index]]));
    const [notesBySound] = notesOnSet(packages);
    const untried = liveSetSentence("SET_UNTRIED");
    const placed = usableTracks(layout).map(async (plan): Promise<PlacedSound> => {
      const { soundId } = plan;
      const error = errors.get(soundId);
      if (error !== undefined) return { soundId, error };
      const asked = await realpath(files.get(soundId) ?? "");
      const notes = [untried, ...(notesBySound?.get(soundId) ?? [])];
      return placedSound(plan, { asked, notes }, held.get(soundId));
    });
    return Promise.all(placed);
  }
}

function placedSound(
  { soundId, clipName }: TrackPlan,
  { asked, notes }: { readonly asked: string; readonly notes: readonly string[] },
  held: HeldSetClip | undefined,
): PlacedSound {
  const got = held?.path;
  if (held === undefined || got === undefined) {
    return { soundId, error: liveSetSentence("NOT_IN_SET_FILE", { name: clipName }) };
  }
  return { soundId, holds: { ...held.clip, file: { asked, got } }, notes };
}
