import type { TrackPlan } from "../../../../core/layout/layout.ts";
import type { LiveClip, LiveClipSlot, LiveTrack } from "./live-api.ts";

/** The file that a clip plays. */
export interface PlayedFile {
  readonly path: string;
  /** The gain that is applied to its samples. */
  readonly gainDb: number;
  /** The kind of file: Live's copy in the project, the importer's file, or a gained copy next to it. */
  readonly kind: "in project" | "importer's" | "gained copy";
}

/** One sound of a placement and its progress. */
export class LiveSound {
  readonly plan: TrackPlan;
  /** The absolute path of the importer's file. */
  readonly path: string;
  /** Sentences for the person who imports. */
  readonly notes: string[] = [];
  file: PlayedFile;
  /** The length of its file; undefined where that can't be read. */
  fileSeconds: number | undefined;
  /** True if its clip is made with a start, an end and a loop, which Live may refuse. */
  hasLoopSettings: boolean;
  /** The error of a failed sound: its track is removed and later steps skip it. */
  error: string | undefined;
  /** The error when Live refused to set its track's volume. */
  volumeRefusal: string | undefined;
  /** True if Live can identify its track: if the track isn't found in the Set, it was removed. */
  isFindable = false;
  #track: LiveTrack | undefined;
  #findRow = () => -1;

  constructor(plan: TrackPlan, path: string) {
    this.plan = plan;
    this.path = path;
    this.hasLoopSettings = !plan.warping || plan.loopEndBeats !== null;
    this.file = { path, gainDb: 0, kind: "importer's" };
  }

  /**
   * Assigns the sound's track.
   * @param findRow finds the row of its clip slot, the scene's index; unchanged by default
   */
  putOn(track: LiveTrack, findRow = this.#findRow): void {
    this.#track = track;
    this.#findRow = findRow;
  }

  /** The sound's track. @throws {Error} before `putOn` */
  get track(): LiveTrack {
    if (this.#track === undefined) throw new Error("its track is missing");
    return this.#track;
  }

  isOnOneOf(tracks: ReadonlySet<LiveTrack>): boolean {
    return this.#track !== undefined && tracks.has(this.#track);
  }

  /** The sound's clip slot. @throws {Error} when Live has no slot for the scene */
  get slot(): LiveClipSlot {
    const slot = this.track.clipSlots[this.#findRow()];
    if (slot === undefined) throw new Error("its clip slot is missing");
    return slot;
  }

  /** The clip, read from the slot each time. @throws {Error} when the slot is empty */
  get clip(): LiveClip {
    const { clip } = this.slot;
    if (!clip) throw new Error("its clip is missing");
    return clip;
  }
}
