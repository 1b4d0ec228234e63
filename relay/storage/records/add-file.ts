import type { AddedFile, AddOutcome } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { HAS_TOKEN } from "./codes.ts";
import { countChanges } from "./counts.ts";
import { doomKeys, forgetPartials, partialsOf, type StoredRow, TAKE } from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_SHARED, LOCKS } from "./locks.ts";
import { hasSound } from "./named-sounds.ts";
import { STORED } from "./package-changes.ts";
import { addReceived } from "./received.ts";
import { NO_ROOM } from "./room.ts";
import { arrivalsOf, takesFile, uploadedOf } from "./rows.ts";
import { askAll, statement, tell, Undone, type Work } from "./statement.ts";
import { requireTurn } from "./turns.ts";

const DENIED = statement("is_denied", "SELECT 1 FROM denied_sounds WHERE sha256 = :sha256");
const ADD = statement(
  "add_file",
  `UPDATE packages SET uploaded = :uploaded, arrived = :arrived, missing_bytes = :missing_bytes,
     partial_bytes = :partial_bytes, room_held_until = :room_held_until, room_tiers = :room_tiers,
     room_address = CASE WHEN CAST(:room_held_until AS bigint) > 0 THEN room_address END,
     version = version + 1
   WHERE package_id = :package_id`,
);

export const FILE_CHANGES = {
  // Every upload has a key of its own.
  addFile: change(addFile, { writes: "package", ifUnknown: ({ key }) => hasSound(key) }),
};

/** Adds an uploaded file to a package. Nobody waits for that, so nobody is notified. */
function* addFile(added: AddedFile): Work<AddOutcome> {
  const { packageId, deviceId, sound, key, tokenHash, received } = added;
  yield* requireTurn(added.turn);
  // A denial waits until the change is made, and then finds the sound.
  yield* tell(LOCK_SHARED({ lock: LOCKS.denials }), LOCK_DEVICE({ deviceId }));
  const [[row], tokens, denied, taken] = yield* askAll(
    STORED({ packageId }),
    HAS_TOKEN({ tokenHash: tokenHash ?? "" }),
    DENIED({ sha256: sound.sha256 }),
    TAKE({ keys: [key] }),
  );
  const isPaired = tokenHash === undefined || tokens.length > 0;
  if (row === undefined || !takesFile(row, sound.file) || !isPaired)
    throw new Undone({ kind: "changed" });
  if (denied.length > 0) throw new Undone({ kind: "denied" });
  if (taken.length === 0) throw new Undone({ kind: "key-gone" });
  const uploaded = new Map(uploadedOf(row.uploaded));
  const replaced = uploaded.get(sound.file);
  const partials = (yield* partialsOf([row])).filter(({ file }) => file === sound.file);
  const doomed = [...partials.map((partial) => partial.key), replaced].filter(
    (one): one is string => one !== undefined && one !== key,
  );
  yield* doomKeys(doomed);
  yield* forgetPartials(partials.map((partial) => partial.key));
  const next = withRoom(added, {
    ...row,
    uploaded: JSON.stringify([...uploaded.set(sound.file, key)]),
    arrived: JSON.stringify([...arrivalsOf(row.arrived).set(sound.file, added.arrivedAt)]),
    missing_bytes: row.missing_bytes - (replaced === undefined ? sound.bytes : 0),
    partial_bytes: partials.reduce((bytes, one) => bytes - one.stored_bytes, row.partial_bytes),
  });
  yield* tell(ADD(next));
  if (received.bytes > 0) yield* addReceived(received);
  yield* countChanges([{ before: row, after: next }]);
  return { kind: "added", doomed };
}

/** Room that is held is prolonged, and ends with the last missing file. */
function withRoom({ roomUntil }: AddedFile, row: StoredRow): StoredRow {
  const isHeld = row.room_held_until > 0 && row.missing_bytes > 0;
  if (!isHeld) return { ...row, ...NO_ROOM };
  return { ...row, room_held_until: Math.max(row.room_held_until, roomUntil) };
}
