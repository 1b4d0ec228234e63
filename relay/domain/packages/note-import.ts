import type { PackageStatus } from "../../../core/protocol/package-status.ts";
import { type Context, DAY_MS } from "../context.ts";

/** Remembers the day of an import, if the store can: that is what proves a device (rule L7). */
export async function noteImport(
  { pairings, clock }: Context,
  deviceId: string,
  status: PackageStatus,
): Promise<void> {
  if (status !== "imported" && status !== "partial") return;
  await pairings.noteImport?.(deviceId, Math.floor(clock.provenNow() / DAY_MS));
}
