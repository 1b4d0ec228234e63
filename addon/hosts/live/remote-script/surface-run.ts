import type { JsonObject } from "../../../../core/text/json-object.ts";
import type { SurfaceClient } from "./control-surface-client.ts";
import { isUnreachable, SurfaceError, UnreachableError } from "./control-surface-error.ts";
import { readLook, readOutcome, type LookMessage, type OutcomeMessage } from "./outcome-message.ts";
import type { PlaceMessage } from "./plan-request.ts";

export interface SurfaceRunDeps {
  /** Connects again; a connection proves that Live still answers. @throws {UnreachableError} */
  readonly reconnect: () => Promise<SurfaceClient>;
  /** Waits between two attempts to connect. */
  readonly pause: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (placed: number, total: number, soundId?: string) => void;
}

/** The end of a run: its outcome, or unknown because Live or its Set is gone. */
export type RunEnding =
  | { readonly kind: "placed"; readonly outcome: OutcomeMessage }
  /** `look` describes the Set that is open now; it is undefined where Live doesn't answer. */
  | { readonly kind: "unknown"; readonly look: LookMessage | undefined };

const RECONNECT_PAUSE_MS = 500;
const RECONNECTS = 6;
const BUSY_PAUSE_MS = 500;
const BUSY_WAITS = 120;

/**
 * One run at the control surface. If the connection is lost, the run continues in Live and is joined again by its id.
 */
export class SurfaceRun {
  readonly #deps: SurfaceRunDeps;
  readonly #first: SurfaceClient;
  #client: SurfaceClient;
  #placed = 0;

  constructor(client: SurfaceClient, deps: SurfaceRunDeps) {
    this.#first = client;
    this.#client = client;
    this.#deps = deps;
  }

  /**
   * Places a layout, or joins the run with its id.
   * @throws {SurfaceError} when it failed or was canceled; its `stays` name what couldn't be removed
   */
  async place(message: PlaceMessage): Promise<RunEnding> {
    for (let busy = 0; ;) {
      try {
        return { kind: "placed", outcome: await this.#ask(message) };
      } catch (error) {
        if (isWorthWaiting(error) && busy < BUSY_WAITS && !this.#deps.signal.aborted) {
          busy += 1;
          await this.#deps.pause(BUSY_PAUSE_MS);
        } else if (isUnreachable(error, "lost")) {
          const lost = await this.#rejoin(message);
          if (lost !== undefined) return lost;
        } else {
          throw error;
        }
      }
    }
  }

  /** Returns the Set's tempo in BPM; null where Live doesn't tell. */
  async readTempo(): Promise<number | null> {
    try {
      return readLook(await this.#client.request("look")).tempo;
    } catch (error) {
      if (error instanceof UnreachableError) return null;
      throw error;
    }
  }

  close(): void {
    this.#client.close();
  }

  async #ask(message: PlaceMessage): Promise<OutcomeMessage> {
    const { signal } = this.#deps;
    const client = this.#client;
    const follow = ({ placed }: JsonObject) => {
      if (typeof placed === "number") this.#reportUpTo(placed, message.tracks, message);
    };
    const placing = client.request("place", message, follow);
    placing.catch(() => undefined);
    let canceling: Promise<unknown> | undefined;
    const cancel = () => {
      canceling ??= client.request("cancel", { run: message.run });
      canceling.catch(() => undefined);
    };
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const outcome = readOutcome(await placing);
      const skipped = new Set(outcome.tracks.flatMap((each) => (each.skipped ? each.sound : [])));
      const made = message.tracks.filter(({ sound }) => !skipped.has(sound));
      this.#reportUpTo(made.length, made, message);
      // The run may have ended before the cancel arrived: then the answer to the cancel says what it removed.
      await canceling?.catch(throwIfCanceled);
      return outcome;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /**
   * Connects again after the connection was lost.
   * @returns undefined where the run can be requested again
   */
  async #rejoin(message: PlaceMessage): Promise<RunEnding | undefined> {
    try {
      this.#client = await this.#connectAgain();
      const look = readLook(await this.#client.request("look", { run: message.run }));
      const isKnown = look.running === message.run || look.outcome !== null;
      if (isKnown) return undefined;
      // Another start of the control surface: Live or the Set was closed, and the run with it.
      if (this.#client.secret !== this.#first.secret) return { kind: "unknown", look };
      if (this.#deps.signal.aborted) throw new SurfaceError("cancelled", "");
      return undefined;
    } catch (error) {
      if (isUnreachable(error, "lost")) return this.#rejoin(message);
      if (error instanceof UnreachableError) return { kind: "unknown", look: undefined };
      throw error;
    }
  }

  async #connectAgain(): Promise<SurfaceClient> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#deps.reconnect();
      } catch (error) {
        if (attempt === RECONNECTS || !(error instanceof UnreachableError)) throw error;
        await this.#deps.pause(RECONNECT_PAUSE_MS);
      }
    }
  }

  /** Reports each sound once, even if a message skips some or is repeated. */
  #reportUpTo(
    placed: number,
    made: PlaceMessage["tracks"],
    { tracks: { length: total } }: PlaceMessage,
  ): void {
    while (this.#placed < Math.min(placed, made.length)) {
      const soundId = made[this.#placed]?.sound;
      this.#placed += 1;
      this.#deps.onProgress(this.#placed, total, soundId);
    }
  }
}

/** Checks whether another run is active, or an earlier request is just removing the same run. */
function isWorthWaiting(error: unknown): boolean {
  return error instanceof SurfaceError && (error.code === "busy" || isCanceled(error));
}

function isCanceled(error: unknown): error is SurfaceError {
  return error instanceof SurfaceError && error.code === "cancelled" && error.stays.length === 0;
}

/** Throws the answer to a cancel that removed the run; any other answer leaves the outcome unchanged. */
function throwIfCanceled(error: unknown): void {
  if (!(error instanceof SurfaceError) || error.code === "cancelled") throw error;
}
