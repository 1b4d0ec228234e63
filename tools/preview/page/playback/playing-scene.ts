import { planPlayback, type PlayableTrack, type PlannedPart } from "./plan-playback.ts";
import { scheduleScene } from "./schedule-parts.ts";
import type { ScheduledPart } from "./scheduled-part.ts";

/** A scene's content, at first and after an edit. */
export interface SceneEdit {
  readonly tracks: readonly PlayableTrack[];
  /** Decoded, by sound id. */
  readonly sounds: ReadonlyMap<string, AudioBuffer>;
  /** Ids of the sounds to be heard. */
  readonly audible: ReadonlySet<string>;
}

export interface PlayingOptions extends SceneEdit {
  readonly context: AudioContext;
  readonly tempoBpm: number;
}

/** Changes sound this much later, so that everything is ready by then. */
const LEAD_SECONDS = 0.05;
/** How far ahead passes are scheduled: browsers call the timers of hidden pages only once a second. */
const AHEAD_SECONDS = 3;

/** A scene that plays from its creation until `stop`; call `keepGoing` every second. */
export class PlayingScene {
  readonly #context: AudioContext;
  /** When it started, in the context's time; the origin of parts that don't follow the beats. */
  readonly #startSeconds: number;
  #tracks: readonly PlayableTrack[];
  #sounds: ReadonlyMap<string, AudioBuffer>;
  #audible: ReadonlySet<string>;
  #tempoBpm: number;
  /** When beat 0 is at the current tempo, in the context's time. */
  #originSeconds: number;
  #plan: readonly PlannedPart[];
  #parts: ReadonlyMap<string, ScheduledPart>;

  constructor({ context, tracks, sounds, tempoBpm, audible }: PlayingOptions) {
    this.#context = context;
    this.#tracks = tracks;
    this.#sounds = sounds;
    this.#tempoBpm = tempoBpm;
    this.#audible = audible;
    this.#startSeconds = soonIn(context);
    this.#originSeconds = this.#startSeconds;
    this.#plan = planPlayback(tracks, tempoBpm);
    this.#parts = this.#schedule(this.#plan, this.#originSeconds);
    this.keepGoing();
  }

  /** Why sounds can't be played, by sound id. */
  get problems(): ReadonlyMap<string, string> {
    return new Map(
      this.#plan.flatMap(({ soundId, problem }) => (problem === null ? [] : [[soundId, problem]])),
    );
  }

  /** Whether everything has been heard; never true with a loop. */
  get isOver(): boolean {
    const { currentTime } = this.#context;
    return [...this.#parts.values()].every(({ endSeconds }) => endSeconds < currentTime);
  }

  /** Schedules the next passes. */
  keepGoing(): void {
    const { currentTime } = this.#context;
    for (const part of this.#parts.values()) part.scheduleUntil(currentTime + AHEAD_SECONDS);
  }

  /** Keeps the position in beats; parts that don't follow the beats play on. */
  setTempo(tempoBpm: number): void {
    const fromSeconds = soonIn(this.#context);
    const beatsBefore = ((fromSeconds - this.#originSeconds) * this.#tempoBpm) / 60;
    this.#tempoBpm = tempoBpm;
    this.#originSeconds = fromSeconds - (beatsBefore * 60) / tempoBpm;
    this.#replan(fromSeconds, ({ timing }) => timing !== "beats");
  }

  /** Applies an edit: changed parts come in on the beat, the rest plays on. */
  edit({ tracks, sounds, audible }: SceneEdit): void {
    const before = new Map(this.#plan.map((part) => [part.soundId, JSON.stringify(part)]));
    const soundsBefore = this.#sounds;
    const isSame = (part: PlannedPart): boolean =>
      before.get(part.soundId) === JSON.stringify(part) &&
      soundsBefore.get(part.soundId) === sounds.get(part.soundId);
    this.#tracks = tracks;
    this.#sounds = sounds;
    // Before new parts come in, because it would cancel their fade.
    this.setAudible(audible);
    this.#replan(soonIn(this.#context), isSame);
  }

  /** Mutes and unmutes without a click; muted sounds stay in sync. */
  setAudible(audible: ReadonlySet<string>): void {
    this.#audible = audible;
    for (const [soundId, part] of this.#parts) part.setAudible(audible.has(soundId));
  }

  stop(): void {
    for (const part of this.#parts.values()) part.stop(this.#context.currentTime);
  }

  /** How many beats have been heard. */
  positionBeats(): number {
    const sinceOrigin = heardSeconds(this.#context) - this.#originSeconds;
    return Math.max(0, (sinceOrigin * this.#tempoBpm) / 60);
  }

  /** A sound's position in its file, in seconds; null while it is silent. */
  filePosition(soundId: string): number | null {
    return this.#parts.get(soundId)?.filePosition(heardSeconds(this.#context)) ?? null;
  }

  /** Plans again from a time on; parts for which `playsOn` is true continue unchanged. */
  #replan(fromSeconds: number, playsOn: (part: PlannedPart) => boolean): void {
    this.#plan = planPlayback(this.#tracks, this.#tempoBpm);
    const kept = new Map(
      this.#plan.flatMap((part): [string, ScheduledPart][] => {
        const sounding = this.#parts.get(part.soundId);
        return sounding !== undefined && playsOn(part) ? [[part.soundId, sounding]] : [];
      }),
    );
    for (const [soundId, part] of this.#parts) if (!kept.has(soundId)) part.stop(fromSeconds);
    const others = this.#plan.filter(({ soundId }) => !kept.has(soundId));
    this.#parts = new Map([...kept, ...this.#schedule(others, fromSeconds)]);
    this.keepGoing();
  }

  #schedule(plan: readonly PlannedPart[], fromSeconds: number): ReadonlyMap<string, ScheduledPart> {
    return scheduleScene(plan, {
      destination: this.#context.destination,
      sounds: this.#sounds,
      startSeconds: this.#startSeconds,
      originSeconds: this.#originSeconds,
      fromSeconds,
      isAudible: (soundId) => this.#audible.has(soundId),
    });
  }
}

/** A whole frame that is soon, but late enough to prepare for. */
function soonIn({ currentTime, sampleRate }: AudioContext): number {
  return Math.ceil((currentTime + LEAD_SECONDS) * sampleRate) / sampleRate;
}

/** The time that is heard now, or rendered now if the browser doesn't know. */
function heardSeconds(context: AudioContext): number {
  return context.getOutputTimestamp().contextTime || context.currentTime;
}
