import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import { fileUnknown, nameSound, Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { refuseUpload } from "../../../core/protocol/package-state.ts";
import type { Caller } from "../caller.ts";
import type { Context } from "../context.ts";
import { findOfPairedApp, findOwnPackage, refuseDeleted } from "../packages/update-package.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { PackageRecord } from "../ports.ts";

/** A file of a package, and the app that names it. */
export interface UploadTarget {
  readonly app: KnownApp;
  readonly packageId: string;
  readonly file: string;
}

/** One incoming file, or the next part of it. */
export interface Upload extends UploadTarget {
  readonly caller: Caller;
  /** `Content-Length`, if the sender set it. */
  readonly contentLength: number | undefined;
  /**
   * Reads the raw bytes, once the call is checked. Throws when the sender disconnects or stalls, and the reason of
   * `ended` once it aborts.
   */
  readonly body: (ended: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** A file as it was announced. */
export interface Announced {
  readonly sound: AnnouncedSound;
  readonly record: PackageRecord;
}

/** @throws {Refusal} 404 PACKAGE_UNKNOWN or FILE_UNKNOWN */
export async function findAnnounced(context: Context, target: UploadTarget): Promise<Announced> {
  return announcedIn(await findOwnPackage(context, target.app, target.packageId), target);
}

/**
 * Finds a file whose bytes are accepted now, of an app that may send them.
 * @param isFirst see `findOfPairedApp`
 * @throws {Refusal} 401, 403, 404, and those of `requireUploadable`
 */
export async function findUploadable(
  context: Context,
  target: UploadTarget & Pick<Upload, "caller">,
  isFirst: boolean,
): Promise<Announced> {
  context.operator.admitAddress(target.caller.address);
  const announced = announcedIn(await findOfPairedApp(context, target, isFirst), target);
  await requireUploadable(context, announced);
  return announced;
}

function announcedIn(record: PackageRecord, { file }: UploadTarget): Announced {
  const sound = record.manifest.items.find((item) => item.file === file);
  if (sound === undefined) throw fileUnknown(file);
  return { sound, record };
}

/**
 * Receives an announced file. If that fails because its package or its token is gone, the answer says so (rule Z15). A
 * refusal that is about the file names the sound (rule E3).
 */
export async function receivingSound<Result>(
  context: Context,
  upload: Upload,
  { sound, record }: Announced,
  receive: () => Promise<Result>,
): Promise<Result> {
  try {
    return await receive();
  } catch (error) {
    const why = await reasonOf(context, upload, error);
    const { items } = record.manifest;
    throw why instanceof Refusal ? nameSound(why, items, sound.file) : why;
  }
}

/** A deletion takes the bytes away under an upload, which then fails at any step, or finds that nothing has arrived. */
async function reasonOf(context: Context, upload: Upload, error: unknown): Promise<unknown> {
  if (error instanceof Refusal && error.status !== 409) return error;
  try {
    await findUploadable(context, upload, false);
    return error;
  } catch (why) {
    return why instanceof Refusal ? why : error;
  }
}

/** @throws {Refusal} if no bytes of that file are accepted now: 409, 507, 422 SOUND_DENIED */
export async function requireUploadable(
  context: Context,
  { sound, record }: Announced,
): Promise<void> {
  const refused = refuseBytes(context, record, sound.file);
  if (refused !== undefined) throw refused;
  await context.operator.admitSound(record.manifest, sound.file);
}

/** Returns the refusal of a file's bytes, before and while they arrive; undefined if its package may get them now. */
function refuseBytes(context: Context, record: PackageRecord, file: string): Refusal | undefined {
  const refused = refuseFile(context, record, file);
  return refused ?? (context.health.isFull ? refusal("DISK_FULL") : undefined);
}

/** Returns the same for a file whose bytes are stored: a full disk no longer matters. */
export function refuseFile(
  { clock }: Context,
  record: PackageRecord,
  file: string,
): Refusal | undefined {
  const isMissing = !record.uploaded.has(file);
  return refuseUpload(record.life, clock.confirmedNow(), isMissing) ?? refuseDeleted(record);
}
