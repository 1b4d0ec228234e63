import type { PanelState } from "../../../core/protocol/panel-api.ts";
import type { LinesListener } from "../../kit/follow-lines.ts";

/** The remaining times in the state are brought up to date this often. */
const STATE_EVERY_MS = 15_000;

/** The listeners of a browser's importer. Many changes in one turn become one state. */
export class StateFollowers {
  readonly #state: () => PanelState | undefined;
  readonly #followers = new Set<() => void>();

  /** @param state returns the state; undefined while this tab doesn't receive */
  constructor(state: () => PanelState | undefined) {
    this.#state = state;
  }

  /** Shows a change. */
  show(): void {
    for (const show of this.#followers) show();
  }

  /** Calls the listener with the state, now and after each change, until the signal aborts. */
  async follow({ onState, onLink }: LinesListener<PanelState>, signal: AbortSignal): Promise<void> {
    let isPlanned = false;
    const showSoon = (): void => {
      if (isPlanned) return;
      isPlanned = true;
      queueMicrotask(() => {
        isPlanned = false;
        const state = this.#state();
        if (signal.aborted || state === undefined) return;
        onLink("live");
        onState(state);
      });
    };
    this.#followers.add(showSoon);
    const timer = setInterval(showSoon, STATE_EVERY_MS);
    showSoon();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    clearInterval(timer);
    this.#followers.delete(showSoon);
  }
}
