import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import {
  CROWDED_SHARE,
  PROVEN_SHARE,
  RESUME_SHARE,
  UNFILLED_PER_ADDRESS,
  UNFILLED_PER_DEVICE,
} from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { type Context, DAY_MS, HOUR_MS, MINUTE_MS } from "../context.ts";
import type { HeldRoom, PackageRecord, RoomOutcome, RoomQuotas, Usage } from "../ports.ts";
import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import type { MeAnswer } from "../../../core/protocol/public-api.ts";
import { roomLeft } from "../../../core/quotas/room-left.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";

/** While bytes arrive, their package's room is prolonged this often at most. */
const PROLONG_MS = MINUTE_MS;
/** With a short hold, so often in its time. */
const PROLONGS_PER_HOLD = 5;

/** Room for what a package lacks after bytes of it arrived, or it was announced; never past its upload window. */
export function heldRoom(
  { clock, policy }: Context,
  { address, networks }: Pick<Caller, "address" | "networks">,
  uploadEndsAt: number,
): HeldRoom {
  const until = Math.min(clock.provenNow() + policy.roomHoldMs, uploadEndsAt);
  return { address, networks, until };
}

/** A reservation that ends later was made on a clock that was ahead (rule U6). */
export function latestEnd({ clock, policy }: Context): number {
  return clock.provenNow() + 2 * policy.roomHoldMs;
}

/**
 * What there is room for now (rules L2, U9). Of the free room a part is kept for the proven, and of either part
 * a bit for uploads that ask for room again.
 */
export async function roomQuotas(
  context: Context,
  caller: Caller,
  { isResumed }: { readonly isResumed: boolean },
): Promise<RoomQuotas> {
  const { policy, sounds } = context;
  const quotas = {
    bytesPerDevice: policy.bytesPerDevice,
    bytesPerAddressPerDay: policy.bytesPerAddressPerDay,
    unfilledPerDevice: UNFILLED_PER_DEVICE,
    unfilledPerAddress: UNFILLED_PER_ADDRESS,
  };
  const room = context.health.isFull ? 0 : await sounds.room();
  if (room === "unknown") return { ...quotas, uncrowdedBytes: Infinity, roomBytes: room };
  const freeBytes = Math.max(0, room - policy.minFreeBytes);
  const share = (caller.isProven ? 1 : 1 - PROVEN_SHARE) * (isResumed ? 1 : 1 - RESUME_SHARE);
  return {
    ...quotas,
    uncrowdedBytes: freeBytes * CROWDED_SHARE,
    roomBytes: Math.round(freeBytes * share),
  };
}

/** The refusal of what there is no room for, with the time after which trying again can help. */
export function refuseRoom({ clock }: Context, outcome: RoomOutcome, now: number): Refusal {
  switch (outcome.kind) {
    case "address-limit": {
      const retryAfterSeconds = secondsWithin(outcome.freeAt - now, DAY_MS);
      return refusal("ADDRESS_BYTES_TOO_MANY", {}, { retryAfterSeconds });
    }
    case "uploads-unfinished": {
      const retryAfterSeconds = secondsWithin(outcome.freeAt - clock.provenNow(), DAY_MS);
      const minutes = Math.ceil(retryAfterSeconds / 60);
      return refusal("UPLOADS_UNFINISHED", { minutes }, { retryAfterSeconds });
    }
    case "device-full":
      return refusal("DEVICE_FULL");
    case "no-room":
      return refusal("DISK_FULL");
  }
}

/** Whole seconds, at least 1. */
export function secondsWithin(ms: number, maxMs: number): number {
  return Math.max(1, Math.ceil(Math.min(ms, maxMs) / 1000));
}

/** The room that a package holds while one of its files is uploaded (rule U6). */
export class UploadRoom {
  readonly #context: Context;
  readonly #caller: Caller;
  readonly #record: PackageRecord;
  #prolongAt: number;

  private constructor(context: Context, caller: Caller, record: PackageRecord) {
    this.#context = context;
    this.#caller = caller;
    this.#record = record;
    this.#prolongAt = (record.room?.until ?? 0) - context.policy.roomHoldMs + this.#pauseMs;
  }

  /**
   * The room for an upload. Asks for it again where its package holds none, where another address holds it, or
   * where the upload replaces a file. What is held is prolonged only by bytes.
   * @throws {Refusal} 507 without room, 429 ADDRESS_BYTES_TOO_MANY, 404
   */
  static async open(
    context: Context,
    { caller, sound }: { readonly caller: Caller; readonly sound: AnnouncedSound },
    record: PackageRecord,
  ): Promise<UploadRoom> {
    const room = new UploadRoom(context, caller, record);
    const replacedBytes = record.uploaded.has(sound.file) ? sound.bytes : 0;
    const { address, until = 0 } = record.room ?? {};
    const isHeld = context.clock.provenNow() < until && until <= latestEnd(context);
    if (!isHeld || address !== caller.address || replacedBytes > 0) await room.#hold(replacedBytes);
    return room;
  }

  /** Prolongs it if that is due: call it with each piece. undefined if it isn't. @throws {Refusal} as `open` */
  keep(): Promise<void> | undefined {
    return this.#isDue() ? this.#hold(0) : undefined;
  }

  #isDue(): boolean {
    return this.#context.clock.provenNow() >= this.#prolongAt;
  }

  async #hold(replacedBytes: number): Promise<void> {
    const context = this.#context;
    const { packageId, life } = this.#record;
    const [now, provenNow] = [context.clock.now(), context.clock.provenNow()];
    const outcome = await context.packages.holdRoom(packageId, {
      now,
      provenNow,
      latestEnd: latestEnd(context),
      room: heldRoom(context, this.#caller, life.uploadEndsAt),
      quotas: await roomQuotas(context, this.#caller, { isResumed: true }),
      replacedBytes,
    });
    this.#prolongAt = provenNow + this.#pauseMs;
    // Whatever the package has become meanwhile, the upload's own checks say it.
    if (outcome.kind === "held" || outcome.kind === "gone") return;
    throw refuseRoom(context, outcome, now);
  }

  get #pauseMs(): number {
    return Math.min(PROLONG_MS, this.#context.policy.roomHoldMs / PROLONGS_PER_HOLD);
  }
}

/** What an announcement of this app would have room for now (rule A4). Advice: nothing is reserved. */
export async function readRoom(
  context: Context,
  app: KnownApp,
  caller: Caller,
): Promise<MeAnswer["room"]> {
  const usage = await readUsage(context, app, caller);
  const quotas = await roomQuotas(context, caller, { isResumed: false });
  return {
    bytes_left: roomLeft(usage, quotas),
    waiting_left: Math.max(0, context.policy.waitingPerDevice - usage.waitingPackages),
    package_bytes_max: MAX_PACKAGE_BYTES,
  };
}

/** How many packages an app may announce in any hour, how many of them are left, and the seconds until there are more. */
export interface PackagesLeft {
  readonly max: number;
  readonly remaining: number;
  /** 0 while there are some. */
  readonly seconds: number;
}

/** What the limit of packages leaves to an app now (rule L1). */
export async function readPackagesLeft(
  context: Context,
  app: KnownApp,
  caller: Caller,
): Promise<PackagesLeft> {
  const { announcements, firstAnnouncedAt } = await readUsage(context, app, caller);
  const { packagesPerHour: max } = context.policy;
  const remaining = Math.max(0, max - announcements);
  const freeAt = (firstAnnouncedAt ?? 0) + HOUR_MS;
  const seconds = remaining > 0 ? 0 : secondsWithin(freeAt - context.clock.now(), HOUR_MS);
  return { max, remaining, seconds };
}

function readUsage(
  { packages, clock }: Context,
  app: KnownApp,
  { address, networks }: Caller,
): Promise<Usage> {
  return packages.readUsage(app, { address, networks, now: clock.now() });
}
