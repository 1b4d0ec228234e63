import type { ClientError } from "../wire/client-error.ts";
import type { SendOptions, SendState } from "./send-options.ts";

/** Reports what a send is doing: `paused` from when all of its calls wait until one of them gets further. */
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
      const result = await act();
      this.works();
      return result;
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
  }

  /** A call gets further. */
  works(): void {
    this.#report(this.#phase);
  }

  #report(state: SendState | undefined, error?: ClientError): void {
    if (state === undefined || state === this.#reported) return;
    this.#reported = state;
    this.#onState?.(state, error);
  }
}
