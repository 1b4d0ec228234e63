import type { Notice } from "../storage/records/notices.ts";
import { statement } from "../storage/records/statement.ts";
import type { OutboxConnections } from "../storage/postgres/connections.ts";
import { noticesOf } from "../storage/postgres/transaction.ts";
import type { NotifierTiming } from "./timing.ts";

/** The channel that the processes of one database share. A payload is the sender's `writer`. */
export const CHANNEL = "soundferry";
/** Maximum number of rows that wait while the database is away. More become one notice of missed ones. */
const MOST_WAITING = 10_000;

const SEND_NOTIFY = statement(
  "send_notify",
  `SELECT pg_notify('${CHANNEL}', :payload)`,
  "postgres",
);

/** Sends a NOTIFY in a separate transaction. */
export async function sendNotify(connections: OutboxConnections, payload: string): Promise<void> {
  await connections.write(SEND_NOTIFY({ payload }));
}

/** Writes the rows that no transaction wrote, and wakes the other processes; both in batches. */
export class OutboxSender implements AsyncDisposable {
  readonly #connections: OutboxConnections;
  readonly #timing: NotifierTiming;
  #waiting: Notice[] = [];
  #isDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #hasEnded = false;

  constructor(connections: OutboxConnections, timing: NotifierTiming) {
    this.#connections = connections;
    this.#timing = timing;
  }

  /** Writes a notice that no row of this process has yet. */
  write(notice: Notice): void {
    if (this.#waiting.length >= MOST_WAITING) this.#waiting = [{ topic: "missed" }];
    this.#waiting.push(notice);
    this.wake();
  }

  /** Wakes the other processes, because a row of this process can be read. */
  wake(): void {
    this.#isDue = true;
    this.#sendIn(this.#timing.batchMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    await this.#sending;
    if (this.#isDue) await this.#send().catch(() => undefined);
  }

  #sendIn(ms: number): void {
    if (this.#hasEnded || this.#timer !== undefined || this.#sending !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      let nextMs = this.#timing.batchMs;
      this.#sending = this.#send()
        .catch(() => void (nextMs = this.#timing.pollMs))
        .finally(() => {
          this.#sending = undefined;
          if (this.#isDue) this.#sendIn(nextMs);
        });
    }, ms);
    this.#timer.unref();
  }

  /** Sends the waiting rows. Rows that can't be sent stay for the next time; the connections report the trouble. */
  async #send(): Promise<void> {
    const { outbox } = this.#connections;
    const rows = this.#waiting;
    this.#waiting = [];
    this.#isDue = false;
    try {
      if (rows.length > 0) {
        await this.#connections.write(noticesOf(outbox.writer, rows));
      }
    } catch (error) {
      for (const row of rows.concat(this.#waiting.splice(0))) this.write(row);
      throw error;
    }
    // Processes that don't get it look regularly.
    if (outbox.hasOthers) await sendNotify(this.#connections, outbox.writer);
  }
}
