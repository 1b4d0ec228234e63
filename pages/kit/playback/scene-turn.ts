import { PLAY_BYTES } from "../../../core/audio/sound-limits.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { t } from "../page-language.ts";
import { filePositionOf, planPlayback, type PlayableTrack } from "./plan-playback.ts";
import type { PlayingScene, SceneContent } from "./playing-scene.ts";
import type { SceneView } from "./scene-view.ts";
import type { SoundBuffers } from "./sound-buffers.ts";
import { SoundStream } from "./sound-stream.ts";
import type { WarpedLoops, WarpJob } from "./warp/warped-loops.ts";

interface TurnOptions {
  readonly sceneKey: string;
  /** The scene key with which its sounds are fetched. */
  readonly soundsOf: string;
  readonly tracks: readonly PlayableTrack[];
  readonly tempoBpm: number;
  readonly beatsPerBar: number;
}

interface TurnDeps {
  readonly sounds: SoundBuffers;
  readonly loops: WarpedLoops;
}

/** A scene's fetched sounds, by id. */
interface Fetched {
  readonly sounds: ReadonlyMap<string, AudioBuffer | SoundStream>;
  readonly revisions: ReadonlyMap<string, string>;
  /** Reasons, each a sentence. */
  readonly failures: ReadonlyMap<string, string>;
}

const NOTHING_FETCHED: Fetched = { sounds: new Map(), revisions: new Map(), failures: new Map() };
/** A loop at its new tempo, and the job that rendered it. */
interface Warped {
  readonly job: WarpJob;
  readonly cycle: AudioBuffer;
}

/** Time that a scene waits for its loops; later ones come in on the beat. */
const WAIT_MS = 3000;
/** Length of the sound that is decoded before a scene begins, if it is decoded while it plays. */
const PRELOAD_SECONDS = 1;

/** A scene that is loading, waiting for its bar or playing. */
export class QueuedScene {
  readonly sceneKey: string;
  readonly beatsPerBar: number;
  /** The playing scene; null until it is heard. */
  playing: PlayingScene | null = null;
  readonly #soundsOf: string;
  readonly #deps: TurnDeps;
  #tracks: readonly PlayableTrack[];
  #tempoBpm: number;
  #fetched = NOTHING_FETCHED;
  /** The loops at their new tempo, by sound id. */
  #warped = new Map<string, Warped>();
  /** Number of tempi and edits so far; each replaces the one before. */
  #version = 0;
  #isOver = false;

  constructor(options: TurnOptions, deps: TurnDeps) {
    const { sceneKey, soundsOf, tracks, tempoBpm, beatsPerBar } = options;
    this.#soundsOf = soundsOf;
    this.sceneKey = sceneKey;
    this.beatsPerBar = beatsPerBar;
    this.#tracks = tracks;
    this.#tempoBpm = tempoBpm;
    this.#deps = deps;
  }

  get tempoBpm(): number {
    return this.#tempoBpm;
  }

  get soundIds(): readonly string[] {
    return this.#tracks.map(({ id }) => id);
  }

  /** The part of the player's state that this scene decides. */
  get view(): Pick<SceneView, "tempoBpm" | "errors" | "rendering" | "mode" | "notice"> {
    const { warped, repitched, rendering } = this.#loops();
    const isWarped = warped.size + rendering.length > 0;
    const isTooLong = planPlayback(this.#tracks, this.#tempoBpm).some(
      (part) => part.isTooLongToWarp,
    );
    const isRepitched = repitched.size > 0 || isTooLong;
    return {
      tempoBpm: this.#tempoBpm,
      errors: new Map([...this.#fetched.failures, ...(this.playing?.problems ?? [])]),
      rendering: new Set(rendering.map(({ id }) => id)),
      mode: isRepitched ? "repitched" : isWarped ? "warped" : "plain",
      notice:
        repitched.size > 0
          ? t("playback.repitched")
          : isTooLong
            ? t("playback.tooLongToStretch")
            : isWarped
              ? t("playback.approximation")
              : null,
    };
  }

  /** Returns the content to play now. */
  content(audible: ReadonlySet<string>): SceneContent {
    const { warped, repitched } = this.#loops();
    const { sounds } = this.#fetched;
    return {
      tracks: this.#tracks,
      tempoBpm: this.#tempoBpm,
      sounds,
      warped,
      repitched,
      audible,
    };
  }

  edit(tracks: readonly PlayableTrack[]): void {
    this.#tracks = tracks;
    this.#version += 1;
  }

  setTempo(tempoBpm: number): void {
    this.#tempoBpm = tempoBpm;
    this.#version += 1;
  }

  /**
   * Fetches its sounds and warps its loops, for at most 3 seconds.
   * @param onLate called with each loop that took longer
   * @returns false if an edit or a tempo came in between and it must be prepared again
   */
  async prepare(onLate: () => void): Promise<boolean> {
    const version = this.#version;
    const isWanted = (): boolean => this.#version === version && !this.#isOver;
    if (!this.isFetched) {
      const fetched = await this.#fetch();
      if (!isWanted()) return false;
      this.#fetched = fetched;
    }
    const { rendering } = this.#loops();
    if (rendering.length === 0) return true;
    let isLate = false;
    const rendered = rendering.map(async ({ job }) => {
      await this.#deps.loops.render(job, isWanted);
      if (isLate && isWanted()) onLate();
    });
    await Promise.race([
      Promise.all(rendered),
      new Promise((resolve) => {
        setTimeout(resolve, WAIT_MS);
      }),
    ]);
    isLate = true;
    return isWanted();
  }

  /** Decodes what is heard first from a position, of the sounds that are decoded while they play. */
  async preload(fromBeats: number): Promise<void> {
    const plan = planPlayback(this.#tracks, this.#tempoBpm);
    const loads = plan.map(async (part) => {
      const sound = this.#fetched.sounds.get(part.soundId);
      if (!(sound instanceof SoundStream)) return;
      const { sampleRate } = sound;
      const from = filePositionOf(part, (fromBeats * 60) / this.#tempoBpm) * sampleRate;
      const step = part.rate;
      await sound.load({ from, step, frames: PRELOAD_SECONDS * sampleRate, holdsEnd: false });
    });
    // What can't be decoded is silent.
    await Promise.allSettled(loads);
  }

  /** True if it can be played now, without waiting. */
  get isReady(): boolean {
    return this.isFetched && this.#loops().rendering.length === 0;
  }

  get isFetched(): boolean {
    const { revisions, sounds } = this.#fetched;
    const isStreamed = (id: string): boolean => sounds.get(id) instanceof SoundStream;
    return (
      this.#tracks.every(({ id, revision }) => revisions.get(id) === revision) &&
      planPlayback(this.#tracks, this.#tempoBpm).every(
        (part) => !sounds.has(part.soundId) || part.isStreamed === isStreamed(part.soundId),
      )
    );
  }

  stop(): void {
    this.#isOver = true;
    this.playing?.stop();
  }

  /** Sorts its loops at their new tempo into rendered, impossible and still to render. */
  #loops() {
    const { sounds, revisions } = this.#fetched;
    const warped = new Map<string, AudioBuffer>();
    const repitched = new Set<string>();
    const rendering: { readonly id: string; readonly job: WarpJob }[] = [];
    const kept = new Map<string, Warped>();
    for (const part of planPlayback(this.#tracks, this.#tempoBpm)) {
      const { soundId: id, method, passSeconds, rate, problem } = part;
      const sound = sounds.get(id);
      if (sound === undefined || sound instanceof SoundStream) continue;
      if (method === null || passSeconds === null || problem !== null) continue;
      const { sampleRate } = sound;
      const job: WarpJob = {
        soundKey: JSON.stringify([this.#soundsOf, id, revisions.get(id)]),
        sound,
        method,
        loopFrames: Math.max(1, Math.round(passSeconds * rate * sampleRate)),
        passFrames: Math.round(passSeconds * sampleRate),
      };
      const had = this.#warped.get(id);
      const cycle =
        had !== undefined && isSame(had.job, job) ? had.cycle : this.#deps.loops.find(job);
      if (cycle !== undefined) {
        warped.set(id, cycle);
        kept.set(id, { job, cycle });
      } else if (this.#deps.loops.isImpossible(job)) repitched.add(id);
      else rendering.push({ id, job });
    }
    this.#warped = kept;
    return { warped, repitched, rendering };
  }

  /** Fetches the scene's sounds, except those whose file is unchanged. */
  async #fetch(): Promise<Fetched> {
    const [tracks, before] = [this.#tracks, this.#fetched];
    const sounds = new Map<string, AudioBuffer | SoundStream>();
    const failures = new Map<string, string>();
    const plan = planPlayback(tracks, this.#tempoBpm);
    const streamed = new Set(plan.flatMap((part) => (part.isStreamed ? [part.soundId] : [])));
    const fetchOne = async ({ id, revision, bytes }: PlayableTrack): Promise<void> => {
      // The plan reports files that are too large.
      if (bytes > PLAY_BYTES) return;
      const isStreamed = streamed.has(id);
      const had = before.revisions.get(id) === revision ? before.sounds.get(id) : undefined;
      const isUsable = had !== undefined && had instanceof SoundStream === isStreamed;
      const file = [this.#soundsOf, id, revision] as const;
      try {
        const { sounds: buffers } = this.#deps;
        const fetchIt = () => (isStreamed ? buffers.streamed(...file) : buffers.decoded(...file));
        sounds.set(id, isUsable ? had : await fetchIt());
      } catch (error) {
        failures.set(id, sentenceOf(error));
      }
    };
    await Promise.all(tracks.map(fetchOne));
    return {
      sounds,
      revisions: new Map(tracks.map(({ id, revision }) => [id, revision])),
      failures,
    };
  }
}

function isSame(one: WarpJob, other: WarpJob): boolean {
  return (
    one.sound === other.sound &&
    one.method === other.method &&
    one.loopFrames === other.loopFrames &&
    one.passFrames === other.passFrames
  );
}
