import type { Notification, Topic } from "../domain/ports.ts";
import type { Notice } from "../storage/postgres/outbox.ts";

/** A use case notifies right after its transaction. What it leaves out for longer must not count as a later change. */
const KEPT_MS = 1_000;

/** What the transactions of this process have just written, so that `notify` needs no row of its own for it. */
export class ToldNotices {
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

  /** Whether a transaction has just told that. It says so once. */
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
