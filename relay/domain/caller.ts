import { type AddressTiers, tiersOf } from "../../core/quotas/address-tiers.ts";
import { isProven } from "../../core/quotas/budgets.ts";
import type { AppTokenRecord, DeviceRecord } from "./ports.ts";

/** Who makes a call, as budgets count it (rule L5). */
export interface Caller extends AddressTiers {
  /** undefined for an importer's own calls, and without a token. */
  readonly pairingId?: string | undefined;
  /** undefined without a token. */
  readonly deviceId?: string | undefined;
  /** Whether the device's imports have proven it (rule L7). */
  readonly isProven: boolean;
}

/** Somebody of whom only the address is known. */
export function strangerAt(address: string): Caller {
  return { ...tiersOf(address), isProven: false };
}

/** An authenticated app, at the address that it calls from. */
export function callingApp(app: AppTokenRecord, address: string): Caller {
  const { pairingId, deviceId, imports } = app;
  return { ...tiersOf(address), pairingId, deviceId, isProven: isProven(imports) };
}

/** An authenticated importer, at the address that it calls from. */
export function callingImporter({ deviceId, imports }: DeviceRecord, address: string): Caller {
  return { ...tiersOf(address), deviceId, isProven: isProven(imports) };
}
