import { planPlayback, type PlayableTrack, type PlannedPart } from "./plan-playback.ts";
import { scheduleParts } from "./schedule-parts.ts";
import type { ScheduledPart } from "./scheduled-part.ts";

/** What a scene is put together from, at first and after an edit. */
export interface SceneEdit {
  readonly tracks: readonly PlayableTrack[];
  /** Decoded, by sound id. */
  readonly sounds: ReadonlyMap<string, AudioBuffer>;
  /** Ids of the sounds that are heard. */
  readonly audible: ReadonlySet<string>;
}

export interface PlayingOptions extends SceneEdit {
  readonly context: AudioContext;
  readonly tempoBpm: number;
}

/** What is decided now sounds this much later, so that all of it is ready by then. */
const LEAD_SECONDS = 0.05;
/** How far ahead passes are scheduled: browsers call the timers of hidden pages only once a second. */
const AHEAD_SECONDS = 3;

/** A scene that sounds, from the moment it is made until it is stopped; `keepGoing` must be called every second. */
export class PlayingScene {
  readonly #context: AudioContext;
  /** When it began, in the context's time: what keeps to no beats counts from there, whatever the tempo was since. */
  readonly #startSeconds: number;
  #tracks: readonly PlayableTrack[];
  #sounds: ReadonlyMap<string, AudioBuffer>;
  #audible: ReadonlySet<string>;
  #tempoBpm: number;
  /** When beat 0 is at the present tempo, in the context's time. */
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

  /** Sentences by sound id: what can't be played at this tempo, or at all. */
  get problems(): ReadonlyMap<string, string> {
    return new Map(
      this.#plan.flatMap(({ soundId, problem }) => (problem === null ? [] : [[soundId, problem]])),
    );
  }

  /** Whether all has been heard; never where something loops. */
  get isOver(): boolean {
    const { currentTime } = this.#context;
    return [...this.#parts.values()].every(({ endSeconds }) => endSeconds < currentTime);
  }

  /** Schedules what comes next. */
  keepGoing(): void {
    const { currentTime } = this.#context;
    for (const part of this.#parts.values()) part.scheduleUntil(currentTime + AHEAD_SECONDS);
  }

  /** The beat stays where it is, and what keeps to no beats plays on. */
  setTempo(tempoBpm: number): void {
    const fromSeconds = soonIn(this.#context);
    const beatsBefore = ((fromSeconds - this.#originSeconds) * this.#tempoBpm) / 60;
    this.#tempoBpm = tempoBpm;
    this.#originSeconds = fromSeconds - (beatsBefore * 60) / tempoBpm;
    this.#planAnew(fromSeconds, ({ timing }) => timing !== "beats");
  }

  /** Goes on as an edit wants it: what is another by now comes in on the beat, the rest plays on. */
  edit({ tracks, sounds, audible }: SceneEdit): void {
    const before = new Map(this.#plan.map((part) => [part.soundId, JSON.stringify(part)]));
    const soundsBefore = this.#sounds;
    const isSame = (part: PlannedPart): boolean =>
      before.get(part.soundId) === JSON.stringify(part) &&
      soundsBefore.get(part.soundId) === sounds.get(part.soundId);
    this.#tracks = tracks;
    this.#sounds = sounds;
    // Before anything new comes in: its fade would be taken back.
    this.setAudible(audible);
    this.#planAnew(soonIn(this.#context), isSame);
  }

  /** Mutes and lets be heard, without a click and without losing step. */
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

  /** Where in its file a sound is now, in seconds; null where it is silent. */
  filePosition(soundId: string): number | null {
    return this.#parts.get(soundId)?.filePosition(heardSeconds(this.#context)) ?? null;
  }

  /** Plans from a moment on; what `playsOn` is left as it sounds. */
  #planAnew(fromSeconds: number, playsOn: (part: PlannedPart) => boolean): void {
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
    return scheduleParts(plan, {
      destination: this.#context.destination,
      sounds: this.#sounds,
      startSeconds: this.#startSeconds,
      originSeconds: this.#originSeconds,
      fromSeconds,
      isAudible: (soundId) => this.#audible.has(soundId),
    });
  }
}

/** A whole frame that is near, but far enough to get ready for. */
function soonIn({ currentTime, sampleRate }: AudioContext): number {
  return Math.ceil((currentTime + LEAD_SECONDS) * sampleRate) / sampleRate;
}

/** What leaves the loudspeaker now; where the browser doesn't know, what it computes. */
function heardSeconds(context: AudioContext): number {
  return context.getOutputTimestamp().contextTime || context.currentTime;
}
