import { type Bookmark, OUTBOX_KEPT_MS, sweepOutbox } from "../storage/postgres/outbox-reads.ts";
import type { OutboxConnections } from "../storage/postgres/connections.ts";
import { SWEEP_TURNS } from "../storage/postgres/turn-statements.ts";
import type { NotifierTiming } from "./timing.ts";

/** Maximum number of steps of a sweep. The rest is left to the next one. */
const STEPS = 50;

/** Deletes rows that everyone could read for a minute, and turns that nobody has taken for a while. */
export class OutboxSweeper implements AsyncDisposable {
  readonly #connections: OutboxConnections;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Transactions that had ended by the sweeps of the last minute, the oldest first. */
  #ended: readonly Pick<Bookmark, "xmin" | "at">[] = [];
  #last: Bookmark | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(connections: OutboxConnections, { sweepMs }: Pick<NotifierTiming, "sweepMs">) {
    this.#connections = connections;
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.#sweep().finally(() => (this.#sweeping = undefined));
    }, sweepMs);
    this.#timer.unref();
  }

  /** Notes a reader's bookmark. */
  note(bookmark: Bookmark): void {
    if (bookmark.server !== this.#last?.server) this.#ended = [];
    this.#last = bookmark;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const last = this.#last;
    if (last === undefined) return;
    const { xmin, at } = last;
    const isOld = (each: Pick<Bookmark, "at">) => each.at <= at - OUTBOX_KEPT_MS;
    const old = this.#ended.findLast(isOld);
    this.#ended = [...this.#ended.filter((each) => each === old || !isOld(each)), { xmin, at }];
    if (old === undefined) return;
    let steps = 0;
    try {
      while ((await sweepOutbox(this.#connections, old.xmin)) && steps < STEPS) steps += 1;
      await this.#connections.write(SWEEP_TURNS());
    } catch {
      // The connections report it, and the next sweep deletes the same.
    }
  }
}
