import { SENDING_ADDRESSES_PER_APP } from "../../../core/quotas/budgets.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { type Context, MINUTE_MS } from "../context.ts";
import type { CountedIn, ReceivedBytes } from "../ports.ts";

/**
 * Returns bytes of an address as its day counts them (rule L4). Those of one minute have one time, its end, so that
 * many small parts share a row (rule L14). They count up to a minute longer than a day, never less.
 */
export function receivedFrom(
  { clock }: Pick<Context, "clock">,
  address: string,
  bytes: number,
): ReceivedBytes {
  return { address, bytes, at: Math.ceil(clock.now() / MINUTE_MS) * MINUTE_MS };
}

/**
 * Counts the addresses that an app sends from in a minute, because the bytes of each are a row (rule L14).
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE
 */
export async function countSender(
  { limits }: Pick<Context, "limits">,
  { pairingId, address }: Pick<Caller, "pairingId" | "address">,
): Promise<void> {
  if (pairingId === undefined) return;
  const taken = await limits.take([
    inAMinute(`${pairingId} ${address}`, 1),
    inAMinute(pairingId, SENDING_ADDRESSES_PER_APP),
  ]);
  // The first window is full if the app has sent from this address already.
  if (taken.allowed || taken.each[0]?.allowed === false) return;
  const seconds = taken.retryAfterSeconds;
  throw refusal("TOO_MUCH_AT_ONCE", { seconds }, { retryAfterSeconds: seconds });
}

function inAMinute(key: string, max: number): CountedIn {
  return { bucket: "senders", key, window: { max, windowMs: MINUTE_MS } };
}
