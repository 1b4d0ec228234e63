import type { PackageRecord } from "../../domain/ports.ts";
import type { Transaction } from "./connections.ts";
import { type Notice, noticeValues, WRITE_NOTICES } from "./outbox.ts";

const PACKAGES_CHANGED = { type: "packages.changed" } as const;

/** What `tell` does, without waiting for it: if it fails, the transaction does. */
export function sendNotices(tx: Transaction, notices: readonly Notice[]): void {
  if (notices.length === 0) return;
  tx.send(WRITE_NOTICES, noticeValues(tx.outbox.writer, notices));
  tx.onCommitted(() => tx.outbox.told(notices));
}

/** What use cases notify after a package changed. */
export function packageNotices({
  packageId,
  deviceId,
}: Pick<PackageRecord, "packageId" | "deviceId">): readonly Notice[] {
  return [
    { topic: `package:${packageId}`, notification: PACKAGES_CHANGED },
    { topic: `device:${deviceId}`, notification: PACKAGES_CHANGED },
  ];
}
