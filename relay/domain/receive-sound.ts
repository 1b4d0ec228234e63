import type { AnnouncedSound } from "../../core/manifest/manifest.ts";
import type { UploadAnswer } from "../../core/protocol/public-api.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import { WavHeaderReader } from "../../core/wav/wav-header-reader.ts";
import { KeyGone, findOfPairedApp, findOwnPackage, updatePackage } from "./update-package.ts";
import type { Held } from "./admission/budget.ts";
import type { Caller } from "./caller.ts";
import { type Context, MINUTE_MS } from "./context.ts";
import { deleteDoomed } from "./doomed-sounds.ts";
import type { KnownApp } from "./known-tokens.ts";
import { requireOwnSounds } from "./lost-sounds.ts";
import type { SoundWriter } from "./ports.ts";
import { type RunningTransfer, watchUpload } from "./running-transfers.ts";
import { refuseBytes, refuseFile } from "./refuse-upload.ts";
import { makeId } from "./tokens.ts";

/** A key stays pending for this long after its upload window, so that no upload that may succeed loses it. */
const PENDING_GRACE_MS = 5 * MINUTE_MS;

/** One incoming file. */
export interface Upload {
  readonly app: KnownApp;
  readonly caller: Caller;
  readonly packageId: string;
  readonly file: string;
  /** `Content-Length`, if the sender set it. */
  readonly contentLength: number | undefined;
  /**
   * The raw bytes. Throws when the sender disconnects or stalls, and the reason of `ended` once it aborts. Read
   * only after the call is checked.
   */
  readonly body: (ended: AbortSignal) => AsyncIterable<Uint8Array>;
}

/**
 * Receives one WAV: streams it to the store, checks size, header and checksum on the way, and only then adds
 * it to the package (rules U1–U4, U7). Its key is pending before the store gets its first byte (rule J2). An
 * earlier upload of the file stays until the new one is complete. Ends early when it can't succeed any more
 * (rule J9).
 * @throws {Refusal} 401, 404, 408, 409, 422, 429, 507; nothing of a refused upload stays stored
 */
export async function receiveSound(context: Context, upload: Upload): Promise<UploadAnswer> {
  const { sound, uploadEndsAt } = await findUploadable(context, upload);
  if (upload.contentLength !== undefined && upload.contentLength !== sound.bytes) {
    throw sizeDiffers(sound, upload.contentLength);
  }
  const key = `${upload.packageId}/${makeId("snd", context.randomBytes)}`;
  let transfer: RunningTransfer | undefined;
  const end = (why: Refusal) => transfer?.end(why);
  const slot = context.admission.take("uploads", upload.caller, 1, end);
  try {
    transfer = watchUpload(context, upload);
    await requireOwnSounds(context);
    await context.soundKeys.addPending(key, uploadEndsAt + PENDING_GRACE_MS);
    await storeChecked(context, key, sound, { body: upload.body(transfer.ended), slot });
  } finally {
    transfer?.[Symbol.dispose]();
    slot[Symbol.dispose]();
  }
  await putInPackage(context, upload, key);
  return { file: sound.file, bytes: sound.bytes, sha256: sound.sha256 };
}

async function findUploadable(
  context: Context,
  upload: Upload,
): Promise<{ readonly sound: AnnouncedSound; readonly uploadEndsAt: number }> {
  const record = await findOwnPackage(context, upload.app, upload.packageId);
  const sound = record.manifest.items.find((item) => item.file === upload.file);
  if (sound === undefined) throw refusal("FILE_UNKNOWN", { file: upload.file });
  const refused = refuseBytes(context, record);
  if (refused !== undefined) throw refused;
  return { sound, uploadEndsAt: record.life.uploadEndsAt };
}

interface Arriving {
  readonly body: AsyncIterable<Uint8Array>;
  readonly slot: Held;
}

async function storeChecked(
  context: Context,
  key: string,
  sound: AnnouncedSound,
  arriving: Arriving,
): Promise<void> {
  const { bytes, sha256 } = sound;
  let writer: SoundWriter | undefined;
  try {
    writer = await context.sounds.create(key, { bytes, sha256 });
    await copyChecked(context, writer, sound, arriving);
    // Where the folder was exchanged, what is finished would be gone once its own is back.
    await requireOwnSounds(context);
    await writer.finish();
  } catch (error) {
    // Deleting does the same once more. If that fails too, the key stays on record for the sweep.
    await writer?.discard().catch(() => undefined);
    await deleteDoomed(context, [key]);
    throw error;
  }
}

async function copyChecked(
  context: Context,
  writer: SoundWriter,
  sound: AnnouncedSound,
  { body, slot }: Arriving,
): Promise<void> {
  const header = new WavHeaderReader(sound.bytes, sound.file);
  const digest = context.digest.start();
  let received = 0;
  for await (const piece of body) {
    received += piece.byteLength;
    slot.moved(piece.byteLength);
    if (received > sound.bytes) throw sizeDiffers(sound, received);
    header.push(piece);
    digest.update(piece);
    const full = writer.write(piece);
    if (full !== undefined) await full;
  }
  if (received !== sound.bytes) throw sizeDiffers(sound, received);
  header.end();
  if (digest.hex() !== sound.sha256) throw refusal("CHECKSUM_DIFFERS", { file: sound.file });
}

/**
 * Adds the file to the package. If that is refused, deletes it. After any other failure the package may have
 * it nevertheless: then nothing is deleted, and the sweep dooms the key if it is still pending at its end.
 */
async function putInPackage(context: Context, upload: Upload, key: string): Promise<void> {
  try {
    const replaced = await addKey(context, upload, key);
    if (replaced !== undefined) await deleteDoomed(context, [replaced]);
  } catch (error) {
    const refused =
      error instanceof KeyGone ? refusal("UPLOAD_STALLED", { file: upload.file }) : error;
    if (refused instanceof Refusal) await deleteDoomed(context, [key]);
    throw refused;
  }
}

/**
 * Checks token, owner and state again once the bytes are complete, then writes the key into the record.
 * Returns the key that it replaced, which is now doomed.
 */
async function addKey(context: Context, upload: Upload, key: string): Promise<string | undefined> {
  const { before } = await updatePackage(
    context,
    () => findOfPairedApp(context, upload),
    (record) => {
      const refused = refuseFile(context, record);
      if (refused !== undefined) throw refused;
      return { ...record, uploaded: new Map(record.uploaded).set(upload.file, key) };
    },
  );
  return before.uploaded.get(upload.file);
}

function sizeDiffers(sound: AnnouncedSound, got: number): Error {
  return refusal("SIZE_DIFFERS", { file: sound.file, got, announced: sound.bytes });
}
