import { type BudgetLimits, NETWORK_FACTOR } from "../../../core/quotas/budgets.ts";
import type { Caller } from "../caller.ts";

/** What one of those that a caller counts for may have. */
export interface Share {
  /** A pairing, a device, an address or a network. */
  readonly key: string;
  readonly max: number;
  /** It binds only while the whole budget is crowded (rule L5). */
  readonly isNetwork: boolean;
}

/** Everyone that a caller counts for, from narrow to wide (rule L5). */
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
