import {
  type BegunPartial,
  type KeptPartial,
  type KeyPage,
  packageOfKey,
  type PartialSound,
  type PartialTurn,
  type PendingEnd,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { countChanges } from "./counts.ts";
import { endPartials, lockPackages, PARTIALS } from "./key-moves.ts";
import { LOCK_DEVICE_OF_PACKAGE, LOCK_DEVICES } from "./locks.ts";
import { UPLOADED } from "./named-sounds.ts";
import { addReceived } from "./received.ts";
import { type RowOf, takesFile, type TakingRow, uploadedOf } from "./rows.ts";
import { ask, askAll, hasRows, statement, tell, type Work } from "./statement.ts";
import { insertInto } from "./schema.ts";
import { requireTurn } from "./turns.ts";

type KeyRow = RowOf<"sound_keys", "key">;

const ADD = statement(
  "add_pending",
  `${insertInto("sound_keys")} ON CONFLICT (key) DO NOTHING RETURNING key`,
);
const KNOWN = statement("known_pending", "SELECT 1 FROM sound_keys WHERE key = :key", "postgres");
const TAKES = statement<TakingRow>(
  "takes_files",
  `SELECT committed_at, outcome, files_deleted, uploaded FROM packages
   WHERE package_id = :packageId`,
);
const HAS_FILES = statement(
  "has_files",
  "SELECT 1 FROM packages WHERE package_id = :packageId AND files_deleted = 0",
);
const OUTLIVES_WRITER = statement(
  "outlives_writer",
  `UPDATE sound_keys SET writer = NULL WHERE key = :key AND state = 'pending' RETURNING key`,
);
const ADD_PARTIAL = statement(
  "add_partial",
  `INSERT INTO partials (key, package_id, file) VALUES (:key, :packageId, :file)
   ON CONFLICT DO NOTHING RETURNING key`,
);
const DOOM_PENDING = statement(
  "doom_pending",
  `UPDATE sound_keys SET state = 'doomed' WHERE key IN (
     SELECT key FROM sound_keys WHERE state = 'pending' AND ends_at <= :time
       AND NOT EXISTS (SELECT 1 FROM partials WHERE partials.key = sound_keys.key)
     ORDER BY key FOR NO KEY UPDATE SKIP LOCKED)`,
);
const ENDED_PARTIALS = statement<KeyRow>(
  "ended_partials",
  `SELECT partials.key AS key FROM partials JOIN sound_keys USING (key)
   WHERE state = 'pending' AND ends_at <= :partialsTime ORDER BY key LIMIT 500`,
);
const LIST_DOOMED = statement<KeyRow>(
  "list_doomed",
  `SELECT key FROM sound_keys WHERE state = 'doomed' AND key > :after
   ORDER BY key LIMIT 0 + :limit`,
);
const LIST_PENDING = statement<KeyRow>(
  "list_pending",
  `SELECT key FROM sound_keys WHERE state = 'pending' AND ends_at <= :time AND key > :after
     AND (ends_at <= :partialsTime
       OR NOT EXISTS (SELECT 1 FROM partials WHERE partials.key = sound_keys.key))
   ORDER BY key LIMIT 0 + :limit`,
);
const STRIKE = statement(
  "strike_keys",
  (sql) => `DELETE FROM sound_keys WHERE ${sql.inOrder("sound_keys", "key", "key IN (:...keys)")}`,
);
const PARTIALS_AMONG = statement<KeyRow>(
  "partials_among",
  "SELECT key FROM partials WHERE key IN (:...keys)",
);
const DEVICES_OF = statement<RowOf<"packages", "device_id">>(
  "devices_of_packages",
  "SELECT DISTINCT device_id FROM packages WHERE package_id IN (:...packageIds)",
);
const LOCK_PACKAGES = lockPackages(
  "lock_packages",
  "package_id IN (:...packageIds) ORDER BY package_id FOR NO KEY UPDATE",
);
const LOCK_PARTIALS = statement<RowOf<"partials">>(
  "lock_partials",
  "SELECT * FROM partials WHERE key IN (:...keys) ORDER BY key FOR UPDATE",
);
const KEEP = statement(
  "keep_partial",
  "UPDATE partials SET stored_bytes = :storedBytes WHERE key = :key",
);
const ADD_PARTIAL_BYTES = statement(
  "add_partial_bytes",
  (sql) =>
    `UPDATE packages SET partial_bytes = partial_bytes + changed.bytes
     FROM ${sql.rowsOf(":changed", { id: "text", bytes: "number" })} AS changed
     WHERE package_id = changed.id`,
);

/** A key that is being uploaded until `endsAt`. */
export interface PendingKey {
  readonly key: string;
  readonly endsAt: number;
  /** The process that writes it, where several share the database. */
  readonly writer: string | null;
}

export const KEY_CHANGES = {
  addPending: change(addPending, {
    // Only this call knows the key, unless the key is in use, and then the first try would have found it.
    ifUnknown: ({ key }) => hasRows(KNOWN({ key })),
  }),
  beginPartial: change(beginPartial, {
    ifUnknown: ({ key }) => hasRows(PARTIALS_AMONG({ keys: [key] })),
  }),
  doomPending: change((time: number) => tell(DOOM_PENDING({ time })), { ifUnknown: "repeat" }),
  endPartials: change(
    function* ({
      keys,
      turn,
    }: {
      keys: readonly string[];
      turn?: PartialTurn | undefined;
    }): Work<void> {
      yield* requireTurn(turn);
      yield* endPartials(yield* lockPartials(keys, "end"));
    },
    { ifUnknown: "repeat" },
  ),
  removeKeys: change(removeKeys, { ifUnknown: "repeat" }),
  keepPartial: change(keepPartial),
};

/** @throws if the key is pending, doomed, or part of the package that it names */
function* addPending({ key, endsAt, writer }: PendingKey): Work<void> {
  const packageId = packageOfKey(key);
  // The holder is read after the key is inserted: a change that takes the key into a package has removed it from the
  // list.
  const [added, holders] = yield* askAll(
    ADD({ key, state: "pending", endsAt, writer }),
    UPLOADED({ packageId }),
  );
  const isHeld = holders.some((row) => [...uploadedOf(row.uploaded).values()].includes(key));
  if (added.length === 0 || isHeld) throw new Error(`The key ${key} is in use.`);
}

/** @throws if the key isn't pending, or if the file has a partial */
function* beginPartial({ key, file, turn }: BegunPartial): Work<boolean> {
  const packageId = packageOfKey(key);
  yield* requireTurn(turn);
  // Every change that removes the package has this lock.
  yield* tell(LOCK_DEVICE_OF_PACKAGE({ packageId }));
  const [row] = yield* ask(TAKES({ packageId }));
  if (row === undefined || !takesFile(row, file)) return false;
  const [pending, added] = yield* askAll(
    OUTLIVES_WRITER({ key }),
    ADD_PARTIAL({ key, packageId, file }),
  );
  if (pending.length === 0) throw new Error(`The key ${key} isn't pending.`);
  if (added.length === 0) throw new Error(`${packageId} has a partial of ${file} already.`);
  return true;
}

function* removeKeys(keys: readonly string[]): Work<void> {
  const partials = (yield* ask(PARTIALS_AMONG({ keys }))).map(({ key }) => key);
  if (partials.length > 0) yield* endPartials(yield* lockPartials(partials, "end"));
  yield* tell(STRIKE({ keys }));
}

function* keepPartial({ key, storedBytes, received, turn }: KeptPartial): Work<boolean> {
  yield* requireTurn(turn);
  const [partial] = yield* lockPartials([key], storedBytes);
  if (partial === undefined) return false;
  yield* tell(KEEP({ key, storedBytes }));
  if (received.bytes > 0) yield* addReceived(received);
  return true;
}

/**
 * Locks partials with their devices and packages, and writes the new counters of their packages.
 * @param stored their bytes from now on, or `end`
 */
function* lockPartials(
  keys: readonly string[],
  stored: number | "end",
): Work<readonly RowOf<"partials">[]> {
  const packageIds = keys.map(packageOfKey);
  const devices = yield* ask(DEVICES_OF({ packageIds }));
  yield* tell(LOCK_DEVICES({ deviceIds: devices.map((row) => row.device_id) }));
  const [packages, partials] = yield* askAll(
    LOCK_PACKAGES({ packageIds }),
    LOCK_PARTIALS({ keys }),
  );
  const bytesOf = new Map<string, number>();
  for (const { package_id: id, stored_bytes: before } of partials) {
    const after = stored === "end" ? 0 : stored;
    bytesOf.set(id, (bytesOf.get(id) ?? 0) + after - before);
  }
  const changed = packages.flatMap((before) => {
    const bytes = bytesOf.get(before.package_id) ?? 0;
    const after = { ...before, partial_bytes: before.partial_bytes + bytes };
    return bytes === 0 ? [] : [{ id: before.package_id, bytes, before, after }];
  });
  if (changed.length > 0) {
    const added = changed.map(({ id, bytes }) => ({ id, bytes }));
    yield* tell(ADD_PARTIAL_BYTES({ changed: JSON.stringify(added) }));
    yield* countChanges(changed);
  }
  return partials;
}

export function* listEndedPartials(ended: PendingEnd): Work<readonly string[]> {
  return (yield* ask(ENDED_PARTIALS(endsIn(ended)))).map(({ key }) => key);
}

export function* listKeys({ after = "", limit, ...keys }: KeyPage): Work<readonly string[]> {
  const rows =
    keys.state === "doomed"
      ? yield* ask(LIST_DOOMED({ after, limit }))
      : yield* ask(LIST_PENDING({ ...endsIn(keys), after, limit }));
  return rows.map(({ key }) => key);
}

function endsIn({ endedBy, partialsEndedBy = endedBy }: PendingEnd) {
  return { time: endedBy, partialsTime: Math.min(endedBy, partialsEndedBy) };
}

/** Looks for the package last: if its removal comes in between, the partials that it ended don't seem to be missing. */
export function* findPartials(
  packageId: string,
): Work<ReadonlyMap<string, PartialSound> | undefined> {
  const rows = yield* ask(PARTIALS({ packageIds: [packageId] }));
  if (!(yield* hasRows(HAS_FILES({ packageId })))) return undefined;
  return new Map(rows.map((row) => [row.file, { key: row.key, storedBytes: row.stored_bytes }]));
}
