import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import type { UploadAnswer } from "../../../core/protocol/public-api.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Permit } from "../admission/budgets.ts";
import { type Context, MINUTE_MS } from "../context.ts";
import { heldRoom, UploadRoom } from "../packages/room.ts";
import { findOfPairedApp, KeyGone, updatePackage } from "../packages/update-package.ts";
import { makeId } from "../pairing/tokens.ts";
import type { PackageRecord, PartialTurn, SoundWriter } from "../ports.ts";
import { deleteUnused, requireOwnSounds } from "../upkeep/doomed-sounds.ts";
import { refuseFile, requireUploadable, type Upload, withAnnounced } from "./find-uploadable.ts";
import { runUpload } from "./running-transfers.ts";
import { sizeDiffers, SoundJudge } from "./sound-judge.ts";

// The way of one WAV from its first check to its package, in the order in which it happens.

/**
 * Receives one WAV: streams it to the store, checks size, header and checksum on the way, and only then adds
 * it to the package (rules U1–U4, U7). Its key is pending before the store gets its first byte (rule J2). An earlier
 * upload of the file stays until the new one is complete; so do the parts of an unfinished one (rule U10).
 * @throws {Refusal} 401, 404, 408, 409, 422, 429, 507; nothing of a refused upload stays stored
 */
export async function receiveSound(context: Context, upload: Upload): Promise<UploadAnswer> {
  return withAnnounced(context, upload, async (announced) => {
    const { sound, record } = announced;
    await requireUploadable(context, announced);
    if (upload.contentLength !== undefined && upload.contentLength !== sound.bytes) {
      throw sizeDiffers(sound, upload.contentLength);
    }
    const { key, endsAt } = newKey(context, record);
    await runUpload(context, upload, async ({ slot, ended }) => {
      const room = await UploadRoom.open(context, { caller: upload.caller, sound }, record);
      await context.soundKeys.addPending(key, endsAt);
      await storeJudged(context, { key, sound, room, slot, body: upload.body(ended) });
    });
    await putInPackage(context, upload, { key, receivedBytes: sound.bytes });
    await context.partials.end(upload, context.soundKeys.turns);
    return uploadAnswer(sound);
  });
}

/** The answer to a file that its package has. */
export function uploadAnswer({ file, bytes, sha256 }: AnnouncedSound): UploadAnswer {
  return { file, bytes, sha256 };
}

/** A key stays pending for this long after its upload window, so that no upload that may succeed loses it. */
const PENDING_GRACE_MS = 5 * MINUTE_MS;

/** Makes a key that no sound has had. It is pending until `endsAt`. */
export function newKey(
  { randomBytes }: Pick<Context, "randomBytes">,
  { packageId, life }: PackageRecord,
): { readonly key: string; readonly endsAt: number } {
  const key = `${packageId}/${makeId("snd", randomBytes)}`;
  return { key, endsAt: life.uploadEndsAt + PENDING_GRACE_MS };
}

/** The parts that copying needs. */
interface Copying {
  readonly writer: SoundWriter;
  readonly judge: SoundJudge;
  readonly room: UploadRoom;
  readonly slot: Permit;
}

/** A file on its way into the store. */
interface Incoming extends Omit<Copying, "writer" | "judge"> {
  readonly key: string;
  readonly sound: AnnouncedSound;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Stores a whole sound. If that fails, deletes what was stored. */
async function storeJudged(
  context: Context,
  { key, sound, body, ...copying }: Incoming,
): Promise<void> {
  const { bytes, sha256 } = sound;
  const judge = new SoundJudge(context.digest, sound);
  let writer: SoundWriter | undefined;
  try {
    writer = await context.sounds.create(key, { bytes, sha256, comesWhole: true });
    await copyJudged(body, { ...copying, writer, judge });
    judge.end();
    // If the folder was exchanged, a finished sound would be gone once the relay's own folder is back.
    await requireOwnSounds(context);
    await writer.finish();
  } catch (error) {
    // Deleting does the same once more. If that fails too, the key stays on record for the sweep.
    await writer?.discard().catch(() => undefined);
    await deleteUnused(context, [key]);
    throw error;
  }
}

/** Copies bytes as they arrive, and judges each piece before it is stored. @throws {Refusal} of the judge; 507, 429 */
export async function copyJudged(
  body: AsyncIterable<Uint8Array>,
  { writer, judge, room, slot }: Copying,
): Promise<void> {
  for await (const piece of body) {
    slot.moved(piece.byteLength);
    judge.push(piece);
    const full = writer.write(piece);
    if (full !== undefined) await whileBusy(slot, full);
    const kept = room.keep();
    if (kept !== undefined) await whileBusy(slot, kept);
  }
}

/** Waits for the relay's own work. Meanwhile the sender doesn't count as stalled (rule L7). */
export async function whileBusy<Result>(slot: Permit, work: Promise<Result>): Promise<Result> {
  slot.use(true);
  const result = await work;
  slot.use(false);
  return result;
}

/** A file that is complete in the store, and in no package yet. */
interface Stored {
  readonly key: string;
  /** The bytes that don't count for an address yet (rule L4). */
  readonly receivedBytes: number;
  /** The call's turn to continue the file, if it arrived in several calls: see `PartialTurns`. */
  readonly turn?: PartialTurn | undefined;
}

/**
 * Adds the file to the package, and deletes what it replaces: an earlier file, and a partial with another key. If
 * that is refused, deletes the file. Any other failure may have come after the database had written the change: then
 * nothing is deleted, and the sweep dooms the key if it is still pending at its end.
 */
export async function putInPackage(
  context: Context,
  upload: Upload,
  stored: Stored,
): Promise<void> {
  const { key } = stored;
  try {
    const partial = (await context.soundKeys.findPartials(upload.packageId)).get(upload.file)?.key;
    const replaced = new Set([await addKey(context, upload, stored), partial]);
    await deleteUnused(
      context,
      [...replaced].filter((one): one is string => one !== undefined && one !== key),
    );
  } catch (error) {
    // The sweep doomed the key, because the bytes took longer than the upload window.
    const refused =
      error instanceof KeyGone ? refusal("UPLOAD_STALLED", { file: upload.file }) : error;
    if (refused instanceof Refusal) await deleteUnused(context, [key]);
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
  { key, receivedBytes: bytes, turn }: Stored,
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
    turn,
  );
  return before.uploaded.get(upload.file);
}
