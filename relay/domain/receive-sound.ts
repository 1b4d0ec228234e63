import type { AnnouncedSound } from "../../core/manifest/manifest.ts";
import { refuseUpload } from "../../core/protocol/package-state.ts";
import type { UploadAnswer } from "../../core/protocol/public-api.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import { WavHeaderReader } from "../../core/wav/wav-header-reader.ts";
import { updatePackage, findOwnPackage } from "./update-package.ts";
import type { Context } from "./context.ts";
import type { KnownApp } from "./known-tokens.ts";
import type { PackageRecord, SoundWriter } from "./ports.ts";
import { makeId } from "./tokens.ts";

/** One incoming file. */
export interface Upload {
  readonly app: KnownApp;
  readonly packageId: string;
  readonly file: string;
  /** `Content-Length`, if the sender set it. */
  readonly contentLength: number | undefined;
  /** The raw bytes. Throws when the sender disconnects or stalls. Read only after the call is checked. */
  readonly body: () => AsyncIterable<Uint8Array>;
}

/**
 * Receives one WAV: streams it to the store, checks size, header and checksum on the way, and only then adds
 * it to the package (rules U1–U4, U7). An earlier upload of the file stays until the new one is complete.
 * @throws {Refusal} 404, 409, 422, 429; after any error, nothing of the upload is stored
 */
export async function receiveSound(context: Context, upload: Upload): Promise<UploadAnswer> {
  const sound = await findUploadable(context, upload);
  if (upload.contentLength !== undefined && upload.contentLength !== sound.bytes) {
    throw sizeDiffers(sound, upload.contentLength);
  }
  const key = `${upload.packageId}/${makeId("snd", context.randomBytes)}`;
  const leave = context.uploads.enter(upload.app.deviceId);
  try {
    await storeChecked(context, key, sound, upload.body());
  } finally {
    leave();
  }
  try {
    await putInPackage(context, upload, key);
  } catch (error) {
    await context.sounds.delete([key]);
    throw error;
  }
  return { file: sound.file, bytes: sound.bytes, sha256: sound.sha256 };
}

async function findUploadable(context: Context, upload: Upload): Promise<AnnouncedSound> {
  const record = await findOwnPackage(context, upload.app, upload.packageId);
  const sound = record.manifest.items.find((item) => item.file === upload.file);
  if (sound === undefined) throw refusal("FILE_UNKNOWN", { file: upload.file });
  const refused = refuseUpload(record.life, context.clock.now());
  if (refused !== undefined) throw refused;
  return sound;
}

async function storeChecked(
  context: Context,
  key: string,
  sound: AnnouncedSound,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const writer = await context.sounds.create(key);
  try {
    await copyChecked(context, writer, sound, body);
    await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function copyChecked(
  context: Context,
  writer: SoundWriter,
  sound: AnnouncedSound,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const header = new WavHeaderReader(sound.bytes, sound.file);
  const digest = context.digest.start();
  let received = 0;
  for await (const piece of body) {
    received += piece.byteLength;
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

/** Checks token, owner and state again once the bytes are complete, then adds the file to the package. */
async function putInPackage(context: Context, upload: Upload, key: string): Promise<void> {
  const { before } = await updatePackage(
    context,
    async (): Promise<PackageRecord> => {
      if (!(await context.known.isStillPaired(upload.app))) throw refusal("TOKEN_UNKNOWN");
      return findOwnPackage(context, upload.app, upload.packageId);
    },
    (record, now) => {
      const refused = refuseUpload(record.life, now);
      if (refused !== undefined) throw refused;
      return { ...record, uploaded: new Map(record.uploaded).set(upload.file, key) };
    },
  );
  const replaced = before.uploaded.get(upload.file);
  if (replaced !== undefined) await context.sounds.delete([replaced]);
}

function sizeDiffers(sound: AnnouncedSound, got: number): Error {
  return refusal("SIZE_DIFFERS", { file: sound.file, got, announced: sound.bytes });
}
