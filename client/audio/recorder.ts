import { writeWav } from "./write-wav.ts";

/** Number of frames per block: about a third of a second, so that a busy page loses none. */
const BLOCK_FRAMES = 16_384;
/** Number of samples that the level is measured over: more than pass between two readings, so that no peak is missed. */
const LEVEL_SAMPLES = 8192;

/** A finished recording. */
export interface Recorded {
  /** A WAV of 24 bits, at the microphone's rate. */
  readonly wav: Blob;
  /** Length of the gaps where the page was too slow; usually 0. */
  readonly lostSeconds: number;
}

/** Records a microphone without any processing: no echo cancellation, noise suppression or gain control. */
export class Recorder {
  readonly #stream: MediaStream;
  readonly #context: AudioContext;
  readonly #analyser: AnalyserNode;
  readonly #channels: number;
  readonly #blocks: (readonly Float32Array[])[] = [];
  #lostSeconds = 0;
  #nextTime: number | null = null;
  #onBlock: (() => void) | null = null;

  private constructor(stream: MediaStream, context: AudioContext) {
    this.#stream = stream;
    this.#context = context;
    this.#channels = stream.getAudioTracks()[0]?.getSettings().channelCount === 2 ? 2 : 1;
    this.#analyser = new AnalyserNode(context, { fftSize: LEVEL_SAMPLES });
  }

  /**
   * Asks for the microphone and starts recording. Call it in a click.
   * @param onEnd called when the microphone stops, such as when it is unplugged
   * @throws {DOMException} if the microphone can't be used
   */
  static async start(onEnd: () => void): Promise<Recorder> {
    // Created in the click: browsers allow audio only there.
    const context = new AudioContext();
    try {
      const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
      const stream = await navigator.mediaDevices.getUserMedia({ audio });
      await context.resume();
      const recorder = new Recorder(stream, context);
      recorder.#connect();
      stream.getAudioTracks()[0]?.addEventListener("ended", onEnd);
      return recorder;
    } catch (error) {
      await context.close();
      throw error;
    }
  }

  get seconds(): number {
    return (this.#blocks.length * BLOCK_FRAMES) / this.#context.sampleRate;
  }

  /** Size of the recording as a WAV so far. */
  get sizeBytes(): number {
    return this.#blocks.length * BLOCK_FRAMES * this.#channels * 3;
  }

  /** Returns the current peak, from 0 to 1. */
  level(): number {
    const samples = new Float32Array(LEVEL_SAMPLES);
    this.#analyser.getFloatTimeDomainData(samples);
    return Math.min(
      1,
      samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
    );
  }

  /** Ends the recording and returns everything recorded until now. */
  async stop(): Promise<Recorded> {
    const isRunning = this.#stream.getAudioTracks().some(({ readyState }) => readyState === "live");
    // The block that is being filled holds the last third of a second.
    if (isRunning) await new Promise<void>((resolve) => (this.#onBlock = resolve));
    const { sampleRate } = this.#context;
    this.cancel();
    const channels = Array.from({ length: this.#channels }, (_, channel) =>
      joined(this.#blocks.map((block) => block[channel] ?? new Float32Array(BLOCK_FRAMES))),
    );
    return {
      wav: await writeWav({ channels, sampleRateHz: sampleRate }),
      lostSeconds: this.#lostSeconds,
    };
  }

  /** Releases the microphone. */
  cancel(): void {
    for (const track of this.#stream.getTracks()) track.stop();
    void this.#context.close();
  }

  #connect(): void {
    const source = new MediaStreamAudioSourceNode(this.#context, { mediaStream: this.#stream });
    // Deprecated, but an AudioWorklet needs a script of its own, which the page's policy forbids.
    const blocks = this.#context.createScriptProcessor(BLOCK_FRAMES, this.#channels, 1);
    blocks.addEventListener("audioprocess", ({ inputBuffer, playbackTime }) => {
      this.#take(inputBuffer, playbackTime);
    });
    source.connect(this.#analyser);
    source.connect(blocks);
    // It runs only while it is connected; its output is silent.
    blocks.connect(this.#context.destination);
  }

  #take(block: AudioBuffer, time: number): void {
    if (this.#context.state === "closed") return;
    const late = time - (this.#nextTime ?? time);
    if (late > block.duration / 2) this.#lostSeconds += late;
    this.#nextTime = time + block.duration;
    // The browser reuses the block's memory.
    this.#blocks.push(
      Array.from({ length: this.#channels }, (_, channel) => block.getChannelData(channel).slice()),
    );
    this.#onBlock?.();
  }
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
