import type { TrackPlan } from "../../../core/layout/layout.ts";
import type { LiveClip, LiveClipSlot, LiveTrack } from "./live-api.ts";

/** The file that a clip plays. */
export interface PlayedFile {
  readonly path: string;
  /** What was put into its samples, in dB. */
  readonly gainDb: number;
  /** Live's own copy in the project, the importer's file, or a gained copy that stays beside that. */
  readonly kind: "in project" | "importer's" | "gained copy";
}

/** One sound on its way into the Set, and what is known of it so far. */
export class LiveSound {
  readonly plan: TrackPlan;
  /** The importer's file, absolute. */
  readonly path: string;
  /** Sentences for the person who imports. */
  readonly notes: string[] = [];
  file: PlayedFile;
  /** Why it is not in the Set; once there is a reason, its track goes and nothing more is done with it. */
  error: string | undefined;
  /** What Live said when it would not set the volume of its track. */
  volumeRefusal: string | undefined;
  /** Live tells its track from others: where it is not found in the Set, it is gone. */
  isFindable = false;
  #track: LiveTrack | undefined;
  #findRow = () => -1;

  constructor(plan: TrackPlan, path: string) {
    this.plan = plan;
    this.path = path;
    this.file = { path, gainDb: 0, kind: "importer's" };
  }

  /**
   * Gives it its track.
   * @param findRow finds the row of its clip slot, which is the scene's place; as before where left out
   */
  putOn(track: LiveTrack, findRow = this.#findRow): void {
    this.#track = track;
    this.#findRow = findRow;
  }

  /** @throws {Error} when it has none yet */
  get track(): LiveTrack {
    if (this.#track === undefined) throw new Error("its track is missing");
    return this.#track;
  }

  isOnOneOf(tracks: ReadonlySet<LiveTrack>): boolean {
    return this.#track !== undefined && tracks.has(this.#track);
  }

  /** @throws {Error} when Live has none for the scene */
  get slot(): LiveClipSlot {
    const slot = this.track.clipSlots[this.#findRow()];
    if (slot === undefined) throw new Error("its clip slot is missing");
    return slot;
  }

  /** Read anew from the slot each time. @throws {Error} when the slot is empty */
  get clip(): LiveClip {
    const { clip } = this.slot;
    if (!clip) throw new Error("its clip is missing");
    return clip;
  }
}
