import { AbortedSend } from "./aborted-send.ts";
import { checkRoom } from "./check-room.ts";
import { checkSounds, checkTotal, sumOfBytes } from "./check-sounds.ts";
import { ClientError } from "../wire/client-error.ts";
import type { Pace } from "../wire/client-settings.ts";
import type { DescribedPackage } from "./describe-package.ts";
import type { HashSettings } from "./hash-sound.ts";
import type { OutgoingPackage } from "./outgoing-package.ts";
import { loadHeaders } from "../parts/parts.ts";
import { Persistence } from "../browser/persistence.ts";
import { hashPackage } from "./prepare-package.ts";
import type { RelayCalls } from "../wire/relay-calls.ts";
import { isTemporary } from "../wire/retry.ts";
import type { SendOptions, SentPackage } from "./send-options.ts";
import { PackageOnItsWay } from "./send-package.ts";
import { errorWith, soundNamesOf } from "./sound-names.ts";

/** What sending needs. */
export interface SendDeps {
  readonly calls: RelayCalls;
  readonly pace: Pace;
  readonly hashSettings: HashSettings;
}

/** What is to be sent, and under which key. */
export interface SendTask {
  readonly key: string;
  /** Whether the app chose the key, and so wants to resume the package on its own. */
  readonly isOwnKey: boolean;
  /** Whether nothing of it can have arrived before. */
  readonly isNew: boolean;
  /** Checks and hashes, if that was not done before. */
  prepare(persistence: Persistence): Promise<OutgoingPackage>;
  /** Gets what the next page needs to resume it. */
  onAnnounced?(packageId: string): void;
}

/** Checks the sounds, then the pairing and the room, then hashes: what fails early costs nothing. */
export async function prepareDescribed(
  { calls, hashSettings }: SendDeps,
  described: DescribedPackage,
  {
    persistence,
    options,
    isNew,
  }: {
    readonly persistence: Persistence;
    readonly options: SendOptions;
    readonly isNew: boolean;
  },
): Promise<OutgoingPackage> {
  persistence.states.enter("hashing");
  checkTotal(described.sounds);
  await checkSounds(described.sounds, () => persistence.call(loadHeaders));
  const me = await persistence.call(() => calls.me({ signal: options.signal }));
  // A package that was announced before holds its room.
  if (isNew) checkRoom(me, sumOfBytes(described.sounds));
  return persistence.call(() => hashPackage(described, { ...options, ...hashSettings }));
}

/**
 * Sends a package to its commit. After a final refusal or an abort it withdraws the package, unless the app can
 * resume it under its own key.
 * @throws {ClientError} with the package's id; `AbortedSend`
 */
export async function sendTask(
  { calls, pace }: SendDeps,
  task: SendTask,
  options: SendOptions,
): Promise<SentPackage> {
  const persistence = new Persistence(pace, options);
  const onItsWay = new PackageOnItsWay(calls, persistence, {
    ...options,
    onAnnounced: (announced) => {
      task.onAnnounced?.(announced.package_id);
      options.onAnnounced?.(announced);
    },
  });
  const withdraw = (packageId: string) => calls.withdrawals.take(packageId);
  let outgoing: OutgoingPackage | undefined;
  try {
    outgoing = await task.prepare(persistence);
    return await onItsWay.send(outgoing, task.key, {
      isNew: task.isNew,
      onLate: ({ package_id: packageId }) => {
        if (!task.isOwnKey) void withdraw(packageId);
      },
    });
  } catch (error) {
    const { packageId, isCommitting } = onItsWay;
    if (options.signal?.aborted === true) {
      const isKept = task.isOwnKey && !isCommitting;
      const outcome =
        packageId === undefined ? "nothing" : isKept ? "kept" : await withdraw(packageId);
      throw new AbortedSend(outcome, options.signal.reason, packageId);
    }
    if (packageId !== undefined && !task.isOwnKey && isFinal(error)) await withdraw(packageId);
    if (!(error instanceof ClientError)) throw error;
    throw errorWith(error, { packageId }, soundNamesOf(outgoing?.manifest ?? {}));
  }
}

/** Whether sending the same again can't help. A 401 leaves nothing to withdraw with. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof ClientError)) return true;
  if (error.code === "ROOM_TOO_SMALL" || error.code === "MIXED_CONTENT") return false;
  return ![401, 408, 429, 503, 507].includes(error.status ?? 0) && !isTemporary(error);
}
