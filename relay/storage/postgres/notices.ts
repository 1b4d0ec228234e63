import type { PackageRecord } from "../../domain/ports.ts";
import type { Connections } from "./connections.ts";
import type { Notice } from "./outbox.ts";
import type { Statement, Transaction } from "./statement.ts";

/** The connections of one process, and its outbox. */
export type OutboxConnections = Pick<Connections, "outbox" | "read" | "write">;

/** Writes rows for the other processes. `xid` and `written_at` are the database's. */
export const WRITE_NOTICES: Statement = {
  name: "write_notices",
  text: `INSERT INTO outbox (writer, topic, notification)
    SELECT $1, topic, notification::jsonb FROM unnest($2::text[], $3::text[]) AS told (topic, notification)`,
};

/** Returns the values of `WRITE_NOTICES`. Repeats are merged. */
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

const PACKAGES_CHANGED = { type: "packages.changed" } as const;

/**
 * Tells the other processes of a change, as part of its transaction: they hear it if and only if the change is
 * committed, even if this process ends right after that. Waits for no answer: if the statement fails, the transaction
 * does. It never sends NOTIFY: that would make all writers of the database wait for each other.
 */
export function sendNotices(tx: Transaction, notices: readonly Notice[]): void {
  if (notices.length === 0) return;
  tx.send(WRITE_NOTICES, noticeValues(tx.outbox.writer, notices));
  tx.onCommitted(() => tx.outbox.told(notices));
}

/** Returns the notices that use cases send after a package changed. */
export function packageNotices({
  packageId,
  deviceId,
}: Pick<PackageRecord, "packageId" | "deviceId">): readonly Notice[] {
  return [
    { topic: `package:${packageId}`, notification: PACKAGES_CHANGED },
    { topic: `device:${deviceId}`, notification: PACKAGES_CHANGED },
  ];
}
