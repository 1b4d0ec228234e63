import type { DeviceChange, RecordStore, Unpairing } from "../../../relay/domain/ports.ts";

/** A change of the records that a relay's own calls did not make. */
export type Change =
  | { readonly unpair: Unpairing; readonly now: number }
  | { readonly removeDevice: string }
  | ({ readonly changeDevice: string } & DeviceChange)
  | { readonly removePackage: string };

/** Makes a change in a store. */
export async function applyChange(
  { pairings, packages }: RecordStore,
  change: Change,
): Promise<unknown> {
  if ("unpair" in change) return pairings.unpair(change.unpair, change.now);
  if ("removeDevice" in change) return pairings.removeDevice(change.removeDevice);
  if ("changeDevice" in change) return pairings.changeDevice(change.changeDevice, change);
  const record = await packages.find(change.removePackage);
  return packages.remove(change.removePackage, record?.version ?? 0);
}
