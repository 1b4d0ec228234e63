import type { AddedFile, AddOutcome } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { HAS_TOKEN } from "./codes.ts";
import { CountChanges } from "./counts.ts";
import { doomKeys, forgetPartials, partialsOf, TAKE } from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_SHARED, LOCKS } from "./locks.ts";
import { STORED, type StoredRow } from "./package-changes.ts";
import { addReceived } from "./received.ts";
import { NO_ROOM } from "./room.ts";
import { uploadedOf } from "./rows.ts";
import { ask, askAll, statement, tell, Undone, type Work } from "./statement.ts";
import { requireTurn } from "./turns.ts";

const DENIED = statement("is_denied", "SELECT 1 FROM denied_sounds WHERE sha256 = :sha256");
const ADD = statement(
  "add_file",
  `UPDATE packages SET uploaded = :uploaded, missing_bytes = :missing_bytes,
     partial_bytes = :partial_bytes, room_held_until = :room_held_until, room_tiers = :room_tiers,
     room_address = CASE WHEN CAST(:room_held_until AS bigint) > 0 THEN room_address END,
     version = version + 1
   WHERE package_id = :package_id`,
);
const UPLOADED = statement<{ readonly uploaded: string }>(
  "read_uploaded",
  "SELECT uploaded FROM packages WHERE package_id = :package_id",
  "postgres",
);

export const FILE_CHANGES = {
  addFile: change(addFile, {
    writes: "package",
    ifUnknown: function* ({ packageId, sound, key }) {
      const [row] = yield* ask(UPLOADED({ package_id: packageId }));
      return row !== undefined && uploadedOf(row.uploaded).get(sound.file) === key;
    },
  }),
};

/** Adds an uploaded file to a package that is still being uploaded. Nobody waits for that, so nobody is notified. */
function* addFile(added: AddedFile): Work<AddOutcome> {
  const { packageId: package_id, deviceId: device_id, sound, key } = added;
  yield* requireTurn(added.turn);
  // A denial waits until the change is made, and then finds the sound.
  yield* tell(LOCK_SHARED({ lock: LOCKS.denials }), LOCK_DEVICE({ device_id }));
  const [[row], tokens, denied, taken] = yield* askAll(
    STORED({ package_id }),
    HAS_TOKEN({ token_hash: added.tokenHash ?? "" }),
    DENIED({ sha256: sound.sha256 }),
    TAKE({ keys: [key] }),
  );
  const isUploading = row !== undefined && row.committed_at === null && row.files_deleted === 0;
  const isPaired = added.tokenHash === undefined || tokens.length > 0;
  if (!isUploading || !isPaired) throw new Undone({ kind: "changed" });
  if (denied.length > 0) throw new Undone({ kind: "denied" });
  if (taken.length === 0) throw new Undone({ kind: "key-gone" });
  const uploaded = new Map(uploadedOf(row.uploaded));
  const replaced = uploaded.get(sound.file);
  const partials = (yield* partialsOf([{ package_id, has_partials: row.has_partials }])).filter(
    ({ file }) => file === sound.file,
  );
  const doomed = [...partials.map((partial) => partial.key), replaced].filter(
    (one): one is string => one !== undefined && one !== key,
  );
  yield* doomKeys(doomed);
  yield* forgetPartials(partials.map((partial) => partial.key));
  const next = nextCounted(row, added, {
    missing_bytes: row.missing_bytes - (replaced === undefined ? sound.bytes : 0),
    partial_bytes: partials.reduce((bytes, one) => bytes - one.stored_bytes, row.partial_bytes),
  });
  yield* tell(
    ADD({
      package_id,
      uploaded: JSON.stringify([...uploaded.set(sound.file, key)]),
      missing_bytes: next.missing_bytes,
      partial_bytes: next.partial_bytes,
      room_held_until: next.room_held_until,
      room_tiers: next.room_tiers,
    }),
  );
  if (added.received.bytes > 0) yield* addReceived(added.received);
  const counts = new CountChanges();
  counts.change(device_id, row, next);
  yield* counts.write();
  return { kind: "added", doomed };
}

/** Room that is held is prolonged, and ends with the last missing file. */
function nextCounted(
  row: StoredRow,
  { roomUntil }: AddedFile,
  bytes: Pick<StoredRow, "missing_bytes" | "partial_bytes">,
) {
  const isHeld = row.room_held_until > 0 && bytes.missing_bytes > 0;
  const room = isHeld
    ? { room_held_until: Math.max(row.room_held_until, roomUntil), room_tiers: row.room_tiers }
    : NO_ROOM;
  return { ...row, ...bytes, ...room };
}
