import { tiersOf } from "../../core/quotas/address-tiers.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import { type Context, MINUTE_MS } from "./context.ts";

/**
 * Counts a try without a token, per client address (rule P6).
 * @throws {Refusal} 429 TRIES_TOO_MANY; a refused try is not counted
 */
export async function enforceRateLimit(
  context: Context,
  bucket: "pairing-tries" | "registrations",
  address: string,
): Promise<void> {
  const { address: key, networks } = tiersOf(address);
  const window = { max: context.policy.pairingTriesPerMinute, windowMs: MINUTE_MS };
  const verdict = await context.limits.count(bucket, key, window, networks);
  if (verdict.allowed) return;
  const seconds = verdict.retryAfterSeconds;
  throw refusal("TRIES_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}
