import { planPlayback, type PlayableTrack, type PlannedPart } from "./plan-playback.ts";
import {
  partSound,
  type SceneSounds,
  scheduleScene,
  type ScheduledPart,
} from "./scheduled-part.ts";

/** The content of a scene that plays; an edit replaces it. */
export interface SceneContent extends SceneSounds {
  readonly tracks: readonly PlayableTrack[];
  readonly tempoBpm: number;
  /** Ids of the sounds to be heard. */
  readonly audible: ReadonlySet<string>;
}

interface PlayingOptions {
  readonly context: BaseAudioContext;
  /** The node that it plays into, such as a volume; default: the context's destination. */
  readonly output?: AudioNode;
  /** Start in the context's time; default: as soon as possible. */
  readonly startSeconds?: number;
  /** Position at which it starts; default: its beginning. */
  readonly fromBeats?: number;
}

/** Delay until a change is heard, so that everything is ready by then. */
const LEAD_SECONDS = 0.05;
/** The same delay if sounds are decoded while they play. */
const STREAM_LEAD_SECONDS = 0.25;
/** Time by which passes are scheduled ahead, because browsers call the timers of hidden pages only once a second. */
const AHEAD_SECONDS = 3;

/** A scene that plays from its creation until `stop`; call `keepGoing` every second. */
export class PlayingScene {
  readonly #context: BaseAudioContext;
  readonly #output: AudioNode;
  /** Beginning in the context's time; the origin of parts that don't follow the beats. */
  #startSeconds: number;
  #content: SceneContent;
  /** Time of beat 0 at the current tempo, in the context's time. */
  #originSeconds: number;
  #plan: readonly PlannedPart[];
  #parts: ReadonlyMap<string, ScheduledPart>;
  #endSeconds = Infinity;

  constructor(
    content: SceneContent,
    { context, output = context.destination, startSeconds, fromBeats = 0 }: PlayingOptions,
  ) {
    this.#context = context;
    this.#output = output;
    this.#content = content;
    this.#plan = planPlayback(content.tracks, content.tempoBpm);
    const fromSeconds = startSeconds ?? this.#soon();
    this.#originSeconds = fromSeconds - (fromBeats * 60) / content.tempoBpm;
    this.#startSeconds = this.#originSeconds;
    this.#parts = this.#schedule(this.#plan, fromSeconds, true);
    void this.keepGoing();
  }

  /** Reasons why sounds can't be played, by sound id. */
  get problems(): ReadonlyMap<string, string> {
    return new Map(
      this.#plan.flatMap(({ soundId, problem }) => (problem === null ? [] : [[soundId, problem]])),
    );
  }

  /** True once everything has been heard; never with a loop, even if it still waits to be warped. */
  get isOver(): boolean {
    const { currentTime } = this.#context;
    const waits = this.#plan.some(
      ({ soundId, method, problem }) =>
        method !== null &&
        problem === null &&
        this.#content.sounds.has(soundId) &&
        !this.#parts.has(soundId),
    );
    return !waits && [...this.#parts.values()].every(({ endSeconds }) => endSeconds < currentTime);
  }

  /** Schedules the next passes; resolves once those that are decoded while they play are scheduled, too. */
  async keepGoing(): Promise<void> {
    const until = this.#context.currentTime + AHEAD_SECONDS;
    await Promise.all([...this.#parts.values()].map((part) => part.scheduleUntil(until)));
  }

  /** Goes to a position, on the next beat: what was heard ends there, and all parts play on from it (rule V19). */
  jumpTo(beats: number): void {
    const { tempoBpm } = this.#content;
    const soon = this.#soon();
    const fromSeconds =
      this.#originSeconds + (Math.ceil(this.#beatsAt(soon, tempoBpm)) * 60) / tempoBpm;
    for (const part of this.#parts.values()) part.endAt(fromSeconds);
    this.#originSeconds = fromSeconds - (beats * 60) / tempoBpm;
    this.#startSeconds = this.#originSeconds;
    this.#parts = this.#schedule(this.#plan, fromSeconds, true);
    if (this.#endSeconds < Infinity) this.endAt(this.#endSeconds);
    void this.keepGoing();
  }

  /**
   * Applies an edit or a new tempo. The position in beats is kept and changed parts come in on the beat; unchanged
   * parts play on, and so do those that follow no beat.
   */
  change(content: SceneContent): void {
    const before = this.#content;
    const plan = planPlayback(content.tracks, content.tempoBpm);
    const planned = new Map(this.#plan.map((part) => [part.soundId, part]));
    const isSame = (part: PlannedPart): boolean => {
      const old = planned.get(part.soundId);
      if (old === undefined || JSON.stringify(old) !== JSON.stringify(part)) return false;
      return partSound(old, before)?.sound === partSound(part, content)?.sound;
    };
    // This must come before new parts, because it would cancel their fade.
    this.setAudible(content.audible);
    this.#content = content;
    const fromSeconds = this.#soon();
    if (content.tempoBpm !== before.tempoBpm) {
      const beats = this.#beatsAt(fromSeconds, before.tempoBpm);
      this.#originSeconds = fromSeconds - (beats * 60) / content.tempoBpm;
    }
    this.#replan(plan, fromSeconds, isSame);
  }

  /** Mutes and unmutes without a click; muted sounds stay in sync. */
  setAudible(audible: ReadonlySet<string>): void {
    this.#content = { ...this.#content, audible };
    for (const [soundId, part] of this.#parts) part.setAudible(audible.has(soundId));
  }

  stop(): void {
    for (const part of this.#parts.values()) part.stop(this.#context.currentTime);
  }

  /** Ends the scene at a time ahead, without a click. */
  endAt(seconds: number): void {
    this.#endSeconds = seconds;
    for (const part of this.#parts.values()) part.endAt(seconds);
  }

  /** Returns the start of the first bar at that time or later, in the context's time. */
  nextBar(seconds: number, beatsPerBar: number): number {
    const { tempoBpm } = this.#content;
    const bars = Math.ceil(this.#beatsAt(seconds, tempoBpm) / beatsPerBar);
    return this.#originSeconds + (Math.max(0, bars) * beatsPerBar * 60) / tempoBpm;
  }

  /** Returns the number of beats that have been heard. */
  positionBeats(): number {
    return Math.max(0, this.#beatsAt(heardSeconds(this.#context), this.#content.tempoBpm));
  }

  /** Returns a sound's position in its file, in seconds; null while it is silent. */
  filePosition(soundId: string): number | null {
    return this.#parts.get(soundId)?.filePosition(heardSeconds(this.#context)) ?? null;
  }

  /** Returns the time of a whole frame that is soon, but late enough to prepare for. */
  #soon(): number {
    const { currentTime, sampleRate } = this.#context;
    const isStreamed = this.#plan.some((part) => part.isStreamed);
    const lead = isStreamed ? STREAM_LEAD_SECONDS : LEAD_SECONDS;
    return Math.ceil((currentTime + lead) * sampleRate) / sampleRate;
  }

  #beatsAt(seconds: number, tempoBpm: number): number {
    return ((seconds - this.#originSeconds) * tempoBpm) / 60;
  }

  /** Plans again from a time on; parts for which `playsOn` is true continue unchanged. */
  #replan(
    plan: readonly PlannedPart[],
    fromSeconds: number,
    playsOn: (part: PlannedPart) => boolean,
  ): void {
    this.#plan = plan;
    const kept = new Map(
      plan.flatMap((part): [string, ScheduledPart][] => {
        const sounding = this.#parts.get(part.soundId);
        return sounding !== undefined && playsOn(part) ? [[part.soundId, sounding]] : [];
      }),
    );
    for (const [soundId, part] of this.#parts) if (!kept.has(soundId)) part.stop(fromSeconds);
    const others = plan.filter(({ soundId }) => !kept.has(soundId));
    this.#parts = new Map([...kept, ...this.#schedule(others, fromSeconds, false)]);
    if (this.#endSeconds < Infinity) this.endAt(this.#endSeconds);
    void this.keepGoing();
  }

  #schedule(
    plan: readonly PlannedPart[],
    fromSeconds: number,
    hasRunUp: boolean,
  ): ReadonlyMap<string, ScheduledPart> {
    return scheduleScene(plan, {
      ...this.#content,
      destination: this.#output,
      startSeconds: this.#startSeconds,
      originSeconds: this.#originSeconds,
      fromSeconds,
      hasRunUp,
      isAudible: (soundId) => this.#content.audible.has(soundId),
    });
  }
}

/** Returns the time that is heard now, or rendered now if the browser doesn't know. */
function heardSeconds(context: BaseAudioContext | AudioContext): number {
  const heard = "getOutputTimestamp" in context ? context.getOutputTimestamp().contextTime : 0;
  return heard || context.currentTime;
}
