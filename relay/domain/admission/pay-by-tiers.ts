import { CROWDED_SHARE, NETWORK_FACTOR, PROVEN_SHARE } from "../../../core/quotas/budgets.ts";
import type { AddressTiers } from "../../../core/quotas/address-tiers.ts";
import type { CountedIn, Limits, TakenVerdict } from "../ports.ts";

/** What an event may cost, by who pays for it. */
export interface TierPrice {
  readonly bucket: CountedIn["bucket"];
  readonly windowMs: number;
  readonly perAddress: number;
  readonly ofAll: number;
  /** Whether `PROVEN_SHARE` of what all may have is for the proven only (rule L7). Default: no. */
  readonly keptForProven?: boolean;
  /** What a computer may have, if the event has one. */
  readonly perDevice?: number;
}

/** Who pays. */
export interface Payer extends AddressTiers {
  readonly deviceId?: string | undefined;
  readonly isProven?: boolean;
}

export type Payment =
  /** `giveBack` undoes the counting, because nothing came of it. */
  | { readonly kind: "paid"; giveBack(): Promise<void> }
  /** Nothing was counted: the payer's own share is spent, or that of all. */
  | { readonly kind: "own-spent" | "all-spent"; readonly retryAfterSeconds: number };

/**
 * Counts an event for the whole relay, and per computer and client address. Networks count as well, and bind only while
 * the relay is crowded (rule L5). Calls of this computer have no share of an address: its own programs make them, or
 * everybody behind a proxy that the relay wasn't told of.
 */
export async function payByTiers(
  limits: Limits,
  price: TierPrice,
  { address, networks, deviceId, isProven = false }: Payer,
): Promise<Payment> {
  const { bucket, windowMs, perAddress, perDevice, ofAll } = price;
  const windowOf = (key: string, max: number): CountedIn => ({
    bucket,
    key,
    window: { max, windowMs },
  });
  const all = await limits.take([windowOf("all", ofAll)]);
  if (!all.allowed) return refused("all-spent", all);
  const paid = [all];
  const giveBack = async () => void (await Promise.all(paid.map((one) => one.giveBack())));

  if (price.keptForProven === true && !isProven) {
    const unproven = await limits.take([windowOf("unproven", ofAll * (1 - PROVEN_SHARE))]);
    if (!unproven.allowed) return giveBack().then(() => refused("all-spent", unproven));
    paid.push(unproven);
  }
  const isLocal = isLoopback(address);
  const wider = networks.map((network, index) =>
    windowOf(network, perAddress * NETWORK_FACTOR ** (index + 1)),
  );
  const isCrowded = ofAll - all.remaining > ofAll * CROWDED_SHARE;
  const own = [
    ...(deviceId === undefined || perDevice === undefined ? [] : [windowOf(deviceId, perDevice)]),
    ...(isLocal ? [] : [{ ...windowOf(address, perAddress), parents: networks }]),
    ...(isLocal || !isCrowded ? [] : wider),
  ];
  if (own.length > 0) {
    const taken = await limits.take(own);
    if (!taken.allowed) return giveBack().then(() => refused("own-spent", taken));
    paid.push(taken);
  }
  // Those that are full by now are not refused, only counted no further.
  if (!isLocal && !isCrowded)
    paid.push(...(await Promise.all(wider.map((one) => limits.take([one])))));
  return { kind: "paid", giveBack };
}

function refused(
  kind: "own-spent" | "all-spent",
  { retryAfterSeconds }: TakenVerdict,
): Payment & { readonly retryAfterSeconds: number } {
  return { kind, retryAfterSeconds };
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "0:0:0:0::/64";
}
