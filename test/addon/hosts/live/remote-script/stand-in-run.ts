import type {
  PlaceMessage,
  TrackMessage,
  WarpAttempt,
} from "../../../../../addon/hosts/live/remote-script/place-message.ts";
import type { StandInSet } from "./stand-in-set.ts";

type Holds = Record<string, unknown>;

export interface SurfaceHabits {
  /** Refuses an attempt with this text. */
  readonly refuses?: (track: TrackMessage, attempt: WarpAttempt) => string | undefined;
  /** The clips of these sounds can't be made. */
  readonly failing?: readonly string[];
  /** How many tracks the Set may have. */
  readonly trackLimit?: number;
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
  readonly #results: object[] = [];
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
    this.#steps = [
      () => set.makeScene(message),
      ...message.tracks.map((track) => () => this.#makeTrack(track)),
      ...message.tracks.map((track, index) => () => this.#makeClip(track, index)),
      () => this.#readBack(),
    ];
    setImmediate(() => this.#tick());
  }

  follow(listener: Listener, forget: () => void): void {
    this.#listeners.push({ listener, forget });
    if (!this.isActive) this.#tell();
  }

  /** Also removes what a finished run made: the person cancelled before they knew. */
  cancel(): void {
    this.#fail({ code: "cancelled", message: "" });
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

  #makeTrack(track: TrackMessage): void {
    const count = this.#set.tracks.length;
    if (count >= (this.#habits.trackLimit ?? Infinity)) {
      this.#fail({ code: "limit", message: "", what: "tracks", count });
      return;
    }
    this.#set.makeTrack(this.#message, track);
  }

  #makeClip(track: TrackMessage, index: number): void {
    const made = this.#set.tracks.find(
      ({ mark }) => mark.run === this.id && mark.sound === track.sound,
    );
    const total = this.#message.tracks.length;
    if (this.#habits.failing?.includes(track.sound) === true) {
      this.#set.tracks = this.#set.tracks.filter((each) => each !== made);
      const error = { step: `make the clip ${track.clip.name}`, message: "Invalid file." };
      this.#results.push({ sound: track.sound, error, attempt: 0, refused: [], holds: {} });
    } else if (made !== undefined) {
      made.done = true;
      made.file = track.file;
      this.#results.push(this.#resultOf(track));
    }
    this.#toAll(({ progress }) => progress({ placed: index + 1, total }));
  }

  #readBack(): void {
    const { scene, package: packageId, tempo } = this.#message;
    if (tempo !== null) this.#set.tempo = tempo;
    this.outcome = {
      run: this.id,
      package: packageId,
      scene: { name: scene.name, color: scene.color },
      tracks: this.#results,
    };
    this.#end();
  }

  #fail(error: { readonly code: string; readonly [key: string]: unknown }): void {
    this.outcome = null;
    const stays = this.#set.tracks.filter(({ mark }) => mark.run === this.id);
    this.#error = error;
    if (this.#habits.clings === true) {
      this.#error = { ...error, code: "left", stays: stays.map(({ name }) => name) };
    } else {
      this.#set.remove(this.id);
    }
    this.#end();
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

/** What Live holds if it does as it is told. */
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
    clip: clip.name,
    clip_color: clip.color,
    warping: clip.warping,
    warp_mode: clip.warp_mode ?? 0,
    looping: clip.looping,
    start,
    end,
    loop_start: start,
    loop_end: end,
    markers: markers === null ? null : [...markers, hidden],
    gain_display: displayOf(clip.gain.db),
    gain: Math.fround(clip.gain.value ?? 0.3),
    volume: Math.fround(0.85),
    pitch: [0, 0],
    file: track.file,
    armed: false,
    input: "No Input",
  };
}

function displayOf(gainDb: number): string {
  if (gainDb <= -70) return "-inf dB";
  return `${gainDb.toFixed(1).replace("-", "\u2212")} dB`;
}
