import type { DatabaseSync } from "node:sqlite";
import { filesEndAt } from "../../../../core/protocol/package-state.ts";
import { judgeInsert } from "../../../../core/quotas/judge-insert.ts";
import {
  judgeRoom,
  type RoomCounts,
  type RoomRefusal,
} from "../../../../core/quotas/judge-room.ts";
import type { AppUse, Filler } from "../../../../core/quotas/room-shares.ts";
import type {
  FullOf,
  HoldOptions,
  HoldOutcome,
  InsertOptions,
  InsertOutcome,
  PackageRecord,
  RoomOutcome,
} from "../../../../relay/domain/ports.ts";
import { newColumnsOf, number, text } from "../../../../relay/storage/records/rows.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The caller who asks for room, and the time. */
interface Asking {
  readonly deviceId: string;
  readonly appId: string;
  readonly address: string;
  readonly networks: readonly string[];
  readonly now: number;
}

/** Computes the expected answer to an announcement from plain sums over the tables. */
export function plainOutcome(
  database: DatabaseSync,
  record: PackageRecord,
  { now, quotas, address, idempotency }: InsertOptions,
): InsertOutcome {
  const { deviceId, appId } = record;
  const all = (sql: string, ...values: (string | number)[]) => database.prepare(sql).all(...values);
  const hour = all(
    "SELECT at FROM announcements WHERE device_id = ? AND app_id = ? AND abs(at - ?) < ? ORDER BY at",
    deviceId,
    appId,
    now,
    HOUR_MS,
  );
  const [answer] = all(
    "SELECT * FROM idempotency_keys WHERE device_id = ? AND app_id = ? AND key = ?",
    deviceId,
    appId,
    idempotency?.key ?? "",
  );
  const nthLatest = hour.at(-quotas.packagesPerHour);
  const asking = { deviceId, appId, address, networks: record.room?.networks ?? [], now };
  const verdict = judgeInsert(
    {
      deviceExists: all("SELECT 1 FROM devices WHERE device_id = ?", deviceId).length > 0,
      earlier: answer && {
        key: text(answer["key"]),
        bodyHash: text(answer["body_hash"]),
        answer: text(answer["answer"]),
        endsAt: number(answer["ends_at"]),
      },
      nthLatestAt: nthLatest && number(nthLatest["at"]),
      ...plainRoom(database, asking),
    },
    quotas,
    { bytes: newColumnsOf(record).announced_bytes, now },
  );
  if (verdict.kind === "admitted") return { kind: "inserted" };
  if (verdict.kind === "many-wait") {
    const isWaiting = "committed_at IS NOT NULL AND outcome IS NULL";
    return { kind: "many-wait", fullOf: fullOfApp(database, verdict.of, asking, isWaiting) };
  }
  const isOther =
    verdict.kind === "device-gone" || verdict.kind === "replay" || verdict.kind === "hourly-limit";
  return isOther ? verdict : refusalOf(database, verdict, asking);
}

/** Computes the expected answer to an upload that asks for its package's room. */
export function plainHold(
  database: DatabaseSync,
  record: PackageRecord,
  { now, quotas, room, replacedBytes }: HoldOptions,
): HoldOutcome {
  const { deviceId, appId, packageId, life, filesDeleted } = record;
  if (life.committedAt !== null || filesDeleted || now >= filesEndAt(life)) return { kind: "gone" };
  const bytes = newColumnsOf(record).missing_bytes;
  const isHeld = record.room?.address === room.address && now < record.room.until;
  if (replacedBytes === 0 && (isHeld || bytes === 0)) return { kind: "held" };
  const asking = { deviceId, appId, address: room.address, networks: room.networks, now };
  const counts = plainRoom(database, asking, packageId);
  const refused = judgeRoom(counts, quotas, { bytes, replacedBytes });
  return refused === undefined ? { kind: "held" } : refusalOf(database, refused, asking);
}

function plainRoom(
  database: DatabaseSync,
  { deviceId, appId, address, networks, now }: Asking,
  exceptId = "",
): RoomCounts & Pick<AppUse, "waitingPackages"> {
  const sum = (sql: string, ...values: (string | number)[]) =>
    number(database.prepare(`SELECT coalesce((${sql}), 0) AS value`).get(...values)?.["value"]);
  const holding = `SELECT sum(missing_bytes) FROM packages WHERE files_deleted = 0
    AND committed_at IS NULL AND room_held_until > ? AND package_id <> ?`;
  const reserved = (condition: string, ...values: string[]) =>
    sum(`${holding} AND ${condition}`, now, exceptId, ...values);
  const stored = (condition: string, of: string) =>
    sum(
      `SELECT sum(announced_bytes - missing_bytes) FROM packages
         WHERE files_deleted = 0 AND files_end_at > ? AND device_id = ? AND ${condition}`,
      now,
      deviceId,
      of,
    );
  const useOf = (of: string): AppUse => ({
    appId: of,
    storedBytes: stored("spare = 0 AND app_id = ?", of),
    reservedBytes: reserved("device_id = ? AND app_id = ?", deviceId, of),
    waitingPackages: sum(
      `SELECT count(*) FROM packages WHERE files_deleted = 0 AND files_end_at > ? AND device_id = ?
         AND app_id = ? AND committed_at IS NOT NULL AND outcome IS NULL`,
      now,
      deviceId,
      of,
    ),
  });
  const others = database
    .prepare("SELECT DISTINCT app_id FROM packages WHERE device_id = ? AND app_id <> ?")
    .all(deviceId, appId)
    .map((row) => useOf(text(row["app_id"])));
  const { reservedBytes: reservedOfApp, ...own } = useOf(appId);
  const inTier = "? IN (SELECT value FROM json_each(room_tiers))";
  return {
    receivedBytes: sum(
      "SELECT sum(bytes) FROM received WHERE address = ? AND abs(at - ?) < ?",
      address,
      now,
      DAY_MS,
    ),
    ...own,
    reservedOfApp,
    others,
    spareBytes: stored("spare = 1 AND app_id <> ?", ""),
    reservedOfAddress: reserved(inTier, address),
    reservedOfNetworks: networks.map((network) => reserved(inTier, network)),
    reservedBytes: reserved("true"),
  };
}

function refusalOf(
  database: DatabaseSync,
  refused: RoomRefusal,
  { deviceId, appId, address, now }: Asking,
): RoomOutcome {
  if (refused.kind === "address-limit") {
    let { excessBytes } = refused;
    const freeing = database
      .prepare("SELECT at, bytes FROM received WHERE address = ? AND abs(at - ?) < ? ORDER BY at")
      .all(address, now, DAY_MS)
      .find(({ bytes }) => (excessBytes -= number(bytes)) <= 0);
    return { kind: "address-limit", freeAt: number(freeing?.["at"] ?? now) + DAY_MS };
  }
  const { kind, frees } = refused;
  const freeable = frees && { frees };
  if (kind === "no-room") return { kind, ...freeable };
  if (kind === "device-full") {
    const fullOf = fullOfApp(database, refused.of, { deviceId, appId, now }, "true");
    return { kind, fullOf, ...freeable };
  }
  const holder = { app: deviceId, device: deviceId, address, relay: "" }[refused.of];
  const lapse = database
    .prepare(
      `SELECT min(room_held_until) AS lapse FROM packages
       WHERE room_held_until > ?1 AND ?2 IN ('', device_id, room_tiers ->> 0) AND ?3 IN ('', app_id)`,
    )
    .get(now, holder, refused.of === "app" ? appId : "");
  return { kind, freeAt: number(lapse?.["lapse"] ?? now), ...freeable };
}

function fullOfApp(
  database: DatabaseSync,
  filler: Filler,
  { deviceId, appId, now }: Pick<Asking, "deviceId" | "appId" | "now">,
  condition: string,
): FullOf | null {
  if (filler === "nobody") return null;
  const isCaller = filler === "caller";
  const next = database
    .prepare(
      `SELECT app_name, files_end_at FROM packages WHERE device_id = ? AND app_id = ? AND spare = 0
         AND files_deleted = 0 AND files_end_at > ? AND ${condition} ORDER BY files_end_at LIMIT 1`,
    )
    .get(deviceId, isCaller ? appId : filler.appId, now);
  if (next === undefined) return null;
  return { appName: text(next["app_name"]), isCaller, freeAt: number(next["files_end_at"]) };
}

/** Finds the keys ever made that aren't in exactly one place: doomed, or in one package. */
export function misplacedKeys(
  database: DatabaseSync,
  made: ReadonlySet<string>,
): readonly string[] {
  const places = database
    .prepare(
      `SELECT key FROM sound_keys WHERE state = 'doomed'
       UNION ALL
       SELECT value ->> 1 FROM packages, json_each(uploaded) WHERE files_deleted = 0`,
    )
    .all()
    .map(({ key }) => String(key));
  return [...made].filter((key) => places.filter((place) => place === key).length !== 1);
}
