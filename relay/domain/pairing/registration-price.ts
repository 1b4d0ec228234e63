import { tiersOf } from "../../../core/quotas/address-tiers.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { type Context, DAY_MS, MINUTE_MS } from "../context.ts";
import { payByTiers } from "../admission/pay-by-tiers.ts";

/**
 * Counts a try to register, successful or not, per client address (rule P6).
 * @throws {Refusal} 429 TRIES_TOO_MANY; a refused try is not counted
 */
export async function countRegistrationTry(
  { limits, policy }: Pick<Context, "limits" | "policy">,
  address: string,
): Promise<void> {
  const { address: key, networks } = tiersOf(address);
  const window = { max: policy.pairingTriesPerMinute, windowMs: MINUTE_MS };
  const verdict = await limits.count("registrations", key, window, networks);
  if (verdict.allowed) return;
  const seconds = verdict.retryAfterSeconds;
  throw refusal("TRIES_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}

/** A registration that was counted. */
export interface PaidRegistration {
  /** Undoes the counting, because nothing was registered. */
  giveBack(): Promise<void>;
}

/**
 * Counts a registration of the day, per client address and for the whole relay (rule AD9).
 * @throws {Refusal} 429 REGISTRATIONS_TOO_MANY; nothing is counted then
 */
export async function payRegistration(
  { limits, policy }: Pick<Context, "limits" | "policy">,
  address: string,
): Promise<PaidRegistration> {
  const { registrationsPerAddressPerDay: perAddress, registrationsPerDay: ofAll } = policy;
  const price = { bucket: "registrations", windowMs: DAY_MS, perAddress, ofAll } as const;
  const payment = await payByTiers(limits, price, tiersOf(address));
  if (payment.kind === "paid") return payment;
  const { retryAfterSeconds } = payment;
  throw refusal("REGISTRATIONS_TOO_MANY", {}, { retryAfterSeconds });
}
