import { ANNOUNCEMENT_SHARES, CODES_PER_HOUR } from "../../../core/quotas/budgets.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { type Context, HOUR_MS } from "../context.ts";
import { payByTiers, type TierPrice } from "./pay-by-tiers.ts";

type Paying = Pick<Context, "limits" | "policy">;

/**
 * Counts an announcement of the hour per computer, client address and for the whole relay, before it is stored: its
 * record stays for days, and a stranger has as many apps and computers as he likes (rule L10).
 * @returns undoes the counting, because nothing was stored
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE, 503 BUSY; nothing is counted then
 */
export function payAnnouncement(context: Paying, caller: Caller): Promise<() => Promise<void>> {
  const perApp = context.policy.packagesPerHour;
  const { perDevice, perAddress, ofAll } = ANNOUNCEMENT_SHARES;
  return pay(context, caller, {
    bucket: "announcements",
    perDevice: perApp * perDevice,
    perAddress: perApp * perAddress,
    ofAll: perApp * ofAll,
  });
}

/**
 * Counts a pairing code of the hour in the same way: with each an app can be paired, and stays on record (rule L10).
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE, 503 BUSY; nothing is counted then
 */
export async function payCode(context: Paying, caller: Caller): Promise<void> {
  await pay(context, caller, { bucket: "codes", ...CODES_PER_HOUR });
}

async function pay(
  { limits }: Paying,
  caller: Caller,
  price: Omit<TierPrice, "windowMs" | "keptForProven">,
): Promise<() => Promise<void>> {
  const hourly = { ...price, windowMs: HOUR_MS, keptForProven: true };
  const payment = await payByTiers(limits, hourly, caller);
  if (payment.kind === "paid") return () => payment.giveBack();
  const { kind, retryAfterSeconds: seconds } = payment;
  const code = kind === "own-spent" ? "TOO_MUCH_AT_ONCE" : "BUSY";
  throw refusal(code, { seconds }, { retryAfterSeconds: seconds });
}
