import type { ClientError } from "./client-error.ts";
import type { SendOptions, SendState } from "./send-options.ts";

/** Reports what a send is doing: `paused` only while all of its calls wait. */
export class SendStates {
  readonly #onState: SendOptions["onState"];
  #phase: SendState | undefined;
  #reported: SendState | undefined;
  #calls = 0;
  #waiting = 0;

  constructor(onState: SendOptions["onState"]) {
    this.#onState = onState;
  }

  enter(phase: SendState): void {
    this.#phase = phase;
    this.#report(phase);
  }

  /** Counts a call while it runs and while it waits for its next attempt. */
  async during<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#calls += 1;
    try {
      return await act();
    } finally {
      this.#calls -= 1;
    }
  }

  waits(error: ClientError): void {
    this.#waiting += 1;
    if (this.#waiting === this.#calls) this.#report("paused", error);
  }

  waited(): void {
    this.#waiting -= 1;
    this.#report(this.#phase);
  }

  #report(state: SendState | undefined, error?: ClientError): void {
    if (state === undefined || state === this.#reported) return;
    this.#reported = state;
    this.#onState?.(state, error);
  }
}
