import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { type Context, MINUTE_MS } from "../context.ts";
import { deleteDoomed } from "../upkeep/doomed-sounds.ts";
import { partialsOf } from "./resuming-stores.ts";
import type { PackageRecord, PartialTurn } from "../ports.ts";
import { refuseFile } from "./refuse-upload.ts";
import { heldRoom } from "../packages/room.ts";
import { makeId } from "../pairing/tokens.ts";
import { findOfPairedApp, KeyGone, updatePackage } from "../packages/update-package.ts";
import type { Upload } from "./find-uploadable.ts";

/** A key stays pending for this long after its upload window, so that no upload that may succeed loses it. */
const PENDING_GRACE_MS = 5 * MINUTE_MS;

/** A key that no sound has had, and until when it is pending. */
export function newKey(
  { randomBytes }: Pick<Context, "randomBytes">,
  { packageId, life }: PackageRecord,
): { readonly key: string; readonly endsAt: number } {
  const key = `${packageId}/${makeId("snd", randomBytes)}`;
  return { key, endsAt: life.uploadEndsAt + PENDING_GRACE_MS };
}

/** A file that the store has whole, and no package yet. */
export interface Stored {
  readonly key: string;
  /** Those that don't count for an address yet (rule L4). */
  readonly receivedBytes: number;
  /** Of a file that came in several calls. */
  readonly turn?: PartialTurn | undefined;
}

/**
 * Adds the file to the package, and deletes what it replaces: an earlier file, and what came of it in another key. If
 * that is refused, deletes the file. After any other failure the package may have it nevertheless: then nothing is
 * deleted, and the sweep dooms the key if it is still pending at its end.
 */
export async function putInPackage(
  context: Context,
  upload: Upload,
  stored: Stored,
): Promise<void> {
  const { key } = stored;
  try {
    const partial = (await partialsOf(context, upload.packageId)).get(upload.file)?.key;
    const replaced = new Set([await addKey(context, upload, stored), partial]);
    await deleteDoomed(
      context,
      [...replaced].filter((one): one is string => one !== undefined && one !== key),
    );
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
