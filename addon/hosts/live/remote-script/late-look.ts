import { untilAborted } from "../../../timers.ts";
import type { PlacedSound } from "../../../../core/report/placed-sound.ts";
import type { SurfaceClient } from "./control-surface-client.ts";
import { SurfaceError, UnreachableError } from "./control-surface-error.ts";
import { type OutcomeMessage, readOutcome } from "./outcome-message.ts";

export interface LateLookDeps {
  /** The run's id at the control surface. */
  readonly run: string;
  /** Returns the open connection to the control surface that placed the run, for all looks; undefined if it is gone. */
  readonly connect: () => Promise<SurfaceClient | undefined>;
  /** Turns what Live holds into results, as for the answer to `place`. */
  readonly read: (outcome: OutcomeMessage) => Promise<readonly PlacedSound[]>;
  /** Waits between two attempts to connect. */
  readonly pause: (ms: number) => Promise<void>;
}

const RECONNECT_PAUSE_MS = 500;
const RECONNECTS = 6;

/** The looks at a finished placement, which the control surface takes when Live's analysis may have ended (rule H24). */
export class LateLook {
  readonly #deps: LateLookDeps;

  constructor(deps: LateLookDeps) {
    this.#deps = deps;
  }

  /**
   * Returns what Live holds at each look. Ends after the last one, and once Live or the Set is closed.
   * @throws {unknown} the signal's reason
   */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly PlacedSound[], void, undefined> {
    const { read, pause } = this.#deps;
    for (let failures = 0; failures < RECONNECTS;) {
      const answer = await this.#look(signal);
      if (answer === "gone") return;
      if (answer === "lost") {
        failures += 1;
        await untilAborted(pause(RECONNECT_PAUSE_MS), signal);
        continue;
      }
      failures = 0;
      yield await read(readOutcome(answer));
      if (answer["more"] !== true) return;
    }
  }

  /** Waits for the next look. */
  async #look(signal: AbortSignal) {
    signal.throwIfAborted();
    const client = await this.#deps.connect();
    if (client === undefined) return "lost";
    try {
      return await untilAborted(client.request("watch", { run: this.#deps.run }), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SurfaceError) return "gone";
      if (error instanceof UnreachableError) return "lost";
      throw error;
    }
  }
}
