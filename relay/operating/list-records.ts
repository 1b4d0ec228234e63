import { manifestOf } from "../storage/records/rows.ts";
import { statement, type Work } from "../storage/records/statement.ts";
import { type Page, type PageOf, readPage, type Stored, withTimes } from "./pages.ts";

export interface ListedDevice {
  readonly device_id: string;
  readonly device_name: string;
  readonly registered_at: string;
  readonly last_seen_at: string;
  readonly apps: number;
  readonly packages: number;
  /** Announced bytes of its packages with files. */
  readonly bytes: number;
  readonly blocked: boolean;
}

export interface ListedApp {
  readonly pairing_id: string;
  readonly device_id: string;
  readonly app_id: string;
  readonly app_name: string;
  readonly paired_at: string;
  readonly last_seen_at: string;
}

/** The states of packages that the stored columns tell. The relay itself judges `taken` and expiry. */
export const LISTED_STATES = [
  "uploading",
  "waiting",
  "imported",
  "partial",
  "failed",
  "over",
] as const;
export type ListedState = (typeof LISTED_STATES)[number];

export interface ListedPackage {
  readonly package_id: string;
  readonly device_id: string;
  readonly app_id: string;
  readonly app_name: string;
  readonly title: string;
  readonly state: ListedState;
  readonly sounds: number;
  readonly bytes: number;
  readonly created_at: string;
  readonly committed_at: string | null;
}

/** The packages to list: of one device, in one state, with a sound of this SHA-256. */
export interface PackageFilter {
  readonly device?: string | undefined;
  readonly state?: string | undefined;
  readonly sha256?: string | undefined;
}

/** SQL expression of the state. `over`: files are deleted, or due for deletion, and nobody imported them. */
export const STATE_OF_PACKAGE = `CASE
  WHEN outcome IS NOT NULL THEN outcome
  WHEN files_deleted = 1 THEN 'over'
  WHEN committed_at IS NULL THEN 'uploading'
  ELSE 'waiting' END`;

const DEVICES = statement<Stored<Omit<ListedDevice, "blocked">> & { readonly blocked: 0 | 1 }>(
  "view_devices",
  `SELECT device_id, device_name, registered_at, last_seen_at,
     (SELECT count(*) FROM pairings WHERE pairings.device_id = devices.device_id) AS apps,
     (SELECT count(*) FROM packages WHERE packages.device_id = devices.device_id) AS packages,
     (SELECT CAST(coalesce(sum(announced_bytes), 0) AS bigint) FROM packages
        WHERE packages.device_id = devices.device_id AND files_deleted = 0) AS bytes,
     CASE WHEN EXISTS (SELECT 1 FROM blocks WHERE subject = devices.device_id) THEN 1 ELSE 0 END AS blocked
   FROM devices WHERE device_id > :after AND has_paired <= CAST(:most_paired AS bigint)
   ORDER BY device_id LIMIT 0 + :limit`,
);
const APPS = statement<Stored<ListedApp>>(
  "view_apps",
  `SELECT pairing_id, device_id, app_id, app_name, paired_at, last_seen_at FROM pairings
   WHERE pairing_id > :after AND (CAST(:device AS text) IS NULL OR device_id = :device)
   ORDER BY pairing_id LIMIT 0 + :limit`,
);
const PACKAGES = statement<
  Stored<Omit<ListedPackage, "title" | "sounds">> & { readonly manifest: string }
>(
  "view_packages",
  (sql) =>
    `SELECT package_id, device_id, app_id, app_name, ${STATE_OF_PACKAGE} AS state, announced_bytes AS bytes,
       created_at, committed_at, manifest
     FROM packages JOIN manifests USING (package_id)
     WHERE package_id > :after AND (CAST(:device AS text) IS NULL OR device_id = :device)
       AND (CAST(:state AS text) IS NULL OR ${STATE_OF_PACKAGE} = :state)
       AND (CAST(:sha256 AS text) IS NULL OR ${sql.contains("manifest", ":sha256")})
     ORDER BY package_id LIMIT 0 + :limit`,
);

/** Lists devices. @param onlyUnpaired only devices that no app was ever paired with */
export function listDevices(
  page: PageOf,
  { onlyUnpaired = false }: { readonly onlyUnpaired?: boolean } = {},
): Work<Page<ListedDevice>> {
  const most_paired = onlyUnpaired ? 0 : 1;
  return readPage(
    page,
    (values) => DEVICES({ ...values, most_paired }),
    ({ blocked, ...row }) => ({
      ...withTimes<Omit<ListedDevice, "blocked">>(row),
      blocked: blocked === 1,
    }),
  );
}

/** Lists paired apps, of all devices or of one. */
export function listApps(
  page: PageOf,
  { device = null }: { readonly device?: string | null | undefined } = {},
): Work<Page<ListedApp>> {
  return readPage(page, (values) => APPS({ ...values, device }), withTimes);
}

/** Lists packages, of all devices or of one, in any state or in one, with or without a sound of this SHA-256. */
export function listPackages(page: PageOf, filter: PackageFilter = {}): Work<Page<ListedPackage>> {
  const { device = null, state = null, sha256 = null } = filter;
  return readPage(
    page,
    (values) => PACKAGES({ ...values, device, state, sha256 }),
    ({ manifest, ...row }) => {
      const { title, items } = manifestOf({ manifest });
      return {
        ...withTimes<Omit<ListedPackage, "title" | "sounds">>(row),
        title,
        sounds: items.length,
      };
    },
  );
}
