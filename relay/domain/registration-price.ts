import { CROWDED_SHARE, NETWORK_FACTOR } from "../../core/quotas/budgets.ts";
import { tiersOf } from "../../core/quotas/address-tiers.ts";
import { type Refusal, refusal } from "../../core/protocol/refusal.ts";
import { type Context, DAY_MS, MINUTE_MS } from "./context.ts";
import type { CountedIn, Verdict } from "./ports.ts";

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
 * Counts a registration of the day, per client address and for the whole relay (rule AD9). Networks count as well, and
 * bind only while the relay is crowded.
 * @throws {Refusal} 429 REGISTRATIONS_TOO_MANY; nothing is counted then
 */
export async function payRegistration(
  { limits, policy }: Pick<Context, "limits" | "policy">,
  address: string,
): Promise<PaidRegistration> {
  const { registrationsPerAddressPerDay: perAddress, registrationsPerDay: perDay } = policy;
  const { address: key, networks } = tiersOf(address);
  const all = await limits.take([windowOf("all", perDay)]);
  if (!all.allowed) throw tooMany(all);
  if (isLoopback(key)) return all;
  const isCrowded = perDay - all.remaining > perDay * CROWDED_SHARE;
  const wider = networks.map((network, index) =>
    windowOf(network, perAddress * NETWORK_FACTOR ** (index + 1)),
  );
  const own = { ...windowOf(key, perAddress), parents: networks };
  const taken = await limits.take(isCrowded ? [own, ...wider] : [own]);
  if (!taken.allowed) {
    await all.giveBack();
    throw tooMany(taken);
  }
  if (isCrowded) return givingBack([taken, all]);
  // Those that are full by now are not refused, only counted no further.
  const counted = await Promise.all(wider.map((one) => limits.take([one])));
  return givingBack([taken, all, ...counted]);
}

/** This computer's own programs, or everybody behind a proxy that the relay wasn't told of. */
function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "0:0:0:0::/64";
}

function windowOf(key: string, max: number): CountedIn {
  return { bucket: "registrations", key, window: { max, windowMs: DAY_MS } };
}

function givingBack(paid: readonly PaidRegistration[]): PaidRegistration {
  return { giveBack: async () => void (await Promise.all(paid.map((one) => one.giveBack()))) };
}

function tooMany({ retryAfterSeconds }: Verdict): Refusal {
  return refusal("REGISTRATIONS_TOO_MANY", {}, { retryAfterSeconds });
}
