import { randomUUID } from "node:crypto";
import type { Notification, Topic } from "../../domain/ports.ts";

/**
 * What other processes hear. `store` is for what each of them must see at once: a removed token or device, a
 * decision of the operator. `turns` is for those who hold the turn of a partial.
 */
export interface Notice {
  readonly topic: Topic | "store" | "turns";
  readonly notification?: Notification;
}

/** What `tell` needs of a transaction. */
export interface TellingTransaction {
  /** Its connections' outbox. */
  readonly outbox: Outbox;
  query(
    statement: { readonly name: string; readonly text: string },
    values?: readonly unknown[],
  ): Promise<unknown>;
  /** Calls `act` after the transaction was committed, or may have been; never after a rollback. */
  onCommitted(act: () => void): void;
}

/** What this process has written into the table `outbox`. Each `Connections` has one. */
export class Outbox {
  /** Names the process that wrote a row, so that it can pass over its own. */
  readonly writer = randomUUID();
  readonly #listeners = new Set<(notices: readonly Notice[]) => void>();

  /** Calls `listener` after each transaction that wrote notices. Returns a function that stops it. */
  onTold(listener: (notices: readonly Notice[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  told(notices: readonly Notice[]): void {
    for (const listener of this.#listeners) listener(notices);
  }
}

/** Writes rows for the other processes. `xid` and `written_at` are the database's. */
export const WRITE_NOTICES = {
  name: "write_notices",
  text: `INSERT INTO outbox (writer, topic, notification)
    SELECT $1, topic, notification::jsonb FROM unnest($2::text[], $3::text[]) AS told (topic, notification)`,
};

/** The values of `WRITE_NOTICES`. Repeats are merged. */
export function noticeValues(writer: string, notices: readonly Notice[]): readonly unknown[] {
  const rows = new Map(
    notices.map(({ topic, notification }) => {
      const text = notification === undefined ? null : JSON.stringify(notification);
      return [`${topic} ${text}`, { topic, text }];
    }),
  );
  const all = [...rows.values()];
  return [writer, all.map(({ topic }) => topic), all.map(({ text }) => text)];
}

/**
 * Tells the other processes of a change, as part of its transaction: they hear it if and only if the change is
 * committed, even if this process ends right after that. One statement. It never sends NOTIFY: that would make all
 * writers of the database wait for each other.
 */
export async function tell(tx: TellingTransaction, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const { outbox } = tx;
  await tx.query(WRITE_NOTICES, noticeValues(outbox.writer, notices));
  tx.onCommitted(() => outbox.told(notices));
}
