import type { PlannedPart } from "./plan-playback.ts";

/** One part, ready to sound on a context that plays or renders. All times are the context's, in seconds. */
export interface PartOptions {
  readonly destination: AudioNode;
  readonly part: PlannedPart;
  readonly sound: AudioBuffer;
  /** When its first pass begins, or would have begun. */
  readonly originSeconds: number;
  /** It is silent before; inside of a pass it comes in where that pass is by then. */
  readonly fromSeconds: number;
  readonly isAudible: boolean;
}

/** How quickly a gain follows, as the time constant of its approach: too quick to be noticed, too slow to click. */
const FADE_SECONDS = 0.004;
/** After this many time constants nothing is left to be heard (-70 dB). */
const FADED_OUT = 8;
/** A file may be rounded to its sample rate, and once more when it is decoded. */
const ROUNDING_FRAMES = 2;

/**
 * A part that sounds, pass after pass.
 *
 * Each pass is a source of its own that begins at origin + n × length and is cut off where the next one
 * begins. A source that loops by itself would be simpler, but its rate is a 32-bit number, some
 * browsers round it and the loop's end to whole frames, and that adds up: after an hour loops would stand
 * apart. Here nothing adds up, and what is silent after a short file needs no samples.
 */
export class ScheduledPart {
  readonly #options: PartOptions;
  readonly #context: BaseAudioContext;
  readonly #gain: GainNode;
  /** Each with the time at which it ends by itself. */
  readonly #sources = new Map<AudioBufferSourceNode, number>();
  #nextPass: number;

  constructor(options: PartOptions) {
    const { destination, part, originSeconds, fromSeconds, isAudible } = options;
    this.#options = options;
    this.#context = destination.context;
    const sinceOrigin = fromSeconds - originSeconds;
    this.#nextPass = Math.max(0, Math.floor(sinceOrigin / (part.passSeconds ?? Infinity)));
    const gain = isAudible ? part.gain : 0;
    const comesInLate = sinceOrigin > 0;
    this.#gain = new GainNode(this.#context, { gain: comesInLate ? 0 : gain });
    if (comesInLate) this.#gain.gain.setTargetAtTime(gain, fromSeconds, FADE_SECONDS);
    this.#gain.connect(destination);
  }

  /** When its last sound is over; never where it loops. */
  get endSeconds(): number {
    const { part, sound, originSeconds } = this.#options;
    return part.passSeconds === null ? originSeconds + sound.duration / part.rate : Infinity;
  }

  /** Gets every pass ready that begins before that time. */
  scheduleUntil(seconds: number): void {
    for (; this.#startOf(this.#nextPass) < seconds; this.#nextPass += 1) {
      this.#schedulePass(this.#nextPass);
    }
  }

  /** Mutes it or lets it be heard; it goes on meanwhile. */
  setAudible(isAudible: boolean): void {
    this.#fadeTo(isAudible ? this.#options.part.gain : 0, this.#context.currentTime);
  }

  /** Where in its file it is at that time, in seconds; null where it is silent. */
  filePosition(seconds: number): number | null {
    const { part, originSeconds } = this.#options;
    const sinceOrigin = seconds - originSeconds;
    if (sinceOrigin < 0) return null;
    const inFile = (sinceOrigin % (part.passSeconds ?? Infinity)) * part.rate;
    return inFile < part.heardSeconds ? inFile : null;
  }

  /** Ends it for good, from that time on. */
  stop(seconds: number): void {
    this.#fadeTo(0, seconds);
    const silentSeconds = seconds + FADED_OUT * FADE_SECONDS;
    for (const [source, endSeconds] of this.#sources) {
      source.stop(Math.min(endSeconds, silentSeconds));
    }
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
    const { part, sound, fromSeconds } = this.#options;
    const startSeconds = this.#startOf(pass);
    const endSeconds = this.#startOf(pass + 1);
    const inSeconds = Math.max(startSeconds, fromSeconds, this.#context.currentTime);
    const fileSeconds = (inSeconds - startSeconds) * part.rate;
    if (inSeconds >= endSeconds || fileSeconds >= sound.duration) return;
    const source = new AudioBufferSourceNode(this.#context, {
      buffer: sound,
      playbackRate: part.rate,
      loop: isShortByRounding(part, sound),
    });
    source.connect(this.#gain);
    source.start(inSeconds, fileSeconds);
    if (endSeconds < Infinity) source.stop(endSeconds);
    this.#sources.set(source, endSeconds);
    source.addEventListener("ended", () => {
      source.disconnect();
      this.#sources.delete(source);
    });
  }
}

/** Whether a frame is missing only because files have whole ones: its loop's beginning fills the place, not a click. */
function isShortByRounding({ passSeconds, rate }: PlannedPart, sound: AudioBuffer): boolean {
  if (passSeconds === null) return false;
  const missingFrames = (passSeconds * rate - sound.duration) * sound.sampleRate;
  return missingFrames > 0 && missingFrames < ROUNDING_FRAMES;
}
