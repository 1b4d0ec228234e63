import { timeText } from "../../core/time.ts";
import { findDenied } from "../storage/records/decisions.ts";
import { findPackage } from "../storage/records/package-reads.ts";
import { arrivalsOf } from "../storage/records/rows.ts";
import { findPartials } from "../storage/records/sound-keys.ts";
import { ask, statement, type Work } from "../storage/records/statement.ts";
import type { Listed, ListFilter, ListName, Page } from "./listed.ts";
import { readList } from "./lists.ts";
import { isConnected, type PackageStory, type StoryDevice, storyOf } from "./package-story.ts";

/** The filter of a list that a search reads. */
type FoundBy = Pick<ListFilter, "device" | "app" | "id" | "name" | "title">;

/** The result of an operator's search, newest first. */
export interface Found {
  readonly devices: Page<Listed["devices"]>;
  readonly apps: Page<Listed["apps"]>;
  readonly packages: Page<Listed["packages"]>;
  /** The filters by which each list continues. */
  readonly filters: Readonly<Partial<Record<"devices" | "apps" | "packages", FoundBy>>>;
  /** The only package that was found, as a whole. */
  readonly story: PackageStory | undefined;
  /** The only computer that was found. */
  readonly device: StoryDevice | undefined;
}

/** A package that is gone. */
export interface GonePackage {
  readonly package_id: string;
  readonly at: string;
  /** The operator who purged it; undefined if the record doesn't say who removed it. */
  readonly who?: string;
}

interface DeviceRow {
  readonly device_id: string;
  readonly device_name: string;
  readonly last_seen_at: number;
  readonly is_revoked: number;
  readonly blocks: number;
  readonly bytes_quota: number | null;
  readonly waiting_quota: number | null;
}
const DEVICE = statement<DeviceRow>(
  "find_shown_device",
  `SELECT device_id, device_name, last_seen_at, bytes_quota, waiting_quota,
     CASE WHEN token_hash = 'revoked ' || device_id THEN 1 ELSE 0 END AS is_revoked,
     (SELECT count(*) FROM blocks WHERE subject = devices.device_id) AS blocks
   FROM devices WHERE device_id = :device`,
);
const TIMES = statement<{
  readonly arrived: string;
  readonly seen_at: number | null;
  readonly pairing_id: string | null;
}>(
  "find_story",
  `SELECT arrived, seen_at, pairing_id FROM packages LEFT JOIN pairings
     ON pairings.device_id = packages.device_id AND pairings.app_id = packages.app_id
   WHERE package_id = :package`,
);
const PURGED = statement<{
  readonly at: number;
  readonly who: string;
  readonly subject: string;
  readonly detail: string | null;
}>(
  "find_purged",
  (sql) =>
    `SELECT at, who, subject, detail FROM operator_log
     WHERE action = 'purge' AND (substr(subject, 1, length(:id)) = :id
       OR ${sql.contains("coalesce(detail, '')", ":quoted")})
     ORDER BY seq DESC LIMIT 1`,
);

const NOTHING: Page<never> = { items: [], next: null };

/**
 * Finds packages, computers and apps by the beginning of an id, or by a part of a title or a name. If that is one thing
 * only, it also finds what belongs to it: of a computer its apps and packages, of an app its packages.
 * @param now relay time
 */
export function* find(text: string, limit: number, now: number): Work<Found> {
  const [, kind] = /^(pkg|dev|pair)_/.exec(text) ?? [];
  const page = { limit };
  const list = function* <Name extends ListName>(name: Name, filter: ListFilter) {
    return yield* readList(name, page, filter);
  };
  const is = (prefix: string) => kind === undefined || kind === prefix;
  const named = kind === undefined ? { name: text } : { id: text };
  const titled = kind === undefined ? { title: text } : { id: text };
  const devices = is("dev") ? yield* list("devices", named) : NOTHING;
  const apps = is("pair") ? yield* list("apps", named) : NOTHING;
  const packages = is("pkg") ? yield* list("packages", titled) : NOTHING;
  const filters = { devices: named, apps: named, packages: titled };
  const found = { devices, apps, packages, filters, story: undefined, device: undefined };

  const all = [devices, apps, packages];
  const count = all.reduce(
    (sum, { items, next }) => sum + items.length + (next === null ? 0 : 1),
    0,
  );
  if (count !== 1) return found;
  const [onlyDevice, onlyApp, onlyPackage] = [devices.items[0], apps.items[0], packages.items[0]];
  if (onlyPackage !== undefined) {
    return { ...found, story: yield* readStory(onlyPackage.package_id, now) };
  }
  const device = (onlyDevice ?? onlyApp)?.device_id ?? "";
  const filter = onlyApp === undefined ? { device } : { app: onlyApp.pairing_id };
  return {
    ...found,
    apps: onlyApp === undefined ? yield* list("apps", filter) : apps,
    packages: yield* list("packages", filter),
    filters: { apps: filter, packages: filter },
    device: yield* readDevice(device, now),
  };
}

function* readDevice(device: string, now: number): Work<StoryDevice | undefined> {
  const [row] = yield* ask(DEVICE({ device }));
  return (
    row && {
      device_id: row.device_id,
      device_name: row.device_name,
      last_seen_at: timeText(row.last_seen_at),
      connected: isConnected(row.last_seen_at, now),
      blocked: row.blocks > 0,
      revoked: row.is_revoked === 1,
      bytes_quota: row.bytes_quota,
      waiting_quota: row.waiting_quota,
    }
  );
}

function* readStory(packageId: string, now: number): Work<PackageStory | undefined> {
  const record = (yield* findPackage(packageId))?.record;
  const [times] = yield* ask(TIMES({ package: packageId }));
  const device = yield* readDevice(record?.deviceId ?? "", now);
  // It may have been removed between these reads.
  if (record === undefined || times === undefined || device === undefined) return undefined;
  return storyOf({
    record,
    arrivals: arrivalsOf(times.arrived),
    partials: (yield* findPartials(packageId)) ?? new Map(),
    seenAt: times.seen_at,
    denied: yield* findDenied(record.manifest.items.map(({ sha256 }) => sha256)),
    pairingId: times.pairing_id,
    device,
    now,
  });
}

/** Finds the latest purge of a package whose id begins so, in the operators' log. */
export function* findPurged(id: string): Work<GonePackage | undefined> {
  const [row] = yield* ask(PURGED({ id, quoted: `"${id}` }));
  if (row === undefined) return undefined;
  const ids: readonly string[] = row.detail === null ? [row.subject] : JSON.parse(row.detail);
  const purged = ids.find((each) => each.startsWith(id)) ?? id;
  return { package_id: purged, at: timeText(row.at), who: row.who };
}
