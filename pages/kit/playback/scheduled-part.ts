import { filePositionOf, type PlannedPart } from "./plan-playback.ts";
import { SoundStream } from "./sound-stream.ts";
import { bufferOf, nextTask, pieceAt, type StreamPiece, wholeFrame } from "./stream-pieces.ts";

/** The source of a part's passes. */
interface PartSound {
  /** The file, or a cycle of it at the scene's tempo. */
  readonly sound: AudioBuffer | SoundStream;
  /** Playback rate; 2 is twice as fast and an octave higher. */
  readonly soundRate: number;
}

/** One part, on a context that plays or renders. All times are the context's, in seconds. */
interface PartOptions extends PartSound {
  readonly destination: AudioNode;
  readonly part: PlannedPart;
  /** Time at which its first pass starts, or would have started. */
  readonly originSeconds: number;
  /** Time at which it becomes audible, maybe in the middle of a pass. */
  readonly fromSeconds: number;
  /** True if it is at its full level at that time, so that the sound before it fades in; else it fades in from there. */
  readonly hasRunUp: boolean;
  readonly isAudible: boolean;
}

/** Time before a part's beginning in which it fades in, so that an attack there keeps its level. */
const RUN_UP_SECONDS = 0.002;
/** Time that a piece which comes too late is given to begin. */
const LATE_SECONDS = 0.02;

/** The time constant of a fade: too quick to notice, too slow to click. */
const FADE_SECONDS = 0.004;
/** The time constant where the next scene begins: as short as possible without a click. */
const ENDING_SECONDS = 0.001;
/** Time constants until a fade is inaudible (-70 dB). */
const FADED_OUT = 8;
/** Rounding error of a length, which is rounded to the file's sample rate and again when it is decoded. */
const ROUNDING_FRAMES = 2;

/**
 * A part that plays pass after pass, a streamed one piece after piece: each begins on a frame of the context. Each pass
 * is a source of its own, from origin + n × length to the next one. A looping source would be simpler, but browsers
 * round its rate to 32 bits and its end to whole frames: these errors add up until loops drift apart within an hour.
 */
export class ScheduledPart {
  readonly #options: PartOptions;
  readonly #context: BaseAudioContext;
  readonly #gain: GainNode;
  /** The scheduled sources, each with the time at which it ends. */
  readonly #sources = new Map<AudioBufferSourceNode, number>();
  #nextPass: number;
  /** The next frame of a streamed sound, in the context's frames. */
  #nextFrame: number;
  /** Time until which a streamed sound is wanted. */
  #untilSeconds = 0;
  #streaming: Promise<void> | null = null;
  #isStopped = false;
  #endsAtSeconds = Infinity;

  constructor(options: PartOptions) {
    const { destination, part, originSeconds, isAudible, hasRunUp } = options;
    const comesInLate = options.fromSeconds > originSeconds;
    const runUpSeconds = comesInLate && hasRunUp ? RUN_UP_SECONDS : 0;
    const fromSeconds = options.fromSeconds - runUpSeconds;
    this.#options = { ...options, fromSeconds };
    this.#context = destination.context;
    const passesBefore = (fromSeconds - originSeconds) / (part.passSeconds ?? Infinity);
    this.#nextPass = Math.max(0, Math.floor(passesBefore));
    const { sampleRate } = this.#context;
    this.#nextFrame = wholeFrame(Math.max(fromSeconds, originSeconds) * sampleRate);
    const gain = isAudible ? part.gain : 0;
    this.#gain = new GainNode(this.#context, { gain: comesInLate ? 0 : gain });
    if (runUpSeconds > 0) {
      this.#gain.gain.setValueAtTime(0, fromSeconds);
      this.#gain.gain.linearRampToValueAtTime(gain, fromSeconds + runUpSeconds);
    } else if (comesInLate) this.#gain.gain.setTargetAtTime(gain, fromSeconds, FADE_SECONDS);
    this.#gain.connect(destination);
  }

  /** Time at which the part ends; `Infinity` for a loop. */
  get endSeconds(): number {
    const { part, sound, soundRate, originSeconds } = this.#options;
    return part.passSeconds === null ? originSeconds + sound.duration / soundRate : Infinity;
  }

  /** Schedules every pass that starts before that time. Resolves once all of it is decoded and scheduled. */
  async scheduleUntil(seconds: number): Promise<void> {
    const { sound } = this.#options;
    const until = Math.min(seconds, this.#endsAtSeconds);
    if (sound instanceof SoundStream) {
      this.#untilSeconds = Math.max(this.#untilSeconds, until);
      this.#streaming ??= this.#stream(sound)
        // A file that can't be read any more is silent from there on.
        .catch(() => void (this.#isStopped = true))
        .finally(() => void (this.#streaming = null));
      await this.#streaming;
      return;
    }
    for (; this.#startOf(this.#nextPass) < until; this.#nextPass += 1) {
      this.#schedulePass(this.#nextPass);
    }
  }

  /** Mutes or unmutes the part while it plays on. */
  setAudible(isAudible: boolean): void {
    this.#fadeTo(isAudible ? this.#options.part.gain : 0, this.#context.currentTime);
  }

  /** Returns the position in the file at that time, in seconds; null while the part is silent. */
  filePosition(seconds: number): number | null {
    const { part, originSeconds } = this.#options;
    const sinceOrigin = seconds - originSeconds;
    if (sinceOrigin < 0) return null;
    const inFile = filePositionOf(part, sinceOrigin);
    return inFile < part.heardSeconds ? inFile : null;
  }

  /** Ends the part at that time, with a fade. */
  stop(seconds: number): void {
    this.#isStopped = true;
    this.#fadeTo(0, seconds);
    const silentSeconds = seconds + FADED_OUT * FADE_SECONDS;
    for (const [source, endSeconds] of this.#sources) {
      source.stop(Math.min(endSeconds, silentSeconds));
    }
  }

  /** Ends the part exactly at a time ahead. It is silent by then, so that the next scene is heard alone. */
  endAt(seconds: number): void {
    const { gain } = this.#gain;
    gain.setTargetAtTime(0, seconds - FADED_OUT * ENDING_SECONDS, ENDING_SECONDS);
    for (const [source, endSeconds] of this.#sources) source.stop(Math.min(endSeconds, seconds));
    this.#endsAtSeconds = seconds;
  }

  #fadeTo(gain: number, seconds: number): void {
    this.#gain.gain.cancelScheduledValues(seconds);
    this.#gain.gain.setTargetAtTime(gain, seconds, FADE_SECONDS);
  }

  #startOf(pass: number): number {
    const { part, originSeconds } = this.#options;
    return pass === 0 ? originSeconds : originSeconds + pass * (part.passSeconds ?? Infinity);
  }

  #schedulePass(pass: number): void {
    const { sound, soundRate, fromSeconds } = this.#options;
    if (sound instanceof SoundStream) return;
    const startSeconds = this.#startOf(pass);
    const endSeconds = Math.min(this.#startOf(pass + 1), this.#endsAtSeconds);
    const inSeconds = Math.max(startSeconds, fromSeconds, this.#context.currentTime);
    const soundSeconds = (inSeconds - startSeconds) * soundRate;
    if (inSeconds >= endSeconds || soundSeconds >= sound.duration) return;
    const source = new AudioBufferSourceNode(this.#context, {
      buffer: sound,
      playbackRate: soundRate,
      loop: isShortByRounding(this.#options),
    });
    source.start(inSeconds, soundSeconds);
    if (endSeconds < Infinity) source.stop(endSeconds);
    this.#listenTo(source, endSeconds);
  }

  #listenTo(source: AudioBufferSourceNode, endSeconds: number): void {
    source.connect(this.#gain);
    this.#sources.set(source, endSeconds);
    source.addEventListener("ended", () => {
      source.disconnect();
      this.#sources.delete(source);
    });
  }

  /** Decodes and schedules a streamed sound piece by piece. One call at a time does so, for all. */
  async #stream(sound: SoundStream): Promise<void> {
    const { sampleRate } = this.#context;
    const holdsEnd = isShortByRounding(this.#options);
    const isDone = (): boolean => {
      const seconds = this.#nextFrame / sampleRate;
      const until = Math.min(this.#untilSeconds, this.#endsAtSeconds, this.endSeconds);
      return this.#isStopped || seconds >= until;
    };
    while (!isDone()) {
      const { currentTime } = this.#context;
      const isLate = this.#nextFrame < Math.floor(currentTime * sampleRate);
      const firstFrame = isLate ? wholeFrame(this.#lateSeconds * sampleRate) : this.#nextFrame;
      const piece = pieceAt(sound, { ...this.#options, firstFrame, sampleRate, holdsEnd });
      this.#nextFrame = piece.endFrame;
      if (piece.span.from >= sound.header.frames) continue;
      await sound.load(piece.span);
      this.#schedulePiece(sound, piece);
      // Other parts have their turn here, and what a person does.
      await nextTask();
    }
  }

  #schedulePiece(sound: SoundStream, piece: StreamPiece): void {
    const { sampleRate, currentTime } = this.#context;
    const startSeconds = piece.firstFrame / sampleRate;
    const endSeconds = Math.min(piece.endFrame / sampleRate, this.#endsAtSeconds);
    // A piece that comes too late begins within, so that it never leaves the beat.
    const inSeconds = startSeconds < currentTime ? this.#lateSeconds : startSeconds;
    const buffer = inSeconds < endSeconds ? bufferOf(sound, piece, sampleRate) : null;
    if (buffer === null || this.#isStopped) return;
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.start(inSeconds, inSeconds - startSeconds);
    source.stop(endSeconds);
    this.#listenTo(source, endSeconds);
  }

  /** The time of the first frame at which something that comes too late can begin. */
  get #lateSeconds(): number {
    const { sampleRate, currentTime } = this.#context;
    return wholeFrame((currentTime + LATE_SECONDS) * sampleRate) / sampleRate;
  }
}

/** Checks whether the sound is short only by rounding. It then loops to fill the gap, which would click. */
function isShortByRounding({ part: { passSeconds }, sound, soundRate }: PartOptions): boolean {
  if (passSeconds === null) return false;
  const missingFrames = (passSeconds * soundRate - sound.duration) * sound.sampleRate;
  return missingFrames > 0 && missingFrames < ROUNDING_FRAMES;
}

/** The sounds of a scene's parts, by sound id. */
export interface SceneSounds {
  /** Decoded or opened files; parts without one are left out. */
  readonly sounds: ReadonlyMap<string, AudioBuffer | SoundStream>;
  /** One cycle at the scene's tempo for each part with a `method`. */
  readonly warped: ReadonlyMap<string, AudioBuffer>;
  /**
   * Parts with a `method` that can't be warped here, so that their pitch follows the tempo. Others wait for their
   * cycle.
   */
  readonly repitched: ReadonlySet<string>;
}

interface SceneOptions extends SceneSounds {
  /** The node that the parts play into; its context plays or renders. */
  readonly destination: AudioNode;
  /** Time of beat 0, in the context's time. */
  readonly originSeconds: number;
  /** Time at which the scene started, which is beat 0 unless its tempo has changed. */
  readonly startSeconds: number;
  /** Time at which parts become audible: the start, or later if the scene resumes. */
  readonly fromSeconds: number;
  /** True if the scene begins there, in the middle of its parts. */
  readonly hasRunUp: boolean;
  readonly isAudible: (soundId: string) => boolean;
}

/** Returns the source of a part; null if the part can't be played, or not yet. */
export function partSound(
  { soundId, problem, rate, method }: PlannedPart,
  { sounds, warped, repitched }: SceneSounds,
): PartSound | null {
  const [sound, cycle] = [sounds.get(soundId), warped.get(soundId)];
  if (sound === undefined || problem !== null) return null;
  if (method === null || repitched.has(soundId)) return { sound, soundRate: rate };
  return cycle === undefined ? null : { sound: cycle, soundRate: 1 };
}

/** Prepares a plan's parts in sync, by sound id; `scheduleUntil` plays them. */
export function scheduleScene(
  plan: readonly PlannedPart[],
  options: SceneOptions,
): ReadonlyMap<string, ScheduledPart> {
  const { destination, originSeconds, startSeconds, fromSeconds, hasRunUp, isAudible } = options;
  return new Map(
    plan.flatMap((part): [string, ScheduledPart][] => {
      const playedFrom = partSound(part, options);
      if (playedFrom === null) return [];
      const scheduled = new ScheduledPart({
        ...playedFrom,
        destination,
        part,
        originSeconds: part.timing === "beats" ? originSeconds : startSeconds,
        fromSeconds,
        hasRunUp,
        isAudible: isAudible(part.soundId),
      });
      return [[part.soundId, scheduled]];
    }),
  );
}
