import { ANNOUNCEMENT_SHARES } from "../../core/quotas/budgets.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import type { Caller } from "./caller.ts";
import { type Context, HOUR_MS } from "./context.ts";
import { payByTiers } from "./pay-by-tiers.ts";

/**
 * Counts an announcement of the hour per computer, client address and for the whole relay, before it is stored: its
 * record stays for days, and a stranger has as many apps and computers as he likes (rule L10).
 * @returns undoes the counting, because nothing was stored
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE, 503 BUSY; nothing is counted then
 */
export async function payAnnouncement(
  { limits, policy }: Pick<Context, "limits" | "policy">,
  caller: Caller,
): Promise<() => Promise<void>> {
  const { perDevice, perAddress, ofAll } = ANNOUNCEMENT_SHARES;
  const perApp = policy.packagesPerHour;
  const price = {
    bucket: "announcements",
    windowMs: HOUR_MS,
    perDevice: perApp * perDevice,
    perAddress: perApp * perAddress,
    ofAll: perApp * ofAll,
    keptForProven: true,
  } as const;
  const payment = await payByTiers(limits, price, caller);
  if (payment.kind === "paid") return () => payment.giveBack();
  const { kind, retryAfterSeconds: seconds } = payment;
  const code = kind === "own-spent" ? "TOO_MUCH_AT_ONCE" : "BUSY";
  throw refusal(code, { seconds }, { retryAfterSeconds: seconds });
}
