import type {
  PlaceMessage,
  TrackMessage,
} from "../../../../../addon/hosts/live/remote-script/plan-request.ts";
import type { WarpAttempt } from "../../../../../addon/hosts/live/remote-script/plan-warp.ts";
import type { StandInSet, StandInTrack } from "./stand-in-set.ts";

type Holds = Record<string, unknown>;

export interface SurfaceHabits {
  /** Refuses an attempt with this text. */
  readonly refuses?: (track: TrackMessage, attempt: WarpAttempt) => string | undefined;
  /** The clips of these sounds can't be made. */
  readonly failing?: readonly string[];
  /** The largest number of tracks in the Set. */
  readonly trackLimit?: number;
  /** The largest number of scenes in the Set; beyond it, an empty scene is taken. */
  readonly sceneLimit?: number;
  /** The index of the track that Live refuses. */
  readonly refusedTrack?: number;
  /** Live can't remove what it made. */
  readonly clings?: boolean;
  /** Changes what a clip holds. */
  readonly bends?: (holds: Holds, track: TrackMessage) => Holds;
  /** Called before each of Live's calls; `stop` leaves the run there for good, as a crash does. */
  readonly onCall?: (call: number) => void;
}

interface Listener {
  readonly reply: (ok: object) => void;
  readonly refuse: (error: object) => void;
  readonly progress: (said: object) => void;
}

/** One run of the stand-in: one of Live's calls a tick. */
export class StandInRun {
  readonly id: string;
  outcome: object | null = null;
  isActive = true;
  readonly #set: StandInSet;
  readonly #message: PlaceMessage;
  readonly #habits: SurfaceHabits;
  readonly #listeners: { readonly listener: Listener; readonly forget: () => void }[] = [];
  readonly #inTick: (act: () => void) => void;
  readonly #steps: (() => void)[];
  readonly #made = new Map<string, StandInTrack>();
  readonly #errors = new Map<string, object>();
  readonly #results: object[] = [];
  readonly #stays: string[] = [];
  /** The sounds without a track, and the limit that is the reason. */
  readonly #unmade = new Set<string>();
  #skipped: object | null = null;
  #isTaken = false;
  #error: object | undefined;
  #isStopped = false;
  #calls = 0;

  constructor(
    set: StandInSet,
    message: PlaceMessage,
    habits: SurfaceHabits,
    inTick: (act: () => void) => void,
  ) {
    this.id = message.run;
    this.#set = set;
    this.#message = message;
    this.#habits = habits;
    this.#inTick = inTick;
    const held = set.tracks.filter(({ mark }) => mark["run"] === message.run);
    for (const track of message.tracks) {
      const found = held.find(({ mark }) => mark["sound"] === track.sound);
      if (found !== undefined) this.#made.set(track.sound, found);
    }
    const readBack = [
      ...message.tracks.map((track) => () => this.#read(track)),
      () => this.#finish(),
    ];
    const make = [
      () => set.begin(message),
      () => this.#makeScene(),
      () => this.#nameScene(),
      ...message.tracks.flatMap((track) => [
        () => this.#makeTrack(track),
        () => this.#markTrack(track),
      ]),
      ...message.tracks.map((track, index) => () => this.#makeClip(track, index)),
    ];
    this.#steps = held.length > 0 ? readBack : [...make, ...readBack];
    setImmediate(() => this.#tick());
  }

  follow(listener: Listener, forget: () => void): void {
    this.#listeners.push({ listener, forget });
    if (!this.isActive) this.#tell();
  }

  /** Removes a run, even a finished one: the person canceled before they knew. Returns the error. */
  cancel(): object {
    return this.#fail({ code: "cancelled", message: "" });
  }

  /** Live dies. */
  stop(): void {
    this.#isStopped = true;
  }

  #tick(): void {
    if (this.#isStopped || !this.isActive) return;
    this.#inTick(() => {
      if (this.#isStopped || !this.isActive) return;
      this.#calls += 1;
      this.#habits.onCall?.(this.#calls);
      this.#steps.shift()?.();
      setImmediate(() => this.#tick());
    });
  }

  #nameScene(): void {
    const scene = this.#set.scenes.find(({ run }) => run === this.id);
    if (scene !== undefined) scene.name = this.#message.scene.name;
  }

  #makeScene(): void {
    const count = this.#set.scenes.length;
    this.#isTaken = count >= (this.#habits.sceneLimit ?? Infinity);
    if (!this.#isTaken) this.#set.makeScene(this.#message);
    else if (!this.#set.takeScene(this.#message)) {
      this.#fail({ code: "limit", message: "", what: "scenes", count });
    }
  }

  #makeTrack(track: TrackMessage): void {
    const count = this.#set.tracks.length;
    const { trackLimit = Infinity, refusedTrack } = this.#habits;
    if (this.#message.tracks[refusedTrack ?? -1] === track) {
      this.#fail({ code: "refused", message: "", step: `make the track ${track.name}` });
      return;
    }
    if (this.#skipped !== null || (count >= trackLimit && this.#made.size > 0)) {
      this.#skipped ??= { what: "tracks", count };
      this.#unmade.add(track.sound);
      return;
    }
    if (count >= trackLimit) {
      this.#fail({ code: "limit", message: "", what: "tracks", count });
      return;
    }
    const made = { name: "Audio", mark: {}, file: null };
    this.#made.set(track.sound, made);
    this.#set.tracks.push(made);
  }

  #markTrack({ sound, name }: TrackMessage): void {
    const { run, package: packageId, scene } = this.#message;
    const mark = { run, package: packageId, sound, scene: scene.name, done: false, attempt: 0 };
    this.#change(sound, { name, mark });
  }

  #makeClip({ sound, file, clip }: TrackMessage, index: number): void {
    const total = this.#message.tracks.length;
    if (this.#unmade.has(sound)) return;
    if (this.#habits.failing?.includes(sound) === true) {
      this.#errors.set(sound, { step: `make the clip ${clip.name}`, message: "Invalid file." });
    } else {
      this.#change(sound, { file });
    }
    this.#toAll(({ progress }) => progress({ placed: index + 1, total }));
  }

  #read(track: TrackMessage): void {
    if (this.#unmade.has(track.sound)) {
      const nothing = { error: null, holds: null, attempt: 0, refused: [] };
      this.#results.push({ sound: track.sound, ...nothing, skipped: this.#skipped });
      return;
    }
    const made = this.#made.get(track.sound);
    const isThere = made !== undefined && this.#set.tracks.includes(made);
    const error =
      this.#errors.get(track.sound) ??
      (isThere ? undefined : { step: "find the track", message: "it isn't in the Set" });
    if (error === undefined) {
      this.#results.push(this.#resultOf(track));
      this.#change(track.sound, { mark: { ...made?.mark, done: true } });
      return;
    }
    this.#results.push({ sound: track.sound, error, attempt: 0, refused: [], holds: null });
    if (this.#habits.clings === true) this.#stays.push(track.name);
    else this.#set.tracks = this.#set.tracks.filter((each) => each !== made);
  }

  #change(sound: string, change: Partial<StandInTrack>): void {
    const made = this.#made.get(sound);
    if (made !== undefined) Object.assign(made, change);
  }

  #finish(): void {
    const { scene, tempo } = this.#message;
    if (tempo !== null && !this.#set.keepsTempo) this.#set.tempo = tempo;
    this.#set.end(this.id);
    this.outcome = {
      run: this.id,
      scene: { name: scene.name, color: scene.color, taken: this.#isTaken },
      stays: this.#stays,
      tracks: this.#results,
    };
    this.#end();
  }

  #fail(error: { readonly code: string; readonly [key: string]: unknown }): object {
    this.outcome = null;
    const clings = this.#habits.clings === true;
    const names = [...this.#made.values()].map(({ name }) => name);
    this.#error = { ...error, stays: clings ? names : [] };
    if (clings) this.#set.end(this.id);
    else this.#set.remove(this.id, new Set(this.#made.values()));
    this.#end();
    return this.#error;
  }

  #end(): void {
    this.isActive = false;
    this.#tell();
  }

  #tell(): void {
    for (const { listener, forget } of this.#listeners.splice(0)) {
      if (this.outcome !== null) listener.reply(this.outcome);
      else listener.refuse(this.#error ?? {});
      if (this.outcome === null) forget();
    }
  }

  #toAll(act: (listener: Listener) => void): void {
    for (const { listener } of this.#listeners) act(listener);
  }

  #resultOf(track: TrackMessage): object {
    const { attempts } = track.clip;
    const refused: object[] = [];
    for (const [index, attempt] of attempts.entries()) {
      const message = this.#habits.refuses?.(track, attempt);
      if (message === undefined) {
        const holds = holdsOf(track, attempt);
        const bent = this.#habits.bends?.(holds, track) ?? holds;
        return { sound: track.sound, error: null, attempt: index, refused, holds: bent };
      }
      refused.push({ setting: "loop_end", message });
    }
    throw new Error(`Every attempt of ${track.name} was refused.`);
  }
}

/** The tempo that this Live hears in every file. */
export const HEARD_BPM = 97;
/** The end that this Live gives a clip where it isn't told one. */
const OWN_END = 4;

/** Returns the values that Live holds if it applies the request. */
function holdsOf(track: TrackMessage, attempt: WarpAttempt): Holds {
  const { clip } = track;
  const markers = clip.warping
    ? (attempt.markers ?? [
        [0, 0],
        [60 / HEARD_BPM, 1],
      ])
    : null;
  const start = attempt.start ?? 0;
  const end = attempt.end ?? attempt.beats ?? OWN_END;
  const last = markers?.at(-1);
  const [lastSeconds, lastBeats] = last ?? [1, 1];
  const hidden = [lastSeconds * 1.0625, lastBeats * 1.0625] as const;
  return {
    track: track.name,
    track_color: track.color,
    volume: Math.fround(0.85),
    armed: false,
    input: "No Input",
    name: clip.name,
    color_index: clip.color,
    file_path: track.file,
    warping: clip.warping,
    warp_mode: clip.warp_mode ?? 0,
    looping: clip.looping,
    loop_start: start,
    loop_end: end,
    start_marker: start,
    end_marker: end,
    markers: markers === null ? null : [...markers, hidden],
    gain: Math.fround(clip.gain.value ?? 0.3),
    gain_display_string: displayOf(clip.gain.db),
    pitch_coarse: 0,
    pitch_fine: 0,
  };
}

function displayOf(gainDb: number): string {
  if (gainDb <= -70) return "-inf dB";
  return `${gainDb.toFixed(1).replace("-", "\u2212")} dB`;
}
