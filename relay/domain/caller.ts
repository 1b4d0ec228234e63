import { type AddressTiers, tiersOf } from "../../core/quotas/address-tiers.ts";
import { type BudgetLimits, NETWORK_FACTOR, isProven } from "../../core/quotas/budgets.ts";
import type { AppTokenRecord, DeviceQuota, DeviceRecord } from "./ports.ts";

/** The sender of a call, as budgets count it (rule L5). */
export interface Caller extends AddressTiers {
  /** undefined for an importer's own calls, and without a token. */
  readonly pairingId?: string | undefined;
  /** undefined without a token. */
  readonly deviceId?: string | undefined;
  /** An operator's limits for the device; undefined without any, and for an importer's own calls. */
  readonly quota?: DeviceQuota | undefined;
  /** True if the device's imports have proven it (rule L7). */
  readonly isProven: boolean;
}

/** A caller of whom only the address is known. */
export function strangerAt(address: string): Caller {
  return { ...tiersOf(address), isProven: false };
}

/** An authenticated app, at the address that it calls from. */
export function callingApp(app: AppTokenRecord, address: string): Caller {
  const { pairingId, deviceId, imports, quota } = app;
  return { ...tiersOf(address), pairingId, deviceId, quota, isProven: isProven(imports) };
}

/** An authenticated importer, at the address that it calls from. */
export function callingImporter({ deviceId, imports }: DeviceRecord, address: string): Caller {
  return { ...tiersOf(address), deviceId, isProven: isProven(imports) };
}

/** The part of a budget that one pairing, device, address or network may have. */
interface Share {
  /** The id of a pairing or a device, an address, or a network. */
  readonly key: string;
  readonly max: number;
  /** True for a share that binds only while the whole budget is crowded (rule L5). */
  readonly isNetwork: boolean;
}

/** Lists the shares that a caller counts for, from narrow to wide (rule L5). */
export function* sharesOf(
  { perPairing, perDevice, perAddress }: BudgetLimits,
  { pairingId, deviceId, address, networks }: Caller,
): Iterable<Share> {
  if (pairingId !== undefined) yield { key: pairingId, max: perPairing, isNetwork: false };
  if (deviceId !== undefined) yield { key: deviceId, max: perDevice, isNetwork: false };
  yield { key: address, max: perAddress, isNetwork: false };
  let max = perAddress;
  for (const key of networks) yield { key, max: (max *= NETWORK_FACTOR), isNetwork: true };
}
