import type { AnnouncedManifest } from "../../../core/manifest/manifest.ts";
import { MAX_JSON_BYTES, MAX_PAGE_PACKAGES } from "../../../core/limits.ts";
import {
  filesEndAt,
  isTaken,
  refuseUnlisted,
  statusOf,
} from "../../../core/protocol/package-state.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { utf8Length } from "../../../core/text/utf8.ts";
import { secondsUntil, timeText } from "../../../core/time.ts";
import type { Context } from "../context.ts";
import type { PackageHead } from "../ports.ts";
import { readManifests } from "./read-manifests.ts";
import { findPackage, refuseDeleted } from "./update-package.ts";

/** A package in a page. */
export interface Listed {
  /** An `ImportablePackage` without results. */
  readonly json: string;
  /** The cursor of the next page, if this is the last package of its page. */
  readonly cursor: string;
}

/**
 * Lists one page of the packages that a device's importer can import now (rules I1, I5): waiting packages first, both
 * parts newest first, at most 100 packages, and no more than 1 MiB unless a single one is larger. Reads each package
 * only on demand.
 * @param after the cursor that the page before returned; empty for the first page
 * @returns the next page's cursor, or null after the last
 * @throws {Refusal} 422 CURSOR_WRONG, before the first package
 */
export async function* importablePage(
  context: Context,
  deviceId: string,
  after: string,
): AsyncGenerator<Listed, string | null, void> {
  const now = context.clock.confirmedNow();
  const heads = await context.packages.list(
    { deviceId, now },
    {
      after: after === "" ? undefined : after,
      // One more says whether there is another page.
      limit: MAX_PAGE_PACKAGES + 1,
    },
  );
  if (heads === undefined) throw refusal("CURSOR_WRONG");
  const listed = heads.slice(0, MAX_PAGE_PACKAGES);
  const headOf = new Map(listed.map((head) => [head.packageId, head]));
  let bytes = 0;
  let last: string | null = null;
  // One may have been withdrawn meanwhile.
  for await (const { packageId, manifest } of readManifests(context, [...headOf.keys()])) {
    const head = headOf.get(packageId);
    if (head === undefined) continue;
    context.listed.note(head, context.clock.now());
    const json = JSON.stringify(importable(context, head, manifest));
    bytes += utf8Length(json);
    if (last !== null && bytes > MAX_JSON_BYTES) return last;
    yield { json, cursor: head.cursor };
    last = head.cursor;
  }
  return heads.length > MAX_PAGE_PACKAGES ? (listed.at(-1)?.cursor ?? null) : null;
}

/**
 * Returns one package as the list has it, with its results if there are any (rule I5).
 * @throws {Refusal} 404, or 409 when it isn't listed
 */
export async function findImportable(
  context: Context,
  deviceId: string,
  packageId: string,
): Promise<ImportablePackage> {
  const record = await findPackage(context, deviceId, packageId);
  const refused =
    refuseUnlisted(record.life, context.clock.confirmedNow()) ?? refuseDeleted(record);
  if (refused !== undefined) throw refused;
  const { manifest, results } = record;
  return { ...importable(context, record, manifest), ...(results !== null && { results }) };
}

function importable(
  { clock, policy }: Context,
  head: Omit<PackageHead, "cursor" | "isSeen">,
  manifest: AnnouncedManifest,
): ImportablePackage {
  const { packageId, life, version } = head;
  const path = (file: string) =>
    `/importer/packages/${packageId}/files/${encodeURIComponent(file)}`;
  const ends = filesEndAt(life);
  const now = clock.now();
  return {
    package_id: packageId,
    version,
    status: statusOf(head, clock.confirmedNow()),
    app_name: head.appName,
    manifest,
    files: Object.fromEntries(manifest.items.map(({ file }) => [file, path(file)])),
    taken: isTaken(life, now, policy.leaseMs),
    created_at: timeText(head.createdAt),
    committed_at: timeText(life.committedAt ?? head.createdAt),
    expires_at: timeText(ends),
    expires_in: secondsUntil(ends, now),
  };
}
