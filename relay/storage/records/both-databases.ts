import type { RoomCounts } from "../../../core/quotas/judge-room.ts";
import type { HeldRoom } from "../../domain/ports.ts";
import { number, type Row } from "./rows.ts";

// What SQLite and PostgreSQL must do alike, besides the rows that `rows.ts` converts.

/** A relay deletes no sound for this long after a backup last renewed its hold. */
export const HOLD_MS = 90_000;
/** A hold that ends later was made on a wrong clock, and holds nothing. */
export const LONGEST_HOLD_MS = HOLD_MS + 3_600_000;

/**
 * The row of `upkeep` that says which version of the schema a relay must know to use the database (rules K13, SC2).
 * Without it, newer versions have only added something.
 */
export const NEEDED_SCHEMA = "needed_schema";

/**
 * Ends a migration that takes away what older relays use.
 * @param version the first version of the schema whose relay doesn't need that any more
 */
export function raiseNeededSchema(version: number): string {
  return `INSERT INTO upkeep (name, value) VALUES ('${NEEDED_SCHEMA}', '${version}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;`;
}

/** One call at a time, whose outcome later calls share for a while after it has ended. */
export function sharedFor(ms: number, act: () => Promise<void>): () => Promise<void> {
  let shared: Promise<void> | undefined;
  return () => {
    shared ??= act().finally(() => setTimeout(() => (shared = undefined), ms).unref());
    return shared;
  };
}

/** A place in an app's own list, newest first. */
interface OwnPlace {
  readonly at: number;
  readonly place: number;
}

/** A place in a device's list. It lists what waited when it began, then what was reported before. */
export interface ImportablePlace extends OwnPlace {
  /** The last first report before the list began. */
  readonly began: number;
  readonly isWaiting: boolean;
}

/** The place before the first package of any list. */
export const TOP: OwnPlace = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER };

export function ownCursorOf(row: Row): string {
  return `${number(row["created_at"])}-${number(row["place"])}`;
}

/** Returns undefined for an invalid cursor. */
export function parseOwnCursor(cursor: string): OwnPlace | undefined {
  const [, at, place] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  return at === undefined || place === undefined
    ? undefined
    : { at: Number(at), place: Number(place) };
}

export function importableCursorOf(
  row: Row,
  { began, isWaiting }: Pick<ImportablePlace, "began" | "isWaiting">,
): string {
  const place = [began, number(row["committed_at"]), number(row["place"])];
  return [isWaiting ? "w" : "r", ...place].join("-");
}

/** Returns undefined for an invalid cursor. */
export function parseImportableCursor(cursor: string): ImportablePlace | undefined {
  const [, list, ...places] = /^([wr])-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  const [began, at, place] = places.map(Number);
  if (began === undefined || at === undefined || place === undefined) return undefined;
  return { began, isWaiting: list === "w", at, place };
}

/** Announcements count for this long (rule L1). */
export const ANNOUNCEMENTS_COUNT_MS = 3_600_000;
/** Received bytes count for this long (rule L4). */
export const RECEIVED_COUNTS_MS = 86_400_000;

/** Subtracts a package's own bytes from reserved room. Its partials are added to the stored bytes. */
export function withoutOwnRoom(
  counts: RoomCounts,
  own: { readonly bytes: number; readonly partialBytes: number; readonly held: HeldRoom | null },
  { address, networks }: HeldRoom,
): RoomCounts {
  const { bytes, partialBytes, held } = own;
  if (held === null) return counts;
  const tiers = new Set([held.address, ...held.networks]);
  const ownOf = (tier: string) => (tiers.has(tier) ? bytes : 0);
  return {
    ...counts,
    storedBytes: counts.storedBytes + partialBytes,
    reservedOfDevice: counts.reservedOfDevice - bytes,
    reservedOfAddress: counts.reservedOfAddress - ownOf(address),
    reservedOfNetworks: networks.map(
      (network, index) => (counts.reservedOfNetworks[index] ?? 0) - ownOf(network),
    ),
    reservedBytes: counts.reservedBytes - bytes,
  };
}

/** The author and the time of an operation, for the log of operations (rule AD2). */
export interface ByWhom {
  readonly who: string;
  /** Relay time. */
  readonly at: number;
}

/** A device, pairing or package that an operator revokes, purges or erases. */
export interface OperatorRemoval extends ByWhom {
  readonly id: string;
  /** Proven relay time: what has expired by it stays as it is. */
  readonly now: number;
}
