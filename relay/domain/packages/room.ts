import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import {
  CROWDED_SHARE,
  PROVEN_SHARE,
  RESUME_SHARE,
  UNFILLED_PER_ADDRESS,
  UNFILLED_PER_APP,
} from "../../../core/quotas/budgets.ts";
import type { Caller } from "../caller.ts";
import { type Context, MINUTE_MS, type Policy } from "../context.ts";
import type { HeldRoom, PackageRecord, RoomQuotas } from "../ports.ts";
import { refuseRoom } from "./refuse-room.ts";
import { makingRoom } from "./spare-packages.ts";

/** The shortest time between two extensions of a package's room while its bytes arrive. */
const PROLONG_MS = MINUTE_MS;
/** Number of extensions in the time of a hold that is short. */
const PROLONGS_PER_HOLD = 5;

/**
 * Returns the room for a package's missing files, as it is held after an announcement or after bytes; never past its
 * upload window.
 */
export function heldRoom(
  { clock, policy }: Context,
  { address, networks }: Pick<Caller, "address" | "networks">,
  uploadEndsAt: number,
): HeldRoom {
  const until = Math.min(clock.confirmedNow() + policy.roomHoldMs, uploadEndsAt);
  return { address, networks, until };
}

/** Returns the latest valid end of a reservation: a later one was made on a clock that was ahead (rule U6). */
export function latestEnd({ clock, policy }: Context): number {
  return clock.confirmedNow() + 2 * policy.roomHoldMs;
}

/** Returns the limits of a caller's device: an operator's own (rule AD14), or the relay's. */
export function limitsOfDevice(
  { bytesPerDevice, waitingPerDevice }: Pick<Policy, "bytesPerDevice" | "waitingPerDevice">,
  { quota }: Pick<Caller, "quota">,
): Pick<Policy, "bytesPerDevice" | "waitingPerDevice"> {
  return {
    bytesPerDevice: quota?.bytes ?? bytesPerDevice,
    waitingPerDevice: quota?.waiting ?? waitingPerDevice,
  };
}

/**
 * Reads the quotas of room as they are now (rules L2, U9). A part of the free room is kept for proven callers, and a
 * bit of either part for uploads that ask for room again.
 * @param spareBytes bytes of spare packages that can make room on the disk
 */
export async function roomQuotas(
  context: Context,
  caller: Caller,
  { isResumed, spareBytes = 0 }: { readonly isResumed: boolean; readonly spareBytes?: number },
): Promise<RoomQuotas> {
  const { policy, sounds } = context;
  const quotas = {
    bytesPerDevice: limitsOfDevice(policy, caller).bytesPerDevice,
    bytesPerAddressPerDay: policy.bytesPerAddressPerDay,
    unfilledPerApp: UNFILLED_PER_APP,
    unfilledPerAddress: UNFILLED_PER_ADDRESS,
  };
  const { isFull } = context.health;
  const room = isFull ? 0 : await sounds.room();
  if (room === "unknown") return { ...quotas, uncrowdedBytes: Infinity, roomBytes: room };
  const freeBytes = Math.max(0, room + (isFull ? 0 : spareBytes) - policy.minFreeBytes);
  const share = (caller.isProven ? 1 : 1 - PROVEN_SHARE) * (isResumed ? 1 : 1 - RESUME_SHARE);
  return {
    ...quotas,
    uncrowdedBytes: freeBytes * CROWDED_SHARE,
    roomBytes: Math.round(freeBytes * share),
  };
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
   * Opens the room for an upload. Asks for it again if its package holds none, if another address holds it, or if the
   * upload replaces a file. Only bytes prolong a hold.
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
    const isHeld = context.clock.confirmedNow() < until && until <= latestEnd(context);
    if (!isHeld || address !== caller.address || replacedBytes > 0) await room.#hold(replacedBytes);
    return room;
  }

  /** Prolongs the room if that is due; undefined if it isn't. Call it with each piece. @throws {Refusal} as `open` */
  keep(): Promise<void> | undefined {
    return this.#isDue() ? this.#hold(0) : undefined;
  }

  #isDue(): boolean {
    return this.#context.clock.confirmedNow() >= this.#prolongAt;
  }

  async #hold(replacedBytes: number): Promise<void> {
    const context = this.#context;
    const { packageId, deviceId, life } = this.#record;
    const [now, confirmedNow] = [context.clock.now(), context.clock.confirmedNow()];
    const hold = async () =>
      context.packages.holdRoom(packageId, {
        now,
        confirmedNow,
        latestEnd: latestEnd(context),
        room: heldRoom(context, this.#caller, life.uploadEndsAt),
        quotas: await roomQuotas(context, this.#caller, { isResumed: true }),
        replacedBytes,
      });
    const outcome = await makingRoom(context, deviceId, hold);
    this.#prolongAt = confirmedNow + this.#pauseMs;
    // If the package is gone, the upload's own checks refuse it.
    if (outcome.kind === "held" || outcome.kind === "gone") return;
    throw refuseRoom(context, outcome, now);
  }

  get #pauseMs(): number {
    return Math.min(PROLONG_MS, this.#context.policy.roomHoldMs / PROLONGS_PER_HOLD);
  }
}
