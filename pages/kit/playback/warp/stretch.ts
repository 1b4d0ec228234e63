import { STRETCH_PATH } from "../../../../core/protocol/content-policy.ts";
import type { StretchSettings } from "./warp-method.ts";

/** Time limit, after which loops are repitched instead (rule V11). */
const START_LIMIT_MS = 3000;

/** Loads the stretching module when it is first needed, and at most once if it can't start. */
export class StretchModule {
  #starting: Promise<boolean> | undefined;
  #isReady = false;
  #hasFailed = false;

  /** True if the module can't start here, or hasn't started within the limit. A late start changes that. */
  get isUnavailable(): boolean {
    return this.#hasFailed && !this.#isReady;
  }

  /** Resolves within 3 seconds to whether it can stretch. */
  start(): Promise<boolean> {
    this.#starting ??= this.#start();
    return this.#isReady ? Promise.resolve(true) : this.#starting;
  }

  async #start(): Promise<boolean> {
    const opened = this.#open();
    try {
      await within(START_LIMIT_MS, opened);
    } catch {
      // `isUnavailable` reports it. The cause is a policy, a dialog or an old browser.
      this.#hasFailed = true;
    }
    return this.#isReady;
  }

  async #open(): Promise<void> {
    const context = new OfflineAudioContext(1, 1, 48_000);
    await StretchNode.open(context, { channels: 1, limitMs: 20 * START_LIMIT_MS });
    this.#isReady = true;
  }
}

/** The name under which the module registers itself. */
const PROCESSOR = "signalsmith-stretch";

/** The part of the buffers to play. All times are in seconds. */
interface StretchSchedule {
  readonly output: number;
  readonly input: number;
  /** Input seconds per output second. */
  readonly rate: number;
}

/** The module's node in an audio context. It plays buffers at another tempo and the same pitch. */
export class StretchNode {
  readonly node: AudioWorkletNode;
  readonly #ready: Promise<void>;
  readonly #answers = new Map<number, () => void>();
  #lastId = 0;

  /**
   * Loads the module into the context.
   * @param limitMs some policies leave the module's promises unsettled, without any error
   * @throws {Error} if the browser or a policy doesn't allow it, or not within that time
   */
  static async open(
    context: OfflineAudioContext,
    { channels, limitMs }: { readonly channels: number; readonly limitMs: number },
  ): Promise<StretchNode> {
    // Pages that aren't served by this computer or over HTTPS have no worklets.
    const worklet: AudioWorklet | undefined = context.audioWorklet;
    if (worklet === undefined) throw new Error("This page can't use audio worklets.");
    await within(limitMs, worklet.addModule(STRETCH_PATH));
    const stretch = new StretchNode(context, channels);
    await within(limitMs, stretch.#ready);
    return stretch;
  }

  private constructor(context: OfflineAudioContext, channels: number) {
    this.node = new AudioWorkletNode(context, PROCESSOR, {
      // Without an input, the module stops without an error while it is not active.
      numberOfInputs: 1,
      numberOfOutputs: 1,
      outputChannelCount: [channels],
    });
    const { port } = this.node;
    this.#ready = new Promise((resolve, reject) => {
      this.node.addEventListener("processorerror", () =>
        reject(new Error("The stretching module failed.")),
      );
      port.addEventListener("message", ({ data }: MessageEvent<readonly unknown[]>) => {
        const [id] = data;
        if (id === "ready") resolve();
        if (typeof id === "number") this.#answers.get(id)?.();
      });
    });
    port.start();
  }

  configure(settings: StretchSettings): Promise<void> {
    return this.#ask("configure", settings);
  }

  /** Appends input, one array per channel. */
  addBuffers(channels: readonly Float32Array[]): Promise<void> {
    return this.#ask("addBuffers", channels);
  }

  schedule(schedule: StretchSchedule): Promise<void> {
    return this.#ask("schedule", { active: true, ...schedule });
  }

  #ask(method: string, argument: unknown): Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<void>((resolve) => {
      this.#answers.set(id, resolve);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port to a worklet, which has no origin
    this.node.port.postMessage([id, method, argument]);
    return answered;
  }
}

/** Settles like the promise, if that settles within the time limit. @throws {Error} otherwise */
async function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not ready within ${limitMs} ms.`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
