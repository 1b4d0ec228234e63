import { dirname } from "node:path";
import { isJsonObject } from "../../../core/text/json-object.ts";
import type { WarpMode } from "../../../core/manifest/manifest.ts";
import {
  exchangeFile,
  makeDurableFolder,
  moveFlushed,
  readTextIfAny,
} from "../../disk/atomic-file.ts";
import { parseJson } from "../../../core/text/parse-json.ts";

/** The mark of a run on its scenes and tracks, by which it can be resumed. */
export interface RunTag {
  readonly package_id: string;
  readonly run_id: string;
}

export interface PreviewScene extends RunTag {
  readonly id: number;
  readonly name: string;
}

export interface PreviewClip {
  readonly name: string;
  /** The file's absolute path. */
  readonly file: string;
  readonly warping: boolean;
  readonly warp_mode: WarpMode | null;
  readonly looping: boolean;
  /** The loop's length; null where a host would detect it, and for a one-shot. */
  readonly loop_beats: number | null;
  readonly tempo_bpm: number | null;
  readonly color_index: number;
  readonly gain_db: number;
}

/** A track with the tag of the run that made it; later runs can add clips (rule R15). */
export interface PreviewTrack extends RunTag {
  readonly id: number;
  readonly name: string;
  readonly sound_id: string;
  /** Clips by scene id, without empty slots. */
  readonly clip_slots: Readonly<Record<string, PreviewClip>>;
}

/** The content of a preview session's file. */
export interface PreviewState {
  readonly version: 1;
  readonly tempo_bpm: number;
  /** The id of the next scene or track. */
  readonly next_id: number;
  readonly scenes: readonly PreviewScene[];
  /** The tracks from left to right. */
  readonly tracks: readonly PreviewTrack[];
}

const EMPTY: PreviewState = { version: 1, tempo_bpm: 120, next_id: 1, scenes: [], tracks: [] };

/** The calls that build a session; each one resolves once its change is saved. */
export interface PreviewCalls {
  readonly state: PreviewState;
  createScene(scene: Omit<PreviewScene, "id">): Promise<number>;
  /** Creates a track. @param index its place among the tracks */
  createTrack(track: Omit<PreviewTrack, "id" | "clip_slots">, index: number): Promise<number>;
  /** Fills an empty slot. */
  createClip(trackId: number, sceneId: number, clip: PreviewClip): Promise<void>;
  deleteClip(trackId: number, sceneId: number): Promise<void>;
  deleteTrack(trackId: number): Promise<void>;
  deleteScene(sceneId: number): Promise<void>;
  setTempo(tempoBpm: number): Promise<void>;
}

/** The session's file is damaged. */
export class PreviewSessionError extends Error {
  override readonly name = "PreviewSessionError";
}

/**
 * Reads a session; without a file it is empty at 120 BPM.
 * @throws {PreviewSessionError} when the file is damaged
 */
export async function readPreviewSession(path: string): Promise<PreviewState> {
  return (await readUnflushed(path)) ?? readFlushed(path);
}

/** Reads what was saved since the last flush; undefined if there is nothing, or a power cut has torn it. */
async function readUnflushed(path: string): Promise<PreviewState | undefined> {
  const value = parseJson((await readTextIfAny(unflushedPath(path))) ?? "");
  return isPreviewState(value) ? value : undefined;
}

async function readFlushed(path: string): Promise<PreviewState> {
  const text = await readTextIfAny(path);
  if (text === undefined) return EMPTY;
  const value = parseJson(text);
  if (isPreviewState(value)) return value;
  throw new PreviewSessionError(`The preview session ${path} is damaged. Move it away.`);
}

/** Returns the path of the session between two flushes. */
function unflushedPath(path: string): string {
  return `${path}.placing`;
}

/**
 * A session in one JSON file. Each call saves it in a second file, so that it survives a crash. `flush` puts that in the
 * place of the first one, so that it survives a power cut, which may tear the second file before. One user at a time.
 */
export class PreviewSession implements PreviewCalls {
  readonly #path: string;
  #state: PreviewState;
  #isFlushed: boolean;

  private constructor(path: string, state: PreviewState, isFlushed: boolean) {
    this.#path = path;
    this.#state = state;
    this.#isFlushed = isFlushed;
  }

  /** Opens a session. @param path of the file, created on the first change */
  static async open(path: string): Promise<PreviewSession> {
    await makeDurableFolder(dirname(path));
    const unflushed = await readUnflushed(path);
    const isFlushed = unflushed === undefined;
    return new PreviewSession(path, unflushed ?? (await readFlushed(path)), isFlushed);
  }

  get state(): PreviewState {
    return this.#state;
  }

  async createScene(scene: Omit<PreviewScene, "id">): Promise<number> {
    const { next_id: id, scenes } = this.#state;
    this.#change({ next_id: id + 1, scenes: [...scenes, { id, ...scene }] });
    return id;
  }

  async createTrack(
    track: Omit<PreviewTrack, "id" | "clip_slots">,
    index: number,
  ): Promise<number> {
    const { next_id: id, tracks } = this.#state;
    const made = { id, ...track, clip_slots: {} };
    this.#change({ next_id: id + 1, tracks: tracks.toSpliced(index, 0, made) });
    return id;
  }

  async createClip(trackId: number, sceneId: number, clip: PreviewClip): Promise<void> {
    const { tracks, scenes } = this.#state;
    const track = tracks.find(({ id }) => id === trackId);
    if (track === undefined || !scenes.some(({ id }) => id === sceneId)) {
      throw new Error("there is no such clip slot");
    }
    if (Object.hasOwn(track.clip_slots, sceneId)) throw new Error("the clip slot is not empty");
    const filled = { ...track, clip_slots: { ...track.clip_slots, [sceneId]: clip } };
    this.#change({ tracks: tracks.map((other) => (other === track ? filled : other)) });
  }

  async deleteClip(trackId: number, sceneId: number): Promise<void> {
    const without = (track: PreviewTrack): PreviewTrack => {
      const { [sceneId]: _, ...others } = track.clip_slots;
      return { ...track, clip_slots: others };
    };
    const { tracks } = this.#state;
    this.#change({
      tracks: tracks.map((track) => (track.id === trackId ? without(track) : track)),
    });
  }

  async deleteTrack(trackId: number): Promise<void> {
    this.#change({ tracks: this.#state.tracks.filter(({ id }) => id !== trackId) });
  }

  async deleteScene(sceneId: number): Promise<void> {
    this.#change({ scenes: this.#state.scenes.filter(({ id }) => id !== sceneId) });
  }

  async setTempo(tempoBpm: number): Promise<void> {
    this.#change({ tempo_bpm: tempoBpm });
  }

  /** Makes the calls so far survive a power cut. */
  flush(): void {
    if (this.#isFlushed) return;
    moveFlushed(unflushedPath(this.#path), this.#path);
    this.#isFlushed = true;
  }

  #change(change: Partial<PreviewState>): void {
    const state = { ...this.#state, ...change };
    exchangeFile(unflushedPath(this.#path), JSON.stringify(state));
    this.#state = state;
    this.#isFlushed = false;
  }
}

/** Checks a session's outer shape only: `PreviewSession` writes the file atomically. */
function isPreviewState(value: unknown): value is PreviewState {
  return (
    isJsonObject(value) &&
    value["version"] === 1 &&
    Number.isSafeInteger(value["next_id"]) &&
    Array.isArray(value["scenes"]) &&
    Array.isArray(value["tracks"])
  );
}
