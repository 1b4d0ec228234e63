import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import { filesEndAt } from "../../../core/protocol/package-state.ts";
import type { UploadAnswer } from "../../../core/protocol/public-api.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Permit } from "../admission/budgets.ts";
import { type Context, MINUTE_MS } from "../context.ts";
import { heldRoom, UploadRoom } from "../packages/room.ts";
import { findOfPairedApp } from "../packages/update-package.ts";
import { makeId } from "../pairing/tokens.ts";
import type { PackageRecord, PartialTurn, SoundWriter } from "../ports.ts";
import { deleteUnused, requireOwnSounds } from "../upkeep/doomed-sounds.ts";
import { soundDenied } from "../upkeep/operator.ts";
import { type Announced, refuseFile, type Upload } from "./find-uploadable.ts";
import { receivedFrom } from "./received-bytes.ts";
import { runUpload, withUploadable } from "./running-transfers.ts";
import { sizeDiffers, SoundJudge } from "./sound-judge.ts";

// The way of one WAV from its first check to its package, in the order in which it happens.

/**
 * Receives one WAV: streams it to the store, checks size, header and checksum on the way, and only then adds
 * it to the package (rules U1–U4, U7). Its key is pending before the store gets its first byte (rule J2). An earlier
 * upload of the file stays until the new one is complete; so do the parts of an unfinished one (rule U10).
 * @throws {Refusal} 401, 404, 408, 409, 422, 429, 507; nothing of a refused upload stays stored
 */
export async function receiveSound(context: Context, upload: Upload): Promise<UploadAnswer> {
  const { caller } = upload;
  return withUploadable(context, upload, async ({ sound, record }, watched) => {
    if (upload.contentLength !== undefined && upload.contentLength !== sound.bytes) {
      throw sizeDiffers(sound, upload.contentLength);
    }
    const { key, endsAt } = newKey(context, record);
    await runUpload(context, { caller, watched }, async (slot) => {
      const room = await UploadRoom.open(context, { caller, sound }, record);
      await context.soundKeys.addPending(key, endsAt);
      await storeJudged(context, { key, sound, room, slot, body: upload.body(watched.ended) });
    });
    const stored = { record, sound, key, receivedBytes: sound.bytes };
    const replaced = await putInPackage(context, upload, stored);
    // A partial was among what it replaced if another process continues the file.
    const { turns } = context.soundKeys;
    await context.partials.end(upload, replaced.length > 0 ? turns : undefined);
    return uploadAnswer(sound);
  });
}

/** The answer to a file that its package has. */
export function uploadAnswer({ file, bytes, sha256 }: AnnouncedSound): UploadAnswer {
  return { file, bytes, sha256 };
}

/** A key stays pending for this long after its package's time, so that no upload that may succeed loses it. */
const PENDING_GRACE_MS = 5 * MINUTE_MS;

/** Makes a key that no sound has had. It is pending until `endsAt`. */
export function newKey(
  { randomBytes }: Pick<Context, "randomBytes">,
  { packageId, life }: PackageRecord,
): { readonly key: string; readonly endsAt: number } {
  const key = `${packageId}/${makeId("snd", randomBytes)}`;
  return { key, endsAt: filesEndAt(life) + PENDING_GRACE_MS };
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
    writer = await context.sounds.create(key, { bytes, sha256 });
    await copyJudged(body, { ...copying, writer, judge });
    if (!(await judge.end())) throw new Error(`The hash of ${key} was lost.`);
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
    const behind = judge.push(piece);
    if (behind !== undefined) await whileBusy(slot, behind);
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
interface Stored extends Announced {
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
 * @returns the keys that it replaced
 */
export async function putInPackage(
  context: Context,
  upload: Upload,
  stored: Stored,
): Promise<readonly string[]> {
  try {
    const replaced = await addFile(context, upload, stored);
    await deleteUnused(context, replaced);
    return replaced;
  } catch (error) {
    if (error instanceof Refusal) await deleteUnused(context, [stored.key]);
    throw error;
  }
}

/**
 * Adds a file once its bytes are complete, and counts them for the sender's address (rule L4). The store checks token and
 * package again, so nothing is read before. The last byte prolongs the room that the package holds.
 * @returns the keys that it replaced, which are now doomed
 */
async function addFile(
  context: Context,
  upload: Upload,
  stored: Stored,
): Promise<readonly string[]> {
  const { packageId, app, caller } = upload;
  const { sound, key, receivedBytes: bytes, turn } = stored;
  const { deviceId, tokenHash } = app;
  context.operator.admitDevice(deviceId);
  for (let { record } = stored; ; record = await findOfPairedApp(context, upload)) {
    const refused = refuseFile(context, record, sound.file);
    if (refused !== undefined) throw refused;
    const { until: roomUntil } = heldRoom(context, caller, filesEndAt(record.life));
    const received = receivedFrom(context, caller.address, bytes);
    const arrived = { sound, key, received, arrivedAt: context.clock.now() };
    const added = { packageId, deviceId, tokenHash, roomUntil, turn, ...arrived };
    const outcome = await context.packages.addFile(added);
    switch (outcome.kind) {
      case "added":
        return outcome.doomed;
      case "denied":
        throw soundDenied(record.manifest, sound);
      case "key-gone":
        // The sweep doomed the key, because the bytes took longer than the upload window.
        throw refusal("UPLOAD_STALLED", { file: sound.file });
      case "changed":
    }
  }
}
