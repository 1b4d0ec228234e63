import type { TrackPlan } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import type { Host, HostAbilities, PlaceRequest } from "../host.ts";
import { type PreviewFaults, withFaults } from "./preview-faults.ts";
import { placeInPreview } from "./preview-placement.ts";
import { PreviewSession, type PreviewState, readPreviewSession } from "./preview-session.ts";

/** The note on every sound in the preview, so that no app takes it for Live (rule R16). */
export const IN_PREVIEW = "Placed in Soundferry's preview, not in Live.";

/**
 * A host without Live. It builds the session in a JSON file, call by call like Live, and reads back from
 * the disk. It recognizes an unfinished run by the ids in its scene and tracks.
 */
export class PreviewHost implements Host {
  readonly name = "preview";
  readonly can: HostAbilities = { resumes: true, reusesTracks: true };
  readonly #path: string;
  readonly #faults: PreviewFaults;

  /**
   * @param sessionPath of the session's file, created on the first import; exclusive to this host
   * @param options.faults for tests
   */
  constructor(sessionPath: string, options: { readonly faults?: PreviewFaults } = {}) {
    this.#path = sessionPath;
    this.#faults = options.faults ?? {};
  }

  async place(request: PlaceRequest): Promise<readonly PlacedSound[]> {
    const session = await PreviewSession.open(this.#path);
    const { errors, notes } = await placeInPreview(
      withFaults(session, this.#faults),
      request,
    ).finally(() => session.flush());
    const held = await readPreviewSession(this.#path);
    return usableTracks(request.layout).map((sound) => {
      const error = errors.get(sound.soundId);
      if (error !== undefined) return { soundId: sound.soundId, error };
      return readBack(held, request, sound, [IN_PREVIEW, ...(notes.get(sound.soundId) ?? [])]);
    });
  }

  async readTempo(): Promise<number> {
    return (await readPreviewSession(this.#path)).tempo_bpm;
  }
}

function readBack(
  held: PreviewState,
  { journal: { runId }, layout, files }: PlaceRequest,
  { soundId, clipName, trackName }: TrackPlan,
  notes: readonly string[],
): PlacedSound {
  const sceneId = held.scenes.find((scene) => scene.run_id === runId)?.id ?? -1;
  const track = held.tracks.find(
    ({ package_id: packageId, sound_id: id, clip_slots: slots }) =>
      packageId === layout.packageId && id === soundId && Object.hasOwn(slots, sceneId),
  );
  const clip = track?.clip_slots[sceneId];
  if (track === undefined || clip === undefined) {
    return { soundId, error: `The preview doesn't have ${clipName}.` };
  }
  return {
    soundId,
    holds: {
      // The track of an earlier import keeps its own name: no other was requested.
      trackName: track.run_id === runId ? track.name : trackName,
      clipName: clip.name,
      warping: clip.warping,
      warpMode: clip.warp_mode,
      looping: clip.looping,
      loopEndBeats: clip.loop_beats,
      tempoBpm: clip.tempo_bpm,
      colorIndex: clip.color_index,
      gainDb: clip.gain_db,
      file: { asked: files.get(soundId) ?? "", got: clip.file },
    },
    notes,
  };
}
