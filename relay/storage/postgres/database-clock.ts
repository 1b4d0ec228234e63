import type { RelayClock } from "../../domain/ports.ts";
import type { Connections } from "./connections.ts";
import { statement } from "../records/statement.ts";

const SAMPLE_EVERY_MS = 10_000;
/** Number of samples at the start. The one with the shortest round trip counts. */
const FIRST_SAMPLES = 3;
const NOW = statement<{ readonly now: number }>(
  "clock",
  "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now",
  "postgres",
);

interface Sample {
  /** Offset to add to this process's monotonic clock. */
  readonly offset: number;
  readonly roundTrip: number;
}

/**
 * The database's time (rule SC4). It is asked for every few seconds, corrected by half of the round trip, and
 * continued by this process's monotonic clock. Setting the clock of the process's machine changes nothing. It never
 * goes back: if the database's clock does, this one stands still until that has caught up.
 */
export class DatabaseClock implements RelayClock, Disposable {
  readonly #connections: Pick<Connections, "read">;
  readonly #onTrouble: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  #offset: number;
  #latest = 0;

  private constructor(
    connections: Pick<Connections, "read">,
    offset: number,
    onTrouble: (error: Error) => void,
  ) {
    this.#connections = connections;
    this.#offset = offset;
    this.#onTrouble = onTrouble;
    this.#timer = setInterval(() => void this.#follow(), SAMPLE_EVERY_MS).unref();
  }

  static async start(
    connections: Pick<Connections, "read">,
    onTrouble: (error: Error) => void,
  ): Promise<DatabaseClock> {
    let best = await sample(connections);
    for (let more = 1; more < FIRST_SAMPLES; more++) {
      const next = await sample(connections);
      if (next.roundTrip < best.roundTrip) best = next;
    }
    return new DatabaseClock(connections, best.offset, onTrouble);
  }

  now(): number {
    this.#latest = Math.max(this.#latest, Math.floor(performance.now() + this.#offset));
    return this.#latest;
  }

  confirmedNow(): number {
    return this.now();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #follow(): Promise<void> {
    try {
      const { offset, roundTrip } = await sample(this.#connections);
      // The error is at most half of the round trip, so a slow answer isn't more exact than the known offset.
      if (Math.abs(offset - this.#offset) > roundTrip / 2) this.#offset = offset;
    } catch (error) {
      // Until the database is back, this process's own clock continues.
      this.#onTrouble(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

async function sample(connections: Pick<Connections, "read">): Promise<Sample> {
  const asked = performance.now();
  const [row] = await connections.read(NOW());
  const answered = performance.now();
  if (row === undefined) throw new Error("The database doesn't say what time it is.");
  return { offset: row.now - (asked + answered) / 2, roundTrip: answered - asked };
}
