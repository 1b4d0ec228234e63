import {
  ATTACKED_TRIES_FACTOR,
  NETWORK_SHARE_OF_ATTACKED_TRIES,
} from "../../../core/quotas/budgets.ts";
import { THIS_COMPUTER } from "../../../core/protocol/importer-api.ts";
import {
  type AddressTiers,
  roughNetworkOf,
  tiersOf,
  wideNetworksOf,
} from "../../../core/quotas/address-tiers.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { refunding, takeShared } from "../admission/shared-events.ts";
import { type Context, HOUR_MS, MINUTE_MS, type Policy } from "../context.ts";
import type { CountedIn, Limits, TakenVerdict, Window } from "../ports.ts";

/** The sender of a claim. */
export interface Claimant {
  readonly address: string;
  /** True if it calls from the local network: it pairs only after a yes in the panel (rule LAN5). */
  readonly isInLan: boolean;
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
  const isYesWanted = policy.asksForEachPairing || claimant.isInLan;
  if (claimant.isOwn) {
    const own = await count(limits, windowsOf(policy, { bucket: "pairing-tries-own", key: "own" }));
    return { needsYes: isYesWanted, refund: () => own.refund() };
  }
  const tiers = tiersOf(claimant.address);
  const near = await count(limits, nearWindows(policy, tiers));
  const { ofAll } = policy.pairingTries;
  const unseen = await takeShared(
    limits,
    { event: "pairing-tries", windowMs: HOUR_MS, ofAll },
    tiers,
  );
  if (unseen.kind !== "taken" || unseen.isScarce) {
    context.health.noteScarce("pairing-tries", context.clock.now());
  }
  if (unseen.kind === "taken") return { needsYes: isYesWanted, refund: refunding([near, unseen]) };
  const attacked = {
    event: "pairing-tries-attacked",
    windowMs: HOUR_MS,
    ofAll: ofAll * ATTACKED_TRIES_FACTOR,
  } as const;
  const withYes = await takeShared(limits, attacked, tiers, [networkWindow(policy, tiers)]);
  if (withYes.kind === "taken") return { needsYes: true, refund: refunding([near, withYes]) };
  await near.refund();
  throw tooMany(withYes.retryAfterSeconds);
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
  // The widest network has no window of its own: its share of what all have is its limit (rule L13).
  const all = [...networks, ...wideNetworksOf(address).slice(0, -1)];
  const maxOf = (key: string, index: number) =>
    key.endsWith("/56") ? per56 : perNetwork * (index < networks.length ? 1 : 2);
  return [
    ...windowsOf(policy, { bucket: "pairing-tries", key: address, parents: all }),
    ...all.map((key, index): CountedIn => {
      const parents = all.slice(index + 1);
      const window = hour(maxOf(key, index));
      return { bucket: "pairing-tries networks", key, parents, window };
    }),
  ];
}

/**
 * Returns the window of a /24 or /48 for tries that need a yes: a small share, so that a few such networks can't have
 * all that their widest network may have.
 */
function networkWindow(
  { pairingTriesPerMinute, pairingTries: { ofAll } }: Policy,
  { address, networks }: AddressTiers,
): CountedIn {
  const share = Math.floor(ofAll * NETWORK_SHARE_OF_ATTACKED_TRIES);
  const window = hour(Math.max(pairingTriesPerMinute, share));
  return { bucket: "pairing-tries-attacked networks", key: networks.at(-1) ?? address, window };
}

function hour(max: number): Window {
  return { max, windowMs: HOUR_MS };
}

async function count(limits: Limits, windows: readonly CountedIn[]): Promise<TakenVerdict> {
  const verdict = await limits.take(windows);
  if (verdict.allowed) return verdict;
  throw tooMany(verdict.retryAfterSeconds);
}

function tooMany(seconds: number): Refusal {
  return refusal("TRIES_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}
