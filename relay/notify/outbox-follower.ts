import {
  type Bookmark,
  type HeardNotice,
  readBookmark,
  readOutbox,
} from "../storage/postgres/outbox-reads.ts";
import type { OutboxConnections } from "../storage/postgres/connections.ts";
import { type NotifierTiming, pause } from "./timing.ts";

interface FollowerDeps {
  readonly connections: OutboxConnections;
  readonly timing: NotifierTiming;
  /** Checks whether a NOTIFY would arrive. */
  readonly isListening: () => boolean;
  readonly onHeard: (notices: readonly HeardNotice[]) => void;
  readonly onMissed: () => void;
  readonly onRead: (bookmark: Bookmark) => void;
}

/**
 * Reads the rows that other processes write into the outbox: when it is hurried, and regularly. If the database can't
 * be asked, it asks again until it can, and continues where it stopped.
 */
export class OutboxFollower implements AsyncDisposable {
  readonly #deps: FollowerDeps;
  readonly #ending = new AbortController();
  #hurrying = new AbortController();
  #running: Promise<void> | undefined;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /** Starts to read. Resolves when no later row can be missed. */
  async start(): Promise<void> {
    const bookmark = await readBookmark(this.#deps.connections);
    this.#running = this.#run(bookmark);
  }

  /** Reads soon, because there is something to read. */
  hurry(): void {
    this.#hurrying.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.hurry();
    await this.#running;
  }

  async #run(start: Bookmark): Promise<void> {
    const { timing, isListening } = this.#deps;
    const { signal } = this.#ending;
    let bookmark = start;
    while (!signal.aborted) {
      await pause(isListening() ? timing.lookMs : timing.pollMs, this.#hurrying.signal);
      this.#hurrying = new AbortController();
      if (signal.aborted) return;
      bookmark = await this.#look(bookmark);
      await pause(timing.spacingMs, signal);
    }
  }

  /** Looks once. Returns the next bookmark, which stays the same if the database can't be asked. */
  async #look(before: Bookmark): Promise<Bookmark> {
    const { connections, onHeard, onMissed, onRead } = this.#deps;
    const heard = await readOutbox(connections, before).catch(() => undefined);
    if (heard === undefined || this.#ending.signal.aborted) return before;
    const { bookmark, notices, missedSome } = heard;
    onRead(bookmark);
    if (missedSome) onMissed();
    else if (notices.length > 0) onHeard(notices);
    return bookmark;
  }
}
