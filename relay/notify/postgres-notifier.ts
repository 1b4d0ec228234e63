import type { Listener, Notification, Notifier, Topic } from "../domain/ports.ts";
import type { HeardNotice } from "../storage/postgres/outbox-reads.ts";
import type { Notice } from "../storage/records/notices.ts";
import type { OutboxConnections } from "../storage/postgres/connections.ts";
import { MemoryNotifier } from "./memory-notifier.ts";
import { OutboxFollower } from "./outbox-follower.ts";
import { OutboxSender, sendNotify } from "./outbox-sender.ts";
import { OutboxSweeper } from "./outbox-sweeper.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { type NotifierTiming, TIMING } from "./timing.ts";

interface PostgresNotifierOptions {
  /** Called with a listener's error. */
  readonly onError: (error: unknown) => void;
  /** Called with each change of `trouble`; with undefined when all is well again. */
  readonly onTrouble?: (trouble: string | undefined) => void;
  /** Called when another process changed a token, a device, or a decision of the operator. */
  readonly onStoreChanged?: () => void;
  readonly timing?: Partial<NotifierTiming>;
}

/**
 * Notifies the listeners of all processes on one PostgreSQL (rules SC7 to SC9): in this process at once, and in the
 * others by rows of the outbox, which they read when a NOTIFY arrives, and regularly.
 */
export class PostgresNotifier implements Notifier, AsyncDisposable {
  readonly #here: MemoryNotifier;
  readonly #told = new ToldNotices();
  readonly #connections: OutboxConnections;
  readonly #onStoreChanged: () => void;
  readonly #sender: OutboxSender;
  readonly #follower: OutboxFollower;
  readonly #listener: PostgresListener;
  readonly #sweeper: OutboxSweeper;
  readonly #stopTold: () => void;

  constructor(
    connections: OutboxConnections & { readonly listenUrl: string },
    { onError, onTrouble, onStoreChanged, timing: given }: PostgresNotifierOptions,
  ) {
    const timing = { ...TIMING, ...given };
    const { outbox, listenUrl: url } = connections;
    this.#connections = connections;
    this.#here = new MemoryNotifier(onError);
    this.#onStoreChanged = onStoreChanged ?? (() => undefined);
    this.#sender = new OutboxSender(connections, timing);
    this.#sweeper = new OutboxSweeper(connections, timing);
    this.#listener = new PostgresListener({
      url,
      timing,
      writer: outbox.writer,
      notify: (payload) => sendNotify(connections, payload),
      onNotified: () => this.#follower.hurry(),
      onTrouble: onTrouble ?? (() => undefined),
      onLost: () => this.#missed(),
    });
    this.#follower = new OutboxFollower({
      connections,
      timing,
      isListening: () => this.#listener.isListening,
      onHeard: (notices) => this.#heard(notices),
      onMissed: () => this.#missed(),
      onRead: (bookmark) => this.#sweeper.note(bookmark),
    });
    this.#stopTold = outbox.told.add((notices) => {
      this.#told.add(notices);
      this.#sender.wake();
    });
  }

  /** Starts to listen. Resolves when no later notice of another process can be lost. */
  async start(): Promise<void> {
    await this.#follower.start();
    this.#listener.start();
  }

  /** Reason why notifications are late, and advice, as a sentence for the operator; undefined while all is well. */
  get trouble(): string | undefined {
    return this.#listener.trouble;
  }

  /** True if NOTIFY reaches this process. Until it does, the process asks the database regularly. */
  get isListening(): boolean {
    return this.#listener.isListening;
  }

  async notify(topic: Topic, notification: Notification): Promise<void> {
    const isTold = this.#told.take(topic, notification);
    await this.#here.notify(topic, notification);
    if (!isTold) this.#sender.write({ topic, notification });
  }

  listen(topic: Topic, listener: Listener): () => void {
    return this.#here.listen(topic, listener);
  }

  missed(): void {
    this.#here.missed();
  }

  /** Sends the waiting rows, and ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopTold();
    await this.#listener[Symbol.asyncDispose]();
    await this.#follower[Symbol.asyncDispose]();
    await this.#sweeper[Symbol.asyncDispose]();
    await this.#sender[Symbol.asyncDispose]();
  }

  #heard(notices: readonly HeardNotice[]): void {
    const topics = new Set<HeardNotice["topic"]>(notices.map(({ topic }) => topic));
    if (topics.has("missed")) return this.#missed();
    if (topics.has("turns")) this.#connections.outbox.turnsAsked.call();
    // First, so that listeners that look again see it.
    if (topics.has("store")) this.#onStoreChanged();
    for (const notice of notices) {
      if (notice.notification !== null) {
        void this.#here.notify(notice.topic, notice.notification);
      }
    }
  }

  #missed(): void {
    this.#connections.outbox.turnsAsked.call();
    this.#onStoreChanged();
    this.#here.missed();
  }
}

/** Time for which a notice is kept. A use case notifies at once, so later ones must not be suppressed. */
const KEPT_MS = 1_000;

/** The notices that transactions of this process have just written, so that `notify` needs no row for them. */
class ToldNotices {
  readonly #endsAt = new Map<string, number>();

  add(notices: readonly Notice[]): void {
    const now = performance.now();
    // The oldest come first.
    for (const [name, endsAt] of this.#endsAt) {
      if (endsAt > now) break;
      this.#endsAt.delete(name);
    }
    for (const { topic, notification } of notices) {
      if (notification === undefined) continue;
      const name = nameOf(topic, notification);
      this.#endsAt.delete(name);
      this.#endsAt.set(name, now + KEPT_MS);
    }
  }

  /** Checks whether a transaction has just written that notice. Returns true once. */
  take(topic: Topic, notification: Notification): boolean {
    const name = nameOf(topic, notification);
    const endsAt = this.#endsAt.get(name);
    this.#endsAt.delete(name);
    return endsAt !== undefined && performance.now() < endsAt;
  }
}

function nameOf(topic: string, { type }: Notification): string {
  return `${topic} ${type}`;
}
