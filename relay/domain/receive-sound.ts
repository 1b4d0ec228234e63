import type { AnnouncedSound } from "../../core/manifest/manifest.ts";
import { fileUnknown, nameSound } from "../../core/protocol/name-sound.ts";
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
import type { PackageRecord, SoundWriter } from "./ports.ts";
import { type RunningTransfer, watchUpload } from "./running-transfers.ts";
import { refuseBytes, refuseFile } from "./refuse-upload.ts";
import { heldRoom, UploadRoom } from "./room.ts";
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
  const found = await findUploadable(context, upload);
  try {
    return await receive(context, upload, found);
  } catch (error) {
    const { items } = found.record.manifest;
    throw error instanceof Refusal ? nameSound(error, items, upload.file) : error;
  }
}

async function receive(
  context: Context,
  upload: Upload,
  { sound, record }: Uploadable,
): Promise<UploadAnswer> {
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
    const room = await UploadRoom.open(context, { caller: upload.caller, sound }, record);
    await context.soundKeys.addPending(key, record.life.uploadEndsAt + PENDING_GRACE_MS);
    await storeChecked(context, { key, sound, room, slot, body: upload.body(transfer.ended) });
  } finally {
    transfer?.[Symbol.dispose]();
    slot[Symbol.dispose]();
  }
  await putInPackage(context, upload, { key, bytes: sound.bytes });
  return { file: sound.file, bytes: sound.bytes, sha256: sound.sha256 };
}

interface Uploadable {
  readonly sound: AnnouncedSound;
  readonly record: PackageRecord;
}

async function findUploadable(context: Context, upload: Upload): Promise<Uploadable> {
  const record = await findOwnPackage(context, upload.app, upload.packageId);
  const sound = record.manifest.items.find((item) => item.file === upload.file);
  if (sound === undefined) throw fileUnknown(upload.file);
  const refused = refuseBytes(context, record);
  if (refused !== undefined) throw refused;
  await context.operator.admitSound(record.manifest, upload.file);
  return { sound, record };
}

/** A file on its way into the store. */
interface Incoming {
  readonly key: string;
  readonly sound: AnnouncedSound;
  readonly room: UploadRoom;
  readonly slot: Held;
  readonly body: AsyncIterable<Uint8Array>;
}

async function storeChecked(context: Context, incoming: Incoming): Promise<void> {
  const { key } = incoming;
  const { bytes, sha256 } = incoming.sound;
  let writer: SoundWriter | undefined;
  try {
    writer = await context.sounds.create(key, { bytes, sha256 });
    await copyChecked(context, writer, incoming);
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
  { sound, room, slot, body }: Incoming,
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
    if (full !== undefined) await whileBusy(slot, full);
    const kept = room.keep();
    if (kept !== undefined) await whileBusy(slot, kept);
  }
  if (received !== sound.bytes) throw sizeDiffers(sound, received);
  header.end();
  if (digest.hex() !== sound.sha256) throw refusal("CHECKSUM_DIFFERS", { file: sound.file });
}

/** The sender doesn't stand still while the relay itself is busy (rule L7). */
async function whileBusy(slot: Held, work: Promise<void>): Promise<void> {
  slot.use(true);
  await work;
  slot.use(false);
}

/** A file that the store has whole, and no package yet. */
interface Stored {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Adds the file to the package. If that is refused, deletes it. After any other failure the package may have
 * it nevertheless: then nothing is deleted, and the sweep dooms the key if it is still pending at its end.
 */
async function putInPackage(context: Context, upload: Upload, stored: Stored): Promise<void> {
  const { key } = stored;
  try {
    const replaced = await addKey(context, upload, stored);
    if (replaced !== undefined) await deleteDoomed(context, [replaced]);
  } catch (error) {
    const refused =
      error instanceof KeyGone ? refusal("UPLOAD_STALLED", { file: upload.file }) : error;
    if (refused instanceof Refusal) await deleteDoomed(context, [key]);
    throw refused;
  }
}

/**
 * Checks token, owner and state again once the bytes are complete, then writes the key into the record, and
 * counts its bytes for the sender's address (rule L4). The last byte prolongs the room that the package holds.
 * Returns the key that it replaced, which is now doomed.
 */
async function addKey(
  context: Context,
  upload: Upload,
  { key, bytes }: Stored,
): Promise<string | undefined> {
  const { before } = await updatePackage(
    context,
    () => findOfPairedApp(context, upload),
    async (record) => {
      const refused = refuseFile(context, record);
      if (refused !== undefined) throw refused;
      await context.operator.admitSound(record.manifest, upload.file);
      const room = record.room && heldRoom(context, record.room, record.life.uploadEndsAt);
      return { ...record, room, uploaded: new Map(record.uploaded).set(upload.file, key) };
    },
    (at) => ({ address: upload.caller.address, bytes, at }),
  );
  return before.uploaded.get(upload.file);
}

function sizeDiffers(sound: AnnouncedSound, got: number): Error {
  return refusal("SIZE_DIFFERS", { file: sound.file, got, announced: sound.bytes });
}
