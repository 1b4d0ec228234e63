import { type Context, MINUTE_MS } from "../context.ts";
import { requireOwnSounds } from "./doomed-sounds.ts";
import {
  type ClockJump,
  noticesJumps,
  StoreBusyError,
  StoreFullError,
  StoreLostError,
  type WriteOptions,
} from "../ports.ts";
import { timeText } from "../../../core/time.ts";

/** The reason why no change succeeds, for programs, and which of the two stores it concerns. */
export interface NotReady {
  readonly reason: "full" | "locked" | "lost" | "failing";
  readonly part: "database" | "store";
}

const SENTENCES: Readonly<Record<NotReady["reason"], string>> = {
  full: "Nothing can be saved: the disk is full. Free some space.",
  locked: "Nothing can be saved: another program has locked the database. Close it.",
  lost: "Nothing can be saved: the database or the folder of sounds was exchanged or damaged. The log says more.",
  failing: "Nothing can be saved: the disk or the database fails. The log says more.",
};

/**
 * Tries to read and to change something, and notes under `writing` why no change succeeds. Resolves with the error of
 * the database or the sound store and what kind it is; with undefined if all is well. The database's comes first.
 */
export async function tryStores(
  context: Context,
  options: WriteOptions = {},
): Promise<(NotReady & { readonly cause: unknown }) | undefined> {
  const { health, packages, sounds, upkeep } = context;
  const tries = [
    ["database", Promise.all([packages.find("pkg_none"), upkeep?.tryChange(options)])],
    ["store", Promise.all([sounds.room(), requireOwnSounds(context)])],
  ] as const;
  const outcomes = await Promise.allSettled(tries.map(([, tried]) => tried));
  for (const [index, [part]] of tries.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== "rejected") continue;
    const cause: unknown = outcome.reason;
    const reason = reasonOf(cause);
    health.note("writing", SENTENCES[reason]);
    return { reason, part, cause };
  }
  health.note("writing", undefined);
  return undefined;
}

function reasonOf(error: unknown): NotReady["reason"] {
  if (error instanceof StoreFullError) return "full";
  if (error instanceof StoreBusyError) return "locked";
  return error instanceof StoreLostError ? "lost" : "failing";
}

/**
 * Time after which an idle relay keeps its time again. After a kill, an older one than an hour would pass for a jump of the
 * clock.
 */
const KEPT_MS = 30 * MINUTE_MS;

/**
 * Keeps the time for the next start, so that a jump of the clock while the relay is off is noticed, and notes a jump
 * for operators (rule Z6). Never keeps an unproven time, and with `onlyIfUsed` rarely one while nothing happens (rule Z17).
 * Follows the machine's clock if an operator says that it is right.
 */
export async function keepTime(context: Context, options: WriteOptions = {}): Promise<void> {
  const { clock, upkeep } = context;
  if (!noticesJumps(clock)) return;
  const state = await upkeep?.read();
  if (upkeep !== undefined && state?.wasTimeReset === true) {
    clock.restart();
    // What is cached until a time may be cached for days now.
    context.known.forget();
    context.notifier.missed();
    await upkeep.keep({ time: clock.confirmedNow(), wasTimeReset: false });
  }
  const jump = noteClock(context);
  if (jump?.kind === "forward") return;
  const time = clock.confirmedNow();
  const isOld = time - (state?.time ?? -Infinity) >= KEPT_MS;
  await upkeep?.keep({ time }, isOld ? { onlyIfUsed: false } : options);
}

/** Notes a jump of the clock, or that there is none. */
export function noteClock({ clock, health }: Context): ClockJump | undefined {
  if (!noticesJumps(clock)) return undefined;
  const jump = clock.findJump();
  health.note("clock", jump && sentenceOf(jump));
  return jump;
}

function sentenceOf(jump: ClockJump): string {
  if (jump.kind === "back") {
    return (
      "The clock of this machine was set back, so the relay's time is ahead of it, and packages are kept " +
      "longer. If the clock is right now, run `soundferry relay check --reset-clock`."
    );
  }
  const provenAt = timeText(jump.provenAt).slice(0, 16).replace("T", " ");
  return (
    "The clock of this machine jumped ahead by more than an hour. Nothing expires before " +
    `${provenAt} UTC. If the clock is wrong, set it right before then.`
  );
}

/**
 * Notes the notifier's trouble, if other relays' changes are found late (rule SC31), a missing registration key (rule AD13),
 * and what is scarce (rule L13).
 */
export async function recordProblems(context: Context): Promise<void> {
  const { clock, health, notifier, policy, operator } = context;
  health.note("changes", notifier.trouble);
  const lacksKey = policy.registersByKey && policy.registrationKey === undefined;
  health.note("keys", lacksKey && !operator.hasKeys ? NO_KEY : undefined);
  health.tellScarce(clock.now());
}

const NO_KEY =
  "No computer can register: add a key with soundferry admin keys add, or set SOUNDFERRY_REGISTRATION_KEY.";

/** The least space that counts as room for a sound. */
const LEAST_ROOM_BYTES = 65_536;
const SENTENCE =
  "The disk is full. Nothing new is accepted; importing and deleting still work. Free some space: sending resumes within a minute.";

const RESERVE_SENTENCE =
  "The disk is almost full: SOUNDFERRY_MIN_FREE_BYTES stays free. Announced sounds are still accepted, new packages are not. Free some space.";

/**
 * Watches for a full disk. As soon as the database reports one, calls that need room are refused, and running uploads
 * end. Returns a function that stops watching.
 * @param onFull called whenever the disk becomes full
 */
export function watchFullDisk(context: Context, onFull: () => void): () => void {
  return (
    context.ballast?.watch(() => {
      if (context.health.isFull) return;
      noteFull(context);
      onFull();
    }) ?? (() => {})
  );
}

/**
 * Checks the room, and notes or ends that the disk is full: the database may have room in its own files when there is
 * none for sounds.
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

/** Notes whether new packages are refused because of the space that must stay free. */
export function noteReserve(context: Context, room: number | "unknown"): void {
  const { minFreeBytes } = context.policy;
  const isShort = room !== "unknown" && room < minFreeBytes + LEAST_ROOM_BYTES;
  const isReserve = isShort && minFreeBytes > 0 && !context.health.isFull;
  context.health.note("reserve", isReserve ? RESERVE_SENTENCE : undefined);
}

function noteFull({ health, notifier }: Context): void {
  health.note("full", SENTENCE);
  // Running uploads look again, and end.
  notifier.missed();
}
