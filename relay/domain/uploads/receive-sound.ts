import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import type { UploadAnswer } from "../../../core/protocol/public-api.ts";
import type { Context } from "../context.ts";
import { deleteDoomed } from "../upkeep/doomed-sounds.ts";
import { requireOwnSounds } from "../upkeep/lost-sounds.ts";
import type { SoundWriter } from "../ports.ts";
import { turnsOf } from "./resuming-stores.ts";
import { UploadRoom } from "../packages/room.ts";
import {
  type Announced,
  requireUploadable,
  sizeDiffers,
  type Upload,
  withAnnounced,
} from "./find-uploadable.ts";
import { newKey, putInPackage } from "./put-in-package.ts";
import { copyJudged, type Copying, runUpload } from "./run-upload.ts";
import { SoundJudge } from "./sound-judge.ts";

/**
 * Receives one WAV: streams it to the store, checks size, header and checksum on the way, and only then adds
 * it to the package (rules U1–U4, U7). Its key is pending before the store gets its first byte (rule J2). An
 * earlier upload of the file stays until the new one is complete; what came of it in several calls, too (rule U10).
 * @throws {Refusal} 401, 404, 408, 409, 422, 429, 507; nothing of a refused upload stays stored
 */
export async function receiveSound(context: Context, upload: Upload): Promise<UploadAnswer> {
  return withAnnounced(context, upload, (announced) => receive(context, upload, announced));
}

async function receive(
  context: Context,
  upload: Upload,
  announced: Announced,
): Promise<UploadAnswer> {
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
  await context.partials.end(upload, turnsOf(context));
  return uploadAnswer(sound);
}

/** The answer to a file that its package has. */
export function uploadAnswer({ file, bytes, sha256 }: AnnouncedSound): UploadAnswer {
  return { file, bytes, sha256 };
}

/** A file on its way into the store. */
interface Incoming extends Omit<Copying, "writer" | "judge"> {
  readonly key: string;
  readonly sound: AnnouncedSound;
  readonly body: AsyncIterable<Uint8Array>;
}

async function storeJudged(
  context: Context,
  { key, sound, body, ...way }: Incoming,
): Promise<void> {
  const { bytes, sha256 } = sound;
  const judge = new SoundJudge(context.digest, sound);
  let writer: SoundWriter | undefined;
  try {
    writer = await context.sounds.create(key, { bytes, sha256, comesWhole: true });
    await copyJudged(body, { ...way, writer, judge });
    judge.end();
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
