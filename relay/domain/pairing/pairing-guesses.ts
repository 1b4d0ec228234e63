import { NETWORK_SHARE_OF_ATTACKED_TRIES } from "../../../core/quotas/budgets.ts";
import { THIS_COMPUTER } from "../../../core/protocol/importer-api.ts";
import { type AddressTiers, roughNetworkOf, tiersOf } from "../../../core/quotas/address-tiers.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { type Context, HOUR_MS, MINUTE_MS, type Policy } from "../context.ts";
import type { CountedIn, Limits, TakenVerdict, Window } from "../ports.ts";

/** The sender of a claim. */
export interface Claimant {
  readonly address: string;
  /** True if it calls from the relay's own computer, not through a proxy. */
  readonly isLocal: boolean;
  /** True if it is local, and no foreign page made the call (rule P11). */
  readonly isOwn: boolean;
}

/** Returns the claimant's network, rough enough to show to a person. */
export function networkOf({ address, isLocal }: Claimant): string {
  return isLocal ? THIS_COMPUTER : roughNetworkOf(address);
}

/** A try that has been counted as a wrong one. */
export interface Guess {
  /** True if a right code pairs only after a yes in the panel. */
  readonly needsYes: boolean;
  /** Undoes the counting, because the try was right or its code was never looked up. */
  refund(): Promise<void>;
}

/**
 * Counts a claim as a wrong try before its code is looked up, so that many at once can't slip through (rule P6). Give
 * it back if it was right.
 * @throws {Refusal} 429 TRIES_TOO_MANY; a refused try is not counted
 */
export async function countGuess(context: Context, claimant: Claimant): Promise<Guess> {
  const { policy, limits } = context;
  const isYesWanted = policy.asksForEachPairing;
  if (claimant.isOwn) {
    const own = await count(limits, windowsOf(policy, { bucket: "pairing-tries-own", key: "own" }));
    return { needsYes: isYesWanted, refund: () => own.refund() };
  }
  const tiers = tiersOf(claimant.address);
  const near = await count(limits, nearWindows(policy, tiers));
  const { ofAll } = policy.pairingTries;
  const all = await limits.take([{ bucket: "pairing-tries-all", key: "all", window: hour(ofAll) }]);
  if (all.allowed) return { needsYes: isYesWanted, refund: both(near, all) };
  try {
    const attacked = await count(limits, attackedWindows(policy, tiers));
    return { needsYes: true, refund: both(near, attacked) };
  } catch (error) {
    await near.refund();
    throw error;
  }
}

/** Returns the windows of one address, a minute and an hour. */
function windowsOf(
  { pairingTriesPerMinute, pairingTries }: Policy,
  counted: Omit<CountedIn, "window">,
): readonly CountedIn[] {
  return [
    { ...counted, window: { max: pairingTriesPerMinute, windowMs: MINUTE_MS } },
    { ...counted, window: hour(pairingTries.perAddress) },
  ];
}

function nearWindows(policy: Policy, { address, networks }: AddressTiers): readonly CountedIn[] {
  const { per56, perNetwork } = policy.pairingTries;
  return [
    ...windowsOf(policy, { bucket: "pairing-tries", key: address, parents: networks }),
    ...networks.map((key, index): CountedIn => {
      const parents = networks.slice(index + 1);
      const window = hour(key.endsWith("/56") ? per56 : perNetwork);
      return { bucket: "pairing-tries-networks", key, parents, window };
    }),
  ];
}

/**
 * Returns the windows for tries beyond the limit for all: as many again, of which no network gets more than a small
 * share, so that guessing doesn't refuse everyone. The share is enough for an app to be refused, allowed late, and to
 * try again.
 */
function attackedWindows(
  { pairingTriesPerMinute, pairingTries: { ofAll } }: Policy,
  { address, networks }: AddressTiers,
): readonly CountedIn[] {
  const share = Math.max(
    pairingTriesPerMinute,
    Math.floor(ofAll * NETWORK_SHARE_OF_ATTACKED_TRIES),
  );
  const bucket = "pairing-tries-attacked";
  return [
    { bucket, key: networks.at(-1) ?? address, window: hour(share) },
    { bucket, key: "all", window: hour(ofAll) },
  ];
}

function hour(max: number): Window {
  return { max, windowMs: HOUR_MS };
}

async function count(limits: Limits, windows: readonly CountedIn[]): Promise<TakenVerdict> {
  const verdict = await limits.take(windows);
  if (verdict.allowed) return verdict;
  const seconds = verdict.retryAfterSeconds;
  throw refusal("TRIES_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}

function both(one: TakenVerdict, other: TakenVerdict): () => Promise<void> {
  return async () => {
    await one.refund();
    await other.refund();
  };
}
