import type { Connections } from "./connections.ts";
import { statement } from "./statement.ts";

const BEAT_MS = 10_000;
/** A process that was not seen for so long is missed. */
const MISSED_AFTER_MS = 60_000;
/** One that isn't back so long after it was missed is gone: after an outage every process is late. */
const GONE_AFTER_MS = 30_000;
/** The row of a process that is gone may still be asked for. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** Clocks of processes differ by less. A sweep that has begun must not meet a key that it didn't list. */
const MARGIN_MS = 10_000;

const BEAT = statement(
  "beat",
  `INSERT INTO processes (id, seen_at) VALUES ($1, clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, missed_at = NULL`,
);
const MISS = statement(
  "miss_processes",
  `UPDATE processes SET missed_at = clock_timestamp() WHERE id IN (
     SELECT id FROM processes WHERE missed_at IS NULL
       AND seen_at < clock_timestamp() - interval '${MISSED_AFTER_MS} milliseconds'
     ORDER BY id FOR UPDATE SKIP LOCKED)`,
);
const END_KEYS = statement(
  "end_keys_of_gone",
  `UPDATE sound_keys SET writer = NULL,
     ends_at = least(ends_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${MARGIN_MS})
   WHERE key IN (
     SELECT key FROM sound_keys WHERE state = 'pending' AND writer IN (
       SELECT id FROM processes
         WHERE missed_at < clock_timestamp() - interval '${GONE_AFTER_MS} milliseconds')
     ORDER BY key FOR UPDATE SKIP LOCKED)`,
);
const FORGET = statement(
  "forget_processes",
  `DELETE FROM processes WHERE id IN (
     SELECT id FROM processes
       WHERE missed_at < clock_timestamp() - interval '${FORGOTTEN_AFTER_MS} milliseconds'
         AND NOT EXISTS (SELECT 1 FROM sound_keys WHERE state = 'pending' AND writer = processes.id)
       ORDER BY id FOR UPDATE SKIP LOCKED)`,
);

/** Tells the other processes that this one is there, and ends the pending keys of those that are gone (rule SC24). */
export class Heartbeat implements Disposable {
  readonly #connections: Connections;
  readonly #timer: ReturnType<typeof setInterval>;
  #isBeating = false;

  private constructor(connections: Connections) {
    this.#connections = connections;
    this.#timer = setInterval(() => void this.#tick(), BEAT_MS).unref();
  }

  /** Has its first beat before it returns. */
  static async start(connections: Connections): Promise<Heartbeat> {
    await connections.write(BEAT, [connections.outbox.writer]);
    return new Heartbeat(connections);
  }

  /** One beat. */
  async beat(): Promise<void> {
    const { outbox } = this.#connections;
    await this.#connections.write(BEAT, [outbox.writer]);
    await this.#connections.write(MISS);
    await this.#connections.write(END_KEYS);
    await this.#connections.write(FORGET);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #tick(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    // The connections report what fails, and the next beat tries again.
    await this.beat().catch(() => undefined);
    this.#isBeating = false;
  }
}
