import { type AddressTiers, tiersOf } from "../../../core/quotas/address-tiers.ts";
import {
  ANNOUNCEMENT_SHARES,
  CODES_PER_HOUR,
  CROWDED_SHARE,
  NETWORK_FACTOR,
  PROVEN_SHARE,
} from "../../../core/quotas/budgets.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { type Context, DAY_MS, HOUR_MS, MINUTE_MS } from "../context.ts";
import type { CountedIn, Limits } from "../ports.ts";

type Paying = Pick<Context, "limits" | "policy">;

/** Undoes a payment. Call it when the paid event leaves nothing behind. */
type Refund = () => Promise<void>;

/**
 * Counts an announcement of the hour per computer, client address and for the whole relay, before it is stored: its
 * record stays for days, and a stranger can have any number of apps and computers (rule L10).
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE, 503 BUSY; nothing is counted then
 */
export function payAnnouncement(context: Paying, caller: Caller): Promise<Refund> {
  const perApp = context.policy.packagesPerHour;
  const { perDevice, perAddress, ofAll } = ANNOUNCEMENT_SHARES;
  return payOfHour(context, caller, {
    bucket: "announcements",
    perDevice: perApp * perDevice,
    perAddress: perApp * perAddress,
    ofAll: perApp * ofAll,
  });
}

/**
 * Counts a pairing code of the hour in the same way: each code can pair an app, which stays on record (rule L10).
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE, 503 BUSY; nothing is counted then
 */
export async function payCode(context: Paying, caller: Caller): Promise<void> {
  await payOfHour(context, caller, { bucket: "codes", ...CODES_PER_HOUR });
}

async function payOfHour(
  { limits }: Paying,
  caller: Caller,
  price: Omit<TierPrice, "windowMs" | "keptForProven">,
): Promise<Refund> {
  const hourly = { ...price, windowMs: HOUR_MS, keptForProven: true };
  const payment = await payByTiers(limits, hourly, caller);
  if (payment.kind === "paid") return payment.refund;
  const { kind, retryAfterSeconds: seconds } = payment;
  const code = kind === "own-spent" ? "TOO_MUCH_AT_ONCE" : "BUSY";
  throw refusal(code, { seconds }, { retryAfterSeconds: seconds });
}

/**
 * Counts a try to register, successful or not, per client address (rule P6).
 * @throws {Refusal} 429 TRIES_TOO_MANY; a refused try is not counted
 */
export async function countRegistrationTry(
  { limits, policy }: Paying,
  address: string,
): Promise<void> {
  const { address: key, networks } = tiersOf(address);
  const window = { max: policy.pairingTriesPerMinute, windowMs: MINUTE_MS };
  const verdict = await limits.take([{ bucket: "registrations", key, window, parents: networks }]);
  if (verdict.allowed) return;
  const seconds = verdict.retryAfterSeconds;
  throw refusal("TRIES_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}

/**
 * Counts a registration of the day, per client address and for the whole relay (rule AD9).
 * @throws {Refusal} 429 REGISTRATIONS_TOO_MANY; nothing is counted then
 */
export async function payRegistration(
  { limits, policy }: Paying,
  address: string,
): Promise<Refund> {
  const { registrationsPerAddressPerDay: perAddress, registrationsPerDay: ofAll } = policy;
  const price = { bucket: "registrations", windowMs: DAY_MS, perAddress, ofAll } as const;
  const payment = await payByTiers(limits, price, tiersOf(address));
  if (payment.kind === "paid") return payment.refund;
  const { retryAfterSeconds } = payment;
  throw refusal("REGISTRATIONS_TOO_MANY", {}, { retryAfterSeconds });
}

/** The number of events that each tier of payers may have in a window. */
interface TierPrice {
  readonly bucket: CountedIn["bucket"];
  readonly windowMs: number;
  readonly perAddress: number;
  readonly ofAll: number;
  /** True if `PROVEN_SHARE` of `ofAll` is for the proven only (rule L7). Default: false. */
  readonly keptForProven?: boolean;
  /** undefined if the event belongs to no computer. */
  readonly perDevice?: number;
}

interface Payer extends AddressTiers {
  readonly deviceId?: string | undefined;
  readonly isProven?: boolean;
}

type Payment =
  | { readonly kind: "paid"; readonly refund: Refund }
  /** Nothing was counted: the payer's own share is spent, or that of all. */
  | { readonly kind: "own-spent" | "all-spent"; readonly retryAfterSeconds: number };

/**
 * Counts an event for the whole relay, and per computer and client address. Networks count as well, and bind only while
 * the relay is crowded (rule L5). Calls of this computer have no share of an address: its own programs make them, or
 * everybody behind a proxy that the relay doesn't know of.
 */
async function payByTiers(
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
  const shared = [
    windowOf("all", ofAll),
    ...(price.keptForProven === true && !isProven
      ? [windowOf("unproven", ofAll * (1 - PROVEN_SHARE))]
      : []),
  ];
  const isLocal = isLoopback(address);
  const own = [
    ...(deviceId === undefined || perDevice === undefined ? [] : [windowOf(deviceId, perDevice)]),
    ...(isLocal ? [] : [{ ...windowOf(address, perAddress), parents: networks }]),
  ];
  const first = await limits.take([...shared, ...own]);
  if (!first.allowed) {
    const full = first.each.slice(0, shared.length).find(({ allowed }) => !allowed);
    return full === undefined
      ? { kind: "own-spent", retryAfterSeconds: first.retryAfterSeconds }
      : { kind: "all-spent", retryAfterSeconds: full.retryAfterSeconds };
  }
  if (isLocal) return { kind: "paid", refund: () => first.refund() };
  const wider = networks.map((network, index) =>
    windowOf(network, perAddress * NETWORK_FACTOR ** (index + 1)),
  );
  const usedOfAll = ofAll - (first.each[0]?.remaining ?? 0);
  const isCrowded = usedOfAll > ofAll * CROWDED_SHARE;
  // A full network still accepts the event while the relay isn't crowded, but stops counting.
  const together = isCrowded ? [wider] : wider.map((one) => [one]);
  const taken = await Promise.all(together.map((windows) => limits.take(windows)));
  const refund = async () => void (await Promise.all([first, ...taken].map((one) => one.refund())));
  const refused = isCrowded ? taken.find(({ allowed }) => !allowed) : undefined;
  if (refused === undefined) return { kind: "paid", refund };
  await refund();
  return { kind: "own-spent", retryAfterSeconds: refused.retryAfterSeconds };
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "0:0:0:0::/64";
}
