import { wideNetworksOf } from "../../../core/quotas/address-tiers.ts";
import {
  CROWDED_SHARE,
  NEWCOMERS_SHARE,
  newcomersShare,
  PROVEN_SHARE,
} from "../../../core/quotas/budgets.ts";
import type { CountedIn, Limits, SharedEvent, TakenVerdict } from "../ports.ts";

// Budgets of events that all share, with parts that are kept for some (rule L13).

export interface SharedBudget {
  readonly event: SharedEvent;
  readonly windowMs: number;
  readonly ofAll: number;
  /** True if `PROVEN_SHARE` of `ofAll` is for the proven only (rule L7). Default: false. */
  readonly keptForProven?: boolean;
}

export interface Sharer {
  readonly address: string;
  readonly isProven?: boolean | undefined;
}

export type SharedVerdict =
  | {
      readonly kind: "taken";
      /** True while most of the part for everybody is used: networks are held to their shares (rule L5). */
      readonly isCrowded: boolean;
      /** True if the part for everybody is used up. */
      readonly isScarce: boolean;
      readonly refund: () => Promise<void>;
    }
  /** Nothing was counted: the sharer's own windows are full, or what all share. */
  | { readonly kind: "own-spent" | "all-spent"; readonly retryAfterSeconds: number };

/** A part of a budget; without `newcomers` every network may have all of it. */
interface Part {
  readonly window: CountedIn;
  readonly newcomers?: CountedIn | undefined;
}

/**
 * Counts an event of the first part of a budget that the sharer may have and that has some left, together with windows
 * of the sharer's own. Everybody may have what isn't kept; then the proven their quarter; then a network its share of
 * the half for newcomers, while it has had less than that in all. Calls of this computer may have all: its own programs
 * make them, or everybody behind a proxy that the relay doesn't know of.
 */
export async function takeShared(
  limits: Limits,
  budget: SharedBudget,
  sharer: Sharer,
  own: readonly CountedIn[] = [],
): Promise<SharedVerdict> {
  const newcomers = isLoopback(sharer.address) ? undefined : newcomersOf(budget, sharer);
  let retryAfterSeconds = Infinity;
  for (const [index, part] of partsFor(budget, sharer, newcomers).entries()) {
    const shared = part.newcomers === undefined ? [part.window] : [part.window, part.newcomers];
    const taken = await limits.take([...shared, ...own]);
    if (taken.allowed) {
      // A network that has had more is no newcomer, and nothing needs to count how much more.
      const noted =
        part.newcomers === undefined && newcomers ? [await limits.take([newcomers])] : [];
      const [{ remaining } = { remaining: 0 }] = taken.each;
      const isScarce = index > 0;
      const { max } = part.window.window;
      const isCrowded = isScarce || max - remaining > max * CROWDED_SHARE;
      return { kind: "taken", isCrowded, isScarce, refund: refunding([taken, ...noted]) };
    }
    const full = taken.each.slice(shared.length).filter(({ allowed }) => !allowed);
    if (full.length > 0) {
      const waits = full.map((one) => one.retryAfterSeconds);
      return { kind: "own-spent", retryAfterSeconds: Math.max(...waits) };
    }
    retryAfterSeconds = Math.min(retryAfterSeconds, taken.retryAfterSeconds);
  }
  return { kind: "all-spent", retryAfterSeconds };
}

/** Undoes the counting of several events. */
export function refunding(taken: readonly Pick<TakenVerdict, "refund">[]): () => Promise<void> {
  return async () => void (await Promise.all(taken.map((one) => one.refund())));
}

/** Checks whether an address, as `tiersOf` gives it, is this computer's. */
export function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "0:0:0:0::/64";
}

/** Lists the parts that a sharer may have, in the order in which they are used. */
function partsFor(
  { event, windowMs, ofAll, keptForProven = false }: SharedBudget,
  { isProven = false }: Sharer,
  newcomers: CountedIn | undefined,
): readonly Part[] {
  const forProven = keptForProven ? Math.floor(ofAll * PROVEN_SHARE) : 0;
  const forNewcomers = Math.floor(ofAll * NEWCOMERS_SHARE);
  const windowOf = (key: string, max: number): CountedIn => ({
    bucket: `${event} parts`,
    key,
    window: { max, windowMs },
  });
  return [
    { window: windowOf("everybody", ofAll - forProven - forNewcomers) },
    ...(isProven ? [{ window: windowOf("proven", forProven) }] : []),
    { window: windowOf("newcomers", forNewcomers), newcomers },
  ].filter(({ window }) => window.window.max > 0);
}

/** Returns the window of a sharer's widest network, for as long as it is a newcomer. */
function newcomersOf({ event, windowMs, ofAll }: SharedBudget, { address }: Sharer): CountedIn {
  const key = wideNetworksOf(address).at(-1) ?? address;
  return { bucket: `${event} newcomers`, key, window: { max: newcomersShare(ofAll), windowMs } };
}
