import type { TrackPlan } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import type { Host, HostAbilities, PlacedSound, PlaceRequest } from "../host.ts";
import { type PreviewFaults, withFaults } from "./preview-faults.ts";
import { placeInPreview } from "./preview-placement.ts";
import { PreviewSession, type PreviewState, readPreviewSession } from "./preview-session.ts";

/**
 * A host without Live: builds the session in a JSON file, call by call like Live, and reads back from
 * the disk. Recognises an unfinished run by the ids in its scene and tracks.
 */
export class PreviewHost implements Host {
  readonly name = "preview";
  readonly can: HostAbilities = { copiesFiles: false, resumes: true };
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
    const session = withFaults(await PreviewSession.open(this.#path), this.#faults);
    const { errors, loopNotes } = await placeInPreview(session, request);
    const held = await readPreviewSession(this.#path);
    return usableTracks(request.layout).map((sound) => {
      const error = errors.get(sound.soundId);
      if (error !== undefined) return { soundId: sound.soundId, error };
      const notes = sound.kind === "loop" ? loopNotes : [];
      return readBack(held, request, sound, notes);
    });
  }

  async readTempo(): Promise<number> {
    return (await readPreviewSession(this.#path)).tempo_bpm;
  }
}

function readBack(
  held: PreviewState,
  { journal: { runId }, files }: PlaceRequest,
  { soundId, clipName }: TrackPlan,
  notes: readonly string[],
): PlacedSound {
  const track = held.tracks.find((each) => each.run_id === runId && each.sound_id === soundId);
  const clip = Object.values(track?.clip_slots ?? {}).at(0);
  if (track === undefined || clip === undefined) {
    return { soundId, error: `The preview doesn't have ${clipName}.` };
  }
  return {
    soundId,
    holds: {
      trackName: track.name,
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
