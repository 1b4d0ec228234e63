import type { PackageRecord } from "../../../relay/index.ts";

/** A place in an app's own list: the newest announcement first. */
export type AnnouncedPlace = Pick<PackageRecord, "createdAt" | "packageId">;

export function compareAnnounced(one: AnnouncedPlace, other: AnnouncedPlace): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt;
  return one.packageId < other.packageId ? -1 : Number(one.packageId > other.packageId);
}

export function formatAnnounced({ createdAt, packageId }: AnnouncedPlace): string {
  return `${createdAt}-${packageId}`;
}

/** Undefined for a text that `formatAnnounced` never returns. */
export function parseAnnounced(cursor: string): AnnouncedPlace | undefined {
  const [, createdAt, packageId] = /^(\d{1,15})-([\w-]+)$/.exec(cursor) ?? [];
  return createdAt === undefined || packageId === undefined
    ? undefined
    : { createdAt: Number(createdAt), packageId };
}
