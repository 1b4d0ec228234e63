import { StretchNode } from "./stretch-node.ts";
import { within } from "./within.ts";

/** After this time, loops are repitched instead (rule V11). */
const START_LIMIT_MS = 3000;

/** The stretching module: loaded when it is first needed, and at most once if it can't start. */
export class StretchModule {
  #starting: Promise<boolean> | undefined;
  #isReady = false;
  #hasFailed = false;

  /** It can't start here, or hasn't within the limit. A late start changes that. */
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
      // Said by `isUnavailable`: a policy, a dialog or an old browser.
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
