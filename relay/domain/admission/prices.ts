import { type AddressTiers, tiersOf, wideNetworksOf } from "../../../core/quotas/address-tiers.ts";
import {
  ANNOUNCEMENT_SHARES,
  CODES_PER_HOUR,
  NETWORK_FACTOR,
  WIDEST_SHARE,
} from "../../../core/quotas/budgets.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { formatWait } from "../../../core/text/format-span.ts";
import type { Caller } from "../caller.ts";
import { type Context, DAY_MS, HOUR_MS, MINUTE_MS } from "../context.ts";
import type { CountedIn } from "../ports.ts";
import {
  isLoopback,
  refunding,
  type SharedBudget,
  type Sharer,
  type SharedVerdict,
  takeShared,
} from "./shared-events.ts";

type Paying = Pick<Context, "limits" | "policy" | "health" | "clock">;

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
    event: "announcements",
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
  await payOfHour(context, caller, { event: "codes", ...CODES_PER_HOUR });
}

async function payOfHour(
  context: Paying,
  caller: Caller,
  price: Omit<TierPrice, "windowMs" | "keptForProven">,
): Promise<Refund> {
  const hourly = { ...price, windowMs: HOUR_MS, keptForProven: true };
  const payment = await payByTiers(context, hourly, caller);
  if (payment.kind === "taken") return payment.refund;
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
 * @throws {Refusal} 429 REGISTRATIONS_TOO_MANY or NETWORK_REGISTRATIONS_TOO_MANY; nothing is counted then
 */
export async function payRegistration(context: Paying, address: string): Promise<Refund> {
  const { registrationsPerAddressPerDay: perAddress, registrationsPerDay: ofAll } = context.policy;
  const price = { event: "registrations", windowMs: DAY_MS, perAddress, ofAll } as const;
  const payment = await payByTiers(context, price, tiersOf(address));
  if (payment.kind === "taken") return payment.refund;
  const { kind, retryAfterSeconds } = payment;
  const code = kind === "own-spent" ? "NETWORK_REGISTRATIONS_TOO_MANY" : "REGISTRATIONS_TOO_MANY";
  throw refusal(code, { wait: formatWait(retryAfterSeconds) }, { retryAfterSeconds });
}

/** The number of events that each tier of payers may have in a window. */
interface TierPrice extends SharedBudget {
  readonly perAddress: number;
  /** undefined if the event belongs to no computer. */
  readonly perDevice?: number;
}

interface Payer extends AddressTiers, Sharer {
  readonly deviceId?: string | undefined;
}

/**
 * Counts an event for the whole relay, and per computer and client address. Networks count as well, and bind only while
 * the relay is crowded (rules L5, L13). Calls of this computer have no share of an address.
 */
async function payByTiers(
  { limits, health, clock }: Paying,
  price: TierPrice,
  payer: Payer,
): Promise<SharedVerdict> {
  const { event, windowMs, perAddress, perDevice, ofAll } = price;
  const { address, networks, deviceId } = payer;
  const wider = [...networks, ...wideNetworksOf(address)];
  const windowOf = (key: string, max: number) => ({ key, window: { max, windowMs } });
  const isLocal = isLoopback(address);
  const own: readonly CountedIn[] = [
    ...(deviceId === undefined || perDevice === undefined
      ? []
      : [{ bucket: event, ...windowOf(deviceId, perDevice) }]),
    ...(isLocal ? [] : [{ bucket: event, ...windowOf(address, perAddress), parents: wider }]),
  ];
  const paid = await takeShared(limits, price, payer, own);
  const isScarce = paid.kind === "all-spent" || (paid.kind === "taken" && paid.isScarce);
  if (isScarce) health.noteScarce(event, clock.now());
  if (paid.kind !== "taken" || isLocal) return paid;
  const windows = wider.map((key, index): CountedIn => {
    const share = Math.min(perAddress * NETWORK_FACTOR ** (index + 1), ofAll * WIDEST_SHARE);
    const max = Math.max(perAddress, Math.ceil(share));
    const parents = wider.slice(index + 1);
    return { bucket: `${event} networks`, key, window: { max, windowMs }, parents };
  });
  // A full network still accepts the event while the relay isn't crowded, but stops counting.
  const together = paid.isCrowded ? [windows] : windows.map((one) => [one]);
  const taken = await Promise.all(together.map(async (each) => limits.take(each)));
  const refund = refunding([paid, ...taken]);
  const refused = paid.isCrowded ? taken.find(({ allowed }) => !allowed) : undefined;
  if (refused === undefined) return { ...paid, refund };
  await refund();
  return { kind: "own-spent", retryAfterSeconds: refused.retryAfterSeconds };
}
