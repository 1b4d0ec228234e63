import type { PackageRecord } from "../../../relay/index.ts";

/** A place in the importer's list: what waits first, both parts newest commit first. */
export interface Place {
  /** Number of first reports when the list began. */
  readonly began: number;
  /** True if it was reported before the list began. */
  readonly isReported: boolean;
  readonly committedAt: number;
  readonly packageId: string;
}

/** The place before every package. */
export function firstPlace(began: number): Place {
  return { began, isReported: false, committedAt: Infinity, packageId: "" };
}

export function placeOf(
  { packageId, life }: Pick<PackageRecord, "packageId" | "life">,
  {
    began,
    isReported,
  }: { readonly began: number; readonly isReported: (packageId: string) => boolean },
): Place {
  const committedAt = life.committedAt ?? 0;
  return { began, isReported: isReported(packageId), committedAt, packageId };
}

export function comparePlaces(one: Place, other: Place): number {
  if (one.isReported !== other.isReported) return one.isReported ? 1 : -1;
  if (one.committedAt !== other.committedAt) return other.committedAt - one.committedAt;
  return one.packageId < other.packageId ? -1 : Number(one.packageId > other.packageId);
}

export function formatPlace({ began, isReported, committedAt, packageId }: Place): string {
  return `${began}-${isReported ? "r" : "w"}-${committedAt}-${packageId}`;
}

/** Returns undefined for a text that `formatPlace` doesn't make. */
export function parsePlace(cursor: string): Place | undefined {
  const [, began, list, committedAt, packageId] = /^(\d+)-([wr])-(\d+)-(.+)$/.exec(cursor) ?? [];
  if (packageId === undefined) return undefined;
  return {
    began: Number(began),
    isReported: list === "r",
    committedAt: Number(committedAt),
    packageId,
  };
}
