import type { PlannedPart } from "./plan-playback.ts";
import type { SoundStream, StreamSpan } from "./sound-stream.ts";

/** A piece of a streamed sound, in frames of the context, and the part of the file that is heard in it. */
export interface StreamPiece {
  readonly firstFrame: number;
  readonly endFrame: number;
  readonly span: StreamSpan;
}

interface PieceOptions extends Pick<StreamSpan, "holdsEnd"> {
  readonly part: Pick<PlannedPart, "passSeconds">;
  /** Speed at which the file is played. */
  readonly soundRate: number;
  /** Time at which the first pass starts, or would have started. */
  readonly originSeconds: number;
  readonly firstFrame: number;
  /** The context's. */
  readonly sampleRate: number;
}

/** Length of a piece, unless its pass ends before. */
const PIECE_SECONDS = 0.5;
/** Rounding error of a time, in frames. */
const ROUNDING = 1e-6;

/** Returns the first whole frame at that position or later. */
export function wholeFrame(frame: number): number {
  return Math.ceil(frame - ROUNDING);
}

/**
 * Plans the piece that begins on a frame of the context. Its position in the file comes from the time alone, so sounds
 * of one beat stay together to the sample, whatever was skipped.
 */
export function pieceAt(sound: SoundStream, options: PieceOptions): StreamPiece {
  const { part, soundRate, originSeconds, firstFrame, sampleRate, holdsEnd } = options;
  const passFrames = (part.passSeconds ?? Infinity) * sampleRate;
  const sinceOrigin = firstFrame - originSeconds * sampleRate;
  const pass = Math.floor((sinceOrigin + ROUNDING) / passFrames);
  const inPass = pass === 0 ? sinceOrigin : sinceOrigin - pass * passFrames;
  const frames = Math.min(Math.round(PIECE_SECONDS * sampleRate), wholeFrame(passFrames - inPass));
  const step = (soundRate * sound.sampleRate) / sampleRate;
  const span = { from: Math.max(0, inPass * step), step, frames, holdsEnd };
  return { firstFrame, endFrame: firstFrame + frames, span };
}

/** Returns the piece's samples; null while they aren't loaded. */
export function bufferOf(
  sound: SoundStream,
  { span }: StreamPiece,
  sampleRate: number,
): AudioBuffer | null {
  const channels = sound.read(span);
  if (channels === null) return null;
  const numberOfChannels = channels.length;
  const buffer = new AudioBuffer({ length: span.frames, numberOfChannels, sampleRate });
  channels.forEach((samples, index) => buffer.copyToChannel(samples, index));
  return buffer;
}

/** Resolves in the browser's next task. A timer would wait for a second in a hidden page. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
