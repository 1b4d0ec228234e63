import type { Connections } from "./connections.ts";
import { statement } from "../records/statement.ts";

const BEAT_MS = 10_000;
/** Time after which a process that was not seen is missed. */
const MISSED_AFTER_MS = 60_000;
/** Time after which a missed process is gone: after an outage every process is late. */
const GONE_AFTER_MS = 30_000;
/** Time after which the row of a missing process is deleted. Until then it may still be asked for. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** Margin for the clocks of processes. A running sweep must not meet a key that it didn't list. */
const MARGIN_MS = 10_000;

const BEAT = statement<{ readonly has_others: boolean }>(
  "beat",
  `WITH beat AS (
     INSERT INTO processes (id, seen_at) VALUES (:id::uuid, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, missed_at = NULL)
   SELECT EXISTS (SELECT FROM processes WHERE id <> :id::uuid
     AND seen_at > clock_timestamp() - interval '${MISSED_AFTER_MS} milliseconds') AS has_others`,
  "postgres",
);
const MISS = statement(
  "miss_processes",
  `UPDATE processes SET missed_at = clock_timestamp() WHERE id IN (
     SELECT id FROM processes WHERE missed_at IS NULL
       AND seen_at < clock_timestamp() - interval '${MISSED_AFTER_MS} milliseconds'
     ORDER BY id FOR UPDATE SKIP LOCKED)`,
  "postgres",
);
const END_KEYS = statement(
  "end_keys_of_gone",
  `UPDATE sound_keys SET writer = NULL,
     ends_at = least(ends_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${MARGIN_MS})
   WHERE key IN (
     SELECT key FROM sound_keys WHERE state = 'pending' AND writer IN (
       SELECT id::text FROM processes
         WHERE missed_at < clock_timestamp() - interval '${GONE_AFTER_MS} milliseconds')
     ORDER BY key FOR UPDATE SKIP LOCKED)`,
  "postgres",
);
const FORGET = statement(
  "forget_processes",
  `DELETE FROM processes WHERE id IN (
     SELECT id FROM processes
       WHERE missed_at < clock_timestamp() - interval '${FORGOTTEN_AFTER_MS} milliseconds'
         AND NOT EXISTS (SELECT 1 FROM sound_keys WHERE state = 'pending' AND writer = processes.id::text)
       ORDER BY id FOR UPDATE SKIP LOCKED)`,
  "postgres",
);

/** Tells the other processes that this one is running, and ends the pending keys of those that are gone (rule SC24). */
export class Heartbeat implements Disposable {
  readonly #connections: Connections;
  readonly #timer: ReturnType<typeof setInterval>;
  #isBeating = false;

  private constructor(connections: Connections) {
    this.#connections = connections;
    this.#timer = setInterval(() => void this.#tick(), BEAT_MS).unref();
  }

  /** Starts a heartbeat. The first beat is done when this resolves. */
  static async start(connections: Connections): Promise<Heartbeat> {
    const heartbeat = new Heartbeat(connections);
    await heartbeat.#beat();
    return heartbeat;
  }

  /** Beats once. */
  async beat(): Promise<void> {
    await this.#beat();
    for (const tidy of [MISS, END_KEYS, FORGET]) await this.#connections.write(tidy());
  }

  async #beat(): Promise<void> {
    const { outbox } = this.#connections;
    const [row] = await this.#connections.write(BEAT({ id: outbox.writer }));
    outbox.hasOthers = row?.has_others !== false;
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
