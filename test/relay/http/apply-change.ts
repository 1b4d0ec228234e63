import type { RecordStore } from "../../../relay/domain/ports.ts";

/** A change of the records that a relay's own calls did not make. */
export type Change =
  | { readonly removeAppToken: string; readonly now: number }
  | { readonly removeDevice: string }
  | { readonly renameDevice: string; readonly name: string }
  | { readonly removePackage: string };

/** Makes a change in a store. */
export async function applyChange(
  { pairings, packages }: RecordStore,
  change: Change,
): Promise<unknown> {
  if ("removeAppToken" in change) return pairings.removeAppToken(change.removeAppToken, change.now);
  if ("removeDevice" in change) return pairings.removeDevice(change.removeDevice);
  if ("renameDevice" in change) return pairings.renameDevice(change.renameDevice, change.name);
  const record = await packages.find(change.removePackage);
  return packages.remove(change.removePackage, record?.version ?? 0);
}
