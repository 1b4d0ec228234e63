import { parseManifest } from "../../../core/manifest/parse-manifest.ts";
import type { AnnouncedManifest, Warning } from "../../../core/manifest/manifest.ts";
import type { IdempotentAnswer, Quotas } from "../../../core/quotas/judge-insert.ts";
import type { AnnounceAnswer } from "../../../core/protocol/public-api.ts";
import { Refusal, refusal, refuseAll } from "../../../core/protocol/refusal.ts";
import { secondsUntil, timeText } from "../../../core/time.ts";
import { payAnnouncement } from "../admission/prices.ts";
import { type Caller, callingApp } from "../caller.ts";
import { type Context, HOUR_MS } from "../context.ts";
import { requireIdempotencyKey } from "../idempotency-key.ts";
import { refuseFull, refuseRoom, secondsWithin } from "./refuse-room.ts";
import { heldRoom, latestEnd, limitsOfDevice, roomQuotas } from "./room.ts";
import { makingRoom } from "./spare-packages.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { InsertOutcome, PackageRecord } from "../ports.ts";
import { makePackageId } from "../pairing/tokens.ts";

/** The answer to an announcement, as JSON text because a replay repeats it byte for byte (rule M9). */
interface Announced {
  readonly json: string;
  /** undefined for a replay. */
  readonly packageId?: string;
  readonly replayed: boolean;
}

/** A call to announce a package. */
interface AnnounceRequest {
  readonly body: Uint8Array;
  readonly parse: () => unknown;
  readonly idempotencyKey: string | undefined;
  readonly address: string;
}

/**
 * Announces a package: validates the manifest, reserves space and returns the upload paths (rules M1–M9, L1,
 * L2, L4, U6, AD5).
 * @throws {Refusal} 422 for the manifest or the key, with all `problems` (rule E3), 429 for a limit, 503 while the relay
 * is busy, 507 when there is no space
 */
export async function announcePackage(
  context: Context,
  app: KnownApp,
  request: AnnounceRequest,
): Promise<Announced> {
  try {
    return await announce(context, app, request);
  } catch (error) {
    const isOnlyOne = error instanceof Refusal && error.extras.problems === undefined;
    throw isOnlyOne && error.status === 422 ? refuseAll([error]) : error;
  }
}

async function announce(
  context: Context,
  app: KnownApp,
  request: AnnounceRequest,
): Promise<Announced> {
  const value = request.parse();
  const key = request.idempotencyKey;
  if (key !== undefined) requireIdempotencyKey(key);
  const { clock } = context;
  const bodyHash = key === undefined ? "" : context.digest.ofBytes(request.body);
  const earlier =
    key === undefined
      ? undefined
      : await context.packages.findIdempotent(app, key, clock.confirmedNow());
  if (earlier !== undefined) return replay(earlier, bodyHash);

  const caller = callingApp(app, request.address);
  const packageId = makePackageId(context.randomBytes);
  const { manifest, warnings } = parseManifest(value, { packageId });
  await context.operator.admitSounds(manifest);
  const record = newRecord(context, { app, caller, manifest });
  const json = JSON.stringify(announceAnswer(record, warnings, record.createdAt));
  const idempotency =
    key === undefined
      ? undefined
      : { key, bodyHash, answer: json, endsAt: record.life.uploadEndsAt };
  const outcome = await insertPaid(context, { record, caller, idempotency });
  if (outcome.kind === "replay") return replay(outcome.earlier, bodyHash);
  if (outcome.kind !== "inserted") throw refuseInsert(context, outcome, record.createdAt);
  return { json, packageId, replayed: false };
}

/** Inserts a package and pays for it. If nothing is stored, the payment is undone (rule L10). */
async function insertPaid(
  context: Context,
  {
    record,
    caller,
    idempotency,
  }: {
    readonly record: PackageRecord;
    readonly caller: Caller;
    readonly idempotency: IdempotentAnswer | undefined;
  },
): Promise<InsertOutcome> {
  const refund = await payAnnouncement(context, caller);
  let isStored = false;
  try {
    const insert = async () =>
      context.packages.insert(record, {
        now: record.createdAt,
        confirmedNow: context.clock.confirmedNow(),
        quotas: await quotasNow(context, caller),
        address: caller.address,
        latestEnd: latestEnd(context),
        idempotency,
      });
    const outcome = await makingRoom(context, record.deviceId, insert);
    isStored = outcome.kind === "inserted";
    return outcome;
  } finally {
    if (!isStored) await refund();
  }
}

function newRecord(
  context: Context,
  {
    app,
    caller,
    manifest,
  }: { readonly app: KnownApp; readonly caller: Caller; readonly manifest: AnnouncedManifest },
): PackageRecord {
  const now = context.clock.now();
  const uploadEndsAt = now + context.policy.uploadWindowMs;
  return {
    packageId: manifest.package_id,
    deviceId: app.deviceId,
    appId: app.appId,
    appName: app.appName,
    createdAt: now,
    manifest,
    life: { uploadEndsAt, committedAt: null, waitEndsAt: null, outcome: null, lease: null },
    uploaded: new Map(),
    results: null,
    isSpare: false,
    takenAt: null,
    reportedAt: null,
    filesDeleted: false,
    room: heldRoom(context, caller, uploadEndsAt),
    version: 1,
  };
}

function announceAnswer(
  { packageId, manifest, life }: PackageRecord,
  warnings: readonly Warning[],
  now: number,
): AnnounceAnswer {
  const path = (file: string) => `/packages/${packageId}/files/${encodeURIComponent(file)}`;
  return {
    package_id: packageId,
    upload: Object.fromEntries(manifest.items.map(({ file }) => [file, path(file)])),
    warnings,
    expires_at: timeText(life.uploadEndsAt),
    expires_in: secondsUntil(life.uploadEndsAt, now),
  };
}

function replay(earlier: IdempotentAnswer, bodyHash: string): Announced {
  if (earlier.bodyHash !== bodyHash) throw refusal("IDEMPOTENCY_KEY_REUSED");
  return { json: earlier.answer, replayed: true };
}

async function quotasNow(context: Context, caller: Caller): Promise<Quotas> {
  const { packagesPerHour } = context.policy;
  const { waitingPerDevice } = limitsOfDevice(context.policy, caller);
  const room = await roomQuotas(context, caller, { isResumed: false });
  return { ...room, packagesPerHour, waitingPerDevice };
}

function refuseInsert(
  context: Context,
  outcome: Exclude<InsertOutcome, { kind: "inserted" | "replay" }>,
  now: number,
): Error {
  switch (outcome.kind) {
    case "hourly-limit":
      return refusal(
        "PACKAGES_TOO_MANY",
        { max: context.policy.packagesPerHour },
        { retryAfterSeconds: secondsWithin(outcome.freeAt - now, HOUR_MS) },
      );
    case "many-wait":
      return refuseFull(context, "MANY_WAIT", outcome.fullOf);
    case "device-gone":
      return refusal("TOKEN_UNKNOWN");
    case "address-limit":
    case "uploads-unfinished":
    case "device-full":
    case "no-room":
      return refuseRoom(context, outcome, now);
  }
}
