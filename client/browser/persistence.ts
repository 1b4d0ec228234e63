import type { Pace } from "../wire/client-settings.ts";
import { retrying } from "../wire/retry.ts";
import type { SendOptions } from "../send/send-options.ts";
import { SendStates } from "../send/send-states.ts";

/** An upload window: after it a package must be announced again. */
const GIVE_UP_AFTER_MS = 60 * 60_000;
/** How long a kept package is kept, and for how long its relay may be out of reach. */
export const KEPT_FOR_MS = 24 * 60 * 60_000;

/** Makes the calls of one send: retries them, and says what it is doing. */
export class Persistence {
  readonly states: SendStates;
  readonly #pace: Pace;
  readonly #options: SendOptions;

  constructor(pace: Pace, options: SendOptions) {
    this.states = new SendStates(options.onState);
    this.#pace = pace;
    this.#options = options;
  }

  /**
   * Retries a call while that can help.
   * @param signal default: the one of the send
   * @throws {ClientError} as `retrying`
   */
  call<Result>(
    act: (moved: () => void) => Promise<Result>,
    signal: AbortSignal | undefined = this.#options.signal,
  ): Promise<Result> {
    const { onRetry, keep, giveUpAfterMs } = this.#options;
    const { states } = this;
    return states.during(() =>
      retrying(
        {
          ...this.#pace,
          signal,
          giveUpAfterMs: giveUpAfterMs ?? (keep === true ? KEPT_FOR_MS : GIVE_UP_AFTER_MS),
          onRetry: (error, waitSeconds) => {
            states.waits(error);
            onRetry?.(error, waitSeconds);
          },
          onTry: () => states.waited(),
        },
        act,
      ),
    );
  }
}
