import { refusal, type Refusal } from "../../../core/protocol/refusal.ts";
import type { Context } from "../context.ts";

/** With less there is no room for a sound. */
const LEAST_ROOM_BYTES = 65_536;
const SENTENCE =
  "The disk is full. Nothing new is accepted; importing and deleting still work. Free some space: sending resumes within a minute.";

const RESERVE_SENTENCE =
  "The disk is almost full: SOUNDFERRY_MIN_FREE_BYTES stays free. Announced sounds are still accepted, new packages are not. Free some space.";

/** Whether the database has no room, or only what its ballast left (rule Z7). */
export function isFull({ health }: Context): boolean {
  return health.notices.has("full");
}

/** The refusal of everything that needs room; undefined unless the disk is full. */
export function refuseWhileFull(context: Context): Refusal | undefined {
  return isFull(context) ? refusal("DISK_FULL") : undefined;
}

/**
 * From now on, what needs room is refused as soon as the database reports that its disk is full, and running
 * uploads end. Returns a function that stops watching.
 * @param onFull called whenever that begins
 */
export function watchFullDisk(context: Context, onFull: () => void): () => void {
  return (
    context.ballast?.watch(() => {
      if (isFull(context)) return;
      noteFull(context);
      onFull();
    }) ?? (() => {})
  );
}

/**
 * Ends that once there is room again, and begins it where there is none: the database may have room of its own in
 * its files when there is none for sounds.
 */
export async function lookForRoom(context: Context): Promise<void> {
  const { ballast, sounds, health } = context;
  const isRefilled = await ballast?.refill();
  const room = await sounds.room();
  if (isRefilled !== undefined) {
    const hasRoom = room === "unknown" || room >= LEAST_ROOM_BYTES;
    if (isRefilled && hasRoom) health.note("full", undefined);
    else noteFull(context);
  }
  noteReserve(context, room);
}

/** Says whether new packages are refused because of the space that must stay free. */
export function noteReserve(context: Context, room: number | "unknown"): void {
  const { minFreeBytes } = context.policy;
  const isShort = room !== "unknown" && room < minFreeBytes + LEAST_ROOM_BYTES;
  const isReserve = isShort && minFreeBytes > 0 && !isFull(context);
  context.health.note("reserve", isReserve ? RESERVE_SENTENCE : undefined);
}

function noteFull({ health, notifier }: Context): void {
  health.note("full", SENTENCE);
  // Running uploads look again, and end.
  notifier.missed();
}
