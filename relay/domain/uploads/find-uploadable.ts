import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import { fileUnknown, nameSound, Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import type { Context } from "../context.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { PackageRecord } from "../ports.ts";
import { refuseBytes } from "./refuse-upload.ts";
import { findOwnPackage } from "../packages/update-package.ts";

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
   * The raw bytes. Throws when the sender disconnects or stalls, and the reason of `ended` once it aborts. Read
   * only after the call is checked.
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
  const record = await findOwnPackage(context, target.app, target.packageId);
  const sound = record.manifest.items.find((item) => item.file === target.file);
  if (sound === undefined) throw fileUnknown(target.file);
  return { sound, record };
}

/** Acts on a file as it was announced. A refusal that is about the file says which sound it is (rule E3). */
export async function withAnnounced<Result>(
  context: Context,
  target: UploadTarget,
  act: (announced: Announced) => Promise<Result>,
): Promise<Result> {
  const announced = await findAnnounced(context, target);
  try {
    return await act(announced);
  } catch (error) {
    const { items } = announced.record.manifest;
    throw error instanceof Refusal ? nameSound(error, items, target.file) : error;
  }
}

/** @throws {Refusal} if no bytes of that file are accepted now: 409, 507, 422 SOUND_DENIED */
export async function requireUploadable(
  context: Context,
  { sound, record }: Announced,
): Promise<void> {
  const refused = refuseBytes(context, record);
  if (refused !== undefined) throw refused;
  await context.operator.admitSound(record.manifest, sound.file);
}

/** The refusal of another size than the announced one. */
export function sizeDiffers(sound: AnnouncedSound, got: number): Refusal {
  return refusal("SIZE_DIFFERS", { file: sound.file, got, announced: sound.bytes });
}
