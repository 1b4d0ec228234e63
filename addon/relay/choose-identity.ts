import { URL } from "node:url";
import type { IdentityEntry, NewIdentityReason } from "../state/identity-entries.ts";

/** The relay that answers now. */
export interface AnsweringRelay {
  /** Normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  /** As its `hello` named it; undefined where it names none. */
  readonly instance: string | undefined;
}

/** Which identity a relay gets (rule P9). */
export type IdentityChoice =
  | { readonly use: IdentityEntry }
  /** Only a person can say whether the relay moved from there. */
  | { readonly movedFrom: IdentityEntry }
  /** A new one; `because` is undefined at an address without any. */
  | { readonly because: NewIdentityReason | undefined };

/**
 * Chooses the identity for the relay that answers. A token is never chosen for an address that it wasn't
 * registered at, nor for another instance than the one that has accepted it.
 * @param entries of one address, the one in use comes first
 * @param isRefusedNow whether this relay has refused the entry's token since it answered
 */
export function chooseIdentity(
  entries: readonly IdentityEntry[],
  relay: AnsweringRelay,
  isRefusedNow: (entry: IdentityEntry) => boolean,
): IdentityChoice {
  const { relayUrl, instance } = relay;
  const here = entries.filter((entry) => entry.relayUrl === relayUrl);
  const usable = usableOf(here, instance);
  const use = usable.find((entry) => !isRefusedNow(entry));
  if (use !== undefined) return { use };
  if (here.some((entry) => entry.instance === instance)) return { because: "forgotten" };
  const elsewhere =
    instance === undefined ? [] : entries.filter((one) => one.instance === instance);
  const movable = elsewhere.filter((entry) => isSecure(relayUrl) || !isSecure(entry.relayUrl));
  const [movedFrom] = withRefusedLast(movable);
  if (movedFrom !== undefined) return { movedFrom };
  if (elsewhere.length > 0) return { because: "insecure" };
  if (usable.length > 0) return { because: "forgotten" };
  return { because: here.length > 0 ? "other-relay" : undefined };
}

/**
 * The instance's own identities, then those that belong to none yet: they were made at this address while its relay
 * named none. Where a relay names no instance, the address alone counts.
 */
function usableOf(
  here: readonly IdentityEntry[],
  instance: string | undefined,
): readonly IdentityEntry[] {
  const ofNone = here.filter((entry) => entry.instance === undefined);
  if (instance !== undefined) {
    const own = here.filter((entry) => entry.instance === instance);
    return [...withRefusedLast(own), ...ofNone];
  }
  const inUse = here.slice(0, 1);
  return [...inUse, ...withRefusedLast(ofNone).filter((entry) => !inUse.includes(entry))];
}

function withRefusedLast(entries: readonly IdentityEntry[]): readonly IdentityEntry[] {
  return [...entries.filter((one) => !isRefused(one)), ...entries.filter(isRefused)];
}

function isRefused(entry: IdentityEntry): boolean {
  return entry.isRefused === true;
}

function isSecure(relayUrl: string): boolean {
  return new URL(relayUrl).protocol === "https:";
}
