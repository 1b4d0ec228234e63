import type { IdentityEntry } from "../state/identity-entries.ts";

/** Identities at one address that were made for other relays and never had an app. */
const MAX_UNPAIRED = 3;

/** Whether two entries are one identity at one address. */
export function isSameEntry(one: IdentityEntry, other: IdentityEntry): boolean {
  return one.relayUrl === other.relayUrl && one.importerToken === other.importerToken;
}

/** Kept at both addresses: the relay may be reachable at both. */
export function movedTo(entry: IdentityEntry, relayUrl: string): IdentityEntry {
  return { ...entry, relayUrl, registeredAt: entry.registeredAt ?? entry.relayUrl };
}

/** The others without those that hold nothing; the newest comes first. */
export function withoutSpent(
  entries: readonly IdentityEntry[],
  made: IdentityEntry,
): readonly IdentityEntry[] {
  const others = entries.filter((one) => !isSameEntry(one, made) && !isSpent(one, made));
  const unpaired = others.filter(
    (one) => one.relayUrl === made.relayUrl && one.madeBecause === "other-relay",
  );
  const dropped = new Set(unpaired.slice(MAX_UNPAIRED));
  return others.filter((one) => !dropped.has(one));
}

/** A refused one with which no app was paired holds nothing; a relay that refuses all would fill the file. */
function isSpent(one: IdentityEntry, made: IdentityEntry): boolean {
  const isOfSameRelay = one.relayUrl === made.relayUrl && one.instance === made.instance;
  return isOfSameRelay && one.isRefused === true && one.madeBecause !== undefined;
}
