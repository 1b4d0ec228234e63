import type { ClientError } from "../wire/client-error.ts";
import { type Pace, type RetryOptions, retrying } from "../wire/retry.ts";
import type { RelayCalls } from "./relay-calls.ts";
import type { SendOptions, SendProgress, SendState } from "./send-options.ts";
import type { HashSettings } from "./sound-bytes.ts";
import type { SoundName } from "./sound-names.ts";

/** An upload window, after which a package must be announced again. */
const GIVE_UP_AFTER_MS = 60 * 60_000;
/** Time for which a package is kept, and for which its relay may be unreachable. */
export const KEPT_FOR_MS = 24 * 60 * 60_000;

/** Dependencies that every `send` of a client shares. */
export interface SendDeps {
  readonly calls: RelayCalls;
  readonly pace: Pace;
  readonly hashSettings: HashSettings;
}

/** One run of `send`: its options, its retries and the state that it reports. */
export class SendRun {
  readonly calls: RelayCalls;
  readonly hashSettings: HashSettings;
  readonly options: SendOptions;
  readonly #pace: Pace;
  #phase: SendState | undefined;
  #reported: SendState | undefined;
  #runningCalls = 0;
  #waitingCalls = 0;

  constructor({ calls, pace, hashSettings }: SendDeps, options: SendOptions) {
    this.calls = calls;
    this.hashSettings = hashSettings;
    this.options = options;
    this.#pace = pace;
  }

  /** Begins a phase and reports it. */
  enter(phase: SendState): void {
    this.#phase = phase;
    this.#report(phase);
  }

  /** Ends `paused`, because a call makes progress. */
  progressed(): void {
    this.#report(this.#phase);
  }

  /**
   * Retries a call while that can help. Reports `paused` from when all calls wait until one of them makes progress.
   * @param signal default: the one of the options
   * @throws {ClientError} as `retrying`
   */
  async retry<Result>(
    act: (moved: () => void) => Promise<Result>,
    signal: AbortSignal | undefined = this.options.signal,
  ): Promise<Result> {
    const { onRetry, keep, giveUpAfterMs } = this.options;
    const policy: RetryOptions = {
      ...this.#pace,
      signal,
      giveUpAfterMs: giveUpAfterMs ?? ((keep ?? false) !== false ? KEPT_FOR_MS : GIVE_UP_AFTER_MS),
      onRetry: (error, waitSeconds) => {
        this.#waitingCalls += 1;
        if (this.#waitingCalls === this.#runningCalls) this.#report("paused", error);
        onRetry?.(error, waitSeconds);
      },
      onTry: () => {
        this.#waitingCalls -= 1;
      },
    };
    this.#runningCalls += 1;
    try {
      const result = await retrying(policy, act);
      this.progressed();
      return result;
    } finally {
      this.#runningCalls -= 1;
    }
  }

  #report(state: SendState | undefined, error?: ClientError): void {
    if (state === undefined || state === this.#reported) return;
    this.#reported = state;
    this.options.onState?.(state, error);
  }
}

/**
 * Sums the progress of all sounds.
 * @param names of the sounds, by their names on the relay
 * @param sizes bytes of each sound, by its name on the relay
 * @returns a function to call with the number of a sound's bytes that are done
 */
export function countBytes(
  phase: SendProgress["phase"],
  names: ReadonlyMap<string, SoundName>,
  sizes: ReadonlyMap<string, number>,
  onProgress: ((progress: SendProgress) => void) | undefined,
): (file: string, fileBytes: number) => void {
  const totalBytes = sumOf(sizes.values());
  const done = new Map<string, number>();
  return (file, fileBytes) => {
    done.set(file, fileBytes);
    const { sound: id = "", name = file } = names.get(file) ?? {};
    onProgress?.({ phase, id, name, file, fileBytes, doneBytes: sumOf(done.values()), totalBytes });
  };
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
