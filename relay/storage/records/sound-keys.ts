import type {
  KeptPartial,
  KeyPage,
  PartialSound,
  PartialTurn,
  PartialTurns,
  PendingEnd,
  SoundKeys,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import type { Engine } from "./engine.ts";
import { endPartials, type PartialRow, PARTIALS } from "./key-moves.ts";
import { LOCK_DEVICES } from "./locks.ts";
import { addReceived } from "./received.ts";
import { uploadedOf } from "./rows.ts";
import { ask, askAll, statement, tell, type Work } from "./statement.ts";
import { requireTurn } from "./turns.ts";

interface KeyRow {
  readonly key: string;
}

const ADD = statement(
  "add_pending",
  `INSERT INTO sound_keys (key, state, ends_at, writer) VALUES (:key, 'pending', :ends_at, :writer)
   ON CONFLICT (key) DO NOTHING RETURNING key`,
);
const HOLDER = statement<{ readonly uploaded: string }>(
  "holder_of_key",
  "SELECT uploaded FROM packages WHERE package_id = :package_id AND files_deleted = 0",
);
const KNOWN = statement("known_pending", "SELECT 1 FROM sound_keys WHERE key = :key", "postgres");
const ADD_PARTIAL = statement(
  "add_partial",
  `INSERT INTO partials (key, package_id, file) VALUES (:key, :package_id, :file)
   ON CONFLICT DO NOTHING RETURNING key`,
);
const DOOM_PENDING = statement(
  "doom_pending",
  (sql) =>
    `UPDATE sound_keys SET state = 'doomed' WHERE key IN (
       SELECT key FROM sound_keys WHERE state = 'pending' AND ends_at <= :time
         AND NOT EXISTS (SELECT 1 FROM partials WHERE partials.key = sound_keys.key)
       ORDER BY key ${sql.lockFree})`,
);
const ENDED_PARTIALS = statement<KeyRow>(
  "ended_partials",
  `SELECT partials.key AS key FROM partials JOIN sound_keys USING (key)
   WHERE state = 'pending' AND ends_at <= :time ORDER BY key LIMIT 500`,
);
const LIST_DOOMED = statement<KeyRow>(
  "list_doomed",
  `SELECT key FROM sound_keys WHERE state = 'doomed' AND key > :after
   ORDER BY key LIMIT 0 + :limit`,
);
const LIST_PENDING = statement<KeyRow>(
  "list_pending",
  `SELECT key FROM sound_keys WHERE state = 'pending' AND ends_at <= :time AND key > :after
     AND (ends_at <= :partials_time
       OR NOT EXISTS (SELECT 1 FROM partials WHERE partials.key = sound_keys.key))
   ORDER BY key LIMIT 0 + :limit`,
);
const STRIKE = statement(
  "strike_keys",
  (sql) =>
    `DELETE FROM sound_keys WHERE ${sql.inOrder("sound_keys", "key", sql.among("key", ":keys"))}`,
);
const PARTIALS_AMONG = statement<KeyRow>(
  "partials_among",
  (sql) => `SELECT key FROM partials WHERE ${sql.among("key", ":keys")}`,
);
const DEVICES_OF = statement<{ readonly device_id: string }>(
  "devices_of_packages",
  (sql) =>
    `SELECT DISTINCT device_id FROM packages WHERE ${sql.among("package_id", ":package_ids")}`,
);
const LOCK_PACKAGES = statement<PackageRow>(
  "lock_packages",
  (sql) =>
    `SELECT package_id, device_id, ${COUNTED_COLUMNS} FROM packages
     WHERE ${sql.among("package_id", ":package_ids")} ORDER BY package_id ${sql.lock}`,
);
const LOCK_PARTIALS = statement<PartialRow>(
  "lock_partials",
  (sql) =>
    `SELECT key, package_id, file, stored_bytes FROM partials WHERE ${sql.among("key", ":keys")}
     ORDER BY key ${sql.lockToDelete}`,
);
const KEEP = statement(
  "keep_partial",
  "UPDATE partials SET stored_bytes = :stored_bytes WHERE key = :key",
);
const ADD_PARTIAL_BYTES = statement(
  "add_partial_bytes",
  (sql) =>
    `UPDATE packages SET partial_bytes = partial_bytes + changed.bytes
     FROM ${sql.rowsOf(":changed", { id: "text", bytes: "number" })} AS changed
     WHERE package_id = changed.id`,
);

interface PackageRow extends CountedColumns {
  readonly package_id: string;
  readonly device_id: string;
}

/** A key that is being uploaded until `endsAt`. */
export interface PendingKey {
  readonly key: string;
  readonly endsAt: number;
  /** Name of a file that may be sent in several calls. */
  readonly file: string | undefined;
  /** The process that writes it, where several share the database. */
  readonly writer: string | null;
}

export interface EndedKeys {
  readonly keys: readonly string[];
  readonly turn?: PartialTurn | undefined;
}

export const KEY_CHANGES = {
  addPending: change(addPending, {
    // Only this call knows the key, unless the key is in use, and then the first try would have found it.
    ifUnknown: function* ({ key }) {
      return (yield* ask(KNOWN({ key }))).length === 1;
    },
  }),
  doomPending: change(
    function* (time: number): Work<void> {
      yield* tell(DOOM_PENDING({ time }));
    },
    { ifUnknown: "repeat" },
  ),
  endPartials: change(
    function* ({ keys, turn }: EndedKeys): Work<void> {
      yield* requireTurn(turn);
      yield* endPartials(yield* lockPartials(keys, "end"));
    },
    { ifUnknown: "repeat" },
  ),
  removeKeys: change(
    function* (keys: readonly string[]): Work<void> {
      const partials = yield* ask(PARTIALS_AMONG({ keys }));
      if (partials.length > 0) {
        yield* endPartials(
          yield* lockPartials(
            partials.map(({ key }) => key),
            "end",
          ),
        );
      }
      yield* tell(STRIKE({ keys }));
    },
    { ifUnknown: "repeat" },
  ),
  keepPartial: change(keepPartial),
};

/** @throws if the key is pending, doomed, or part of the package that it names, or if its file has a partial */
function* addPending({ key, endsAt, file, writer }: PendingKey): Work<void> {
  const [package_id = ""] = key.split("/");
  // The holder is read after the key is inserted: a change that takes the key into a package has removed it from the
  // list.
  const [added, holders] = yield* askAll(
    ADD({ key, ends_at: endsAt, writer: file === undefined ? writer : null }),
    HOLDER({ package_id }),
  );
  const isHeld = holders.some((row) => [...uploadedOf(row.uploaded).values()].includes(key));
  if (added.length === 0 || isHeld) throw new Error(`The key ${key} is in use.`);
  if (file === undefined) return;
  const partials = yield* ask(ADD_PARTIAL({ key, package_id, file }));
  if (partials.length === 0) throw new Error(`${package_id} has a partial of ${file} already.`);
}

function* keepPartial({ key, storedBytes, received, turn }: KeptPartial): Work<boolean> {
  yield* requireTurn(turn);
  const [partial] = yield* lockPartials([key], storedBytes);
  if (partial === undefined) return false;
  yield* tell(KEEP({ key, stored_bytes: storedBytes }));
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
): Work<readonly PartialRow[]> {
  const package_ids = keys.map((key) => key.split("/")[0] ?? "");
  const devices = yield* ask(DEVICES_OF({ package_ids }));
  yield* tell(LOCK_DEVICES({ device_ids: devices.map((row) => row.device_id) }));
  const [packages, partials] = yield* askAll(
    LOCK_PACKAGES({ package_ids }),
    LOCK_PARTIALS({ keys }),
  );
  const changes = new Map<string, number>();
  for (const partial of partials) {
    const bytes = (stored === "end" ? 0 : stored) - partial.stored_bytes;
    changes.set(partial.package_id, (changes.get(partial.package_id) ?? 0) + bytes);
  }
  const changed = packages.flatMap((row) => {
    const bytes = changes.get(row.package_id) ?? 0;
    return bytes === 0 ? [] : [{ row, bytes }];
  });
  if (changed.length === 0) return partials;
  const added = changed.map(({ row, bytes }) => ({ id: row.package_id, bytes }));
  yield* tell(ADD_PARTIAL_BYTES({ changed: JSON.stringify(added) }));
  const counts = new CountChanges();
  for (const { row, bytes } of changed) {
    counts.change(row.device_id, row, { ...row, partial_bytes: row.partial_bytes + bytes });
  }
  yield* counts.write();
  return partials;
}

function* listEndedPartials(time: number): Work<readonly string[]> {
  return (yield* ask(ENDED_PARTIALS({ time }))).map(({ key }) => key);
}

function* listKeys({ after = "", limit, ...keys }: KeyPage): Work<readonly string[]> {
  const rows =
    keys.state === "doomed"
      ? yield* ask(LIST_DOOMED({ after, limit }))
      : yield* ask(LIST_PENDING({ ...endsIn(keys), after, limit }));
  return rows.map(({ key }) => key);
}

function endsIn({ endedBy, partialsEndedBy = endedBy }: PendingEnd) {
  return { time: endedBy, partials_time: Math.min(endedBy, partialsEndedBy) };
}

async function doomEnded(engine: Engine, ended: PendingEnd): Promise<void> {
  const { time, partials_time } = endsIn(ended);
  await engine.change("doomPending", time);
  for (;;) {
    const keys = await engine.readSlowly(listEndedPartials(partials_time));
    if (keys.length === 0) return;
    await engine.change("endPartials", { keys });
  }
}

function* findPartials(packageId: string): Work<ReadonlyMap<string, PartialSound>> {
  const rows = yield* ask(PARTIALS({ package_ids: [packageId] }));
  return new Map(rows.map((row) => [row.file, { key: row.key, storedBytes: row.stored_bytes }]));
}

/** The keys of sounds that no package has. @param turns where several processes share the database */
export function soundKeys(engine: Engine, turns?: PartialTurns): SoundKeys {
  return {
    ...(turns && { turns }),
    addPending: (key, endsAt, file) =>
      engine.change("addPending", { key, endsAt, file, writer: engine.process }),
    findPartials: (packageId) => engine.read(findPartials(packageId)),
    keepPartial: (partial) => engine.change("keepPartial", partial),
    doom: (keys) =>
      "partial" in keys
        ? engine.change("endPartials", { keys: [keys.partial], turn: keys.turn })
        : doomEnded(engine, keys),
    list: (page) => engine.readSlowly(listKeys(page)),
    remove: (keys) => engine.change("removeKeys", keys),
  };
}
