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
  const verdict = await context.limits.count(bucket, addressBucket(address), {
    max: context.policy.pairingTriesPerMinute,
    windowMs: MINUTE_MS,
  });
  if (verdict.allowed) return;
  const seconds = verdict.retryAfterSeconds;
  throw refusal("TRIES_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}

/** The rate-limit key of an address: the /64 of IPv6; IPv4, also mapped into IPv6, unchanged (rule P6). */
export function addressBucket(address: string): string {
  const bare = address.replace(/%.*$/, "").toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!bare.includes(":")) return bare;
  const [head = "", tail = ""] = bare.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  const network = groups.map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}
