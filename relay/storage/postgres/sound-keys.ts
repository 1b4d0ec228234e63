import type {
  KeptPartial,
  PartialTurn,
  PartialTurns,
  ResumingSoundKeys,
} from "../../domain/ports.ts";
import { uploadedOf } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import { endPartials, type PartialRow } from "./key-moves.ts";
import { LOCK_DEVICES } from "./lock-order.ts";
import { requireTurn } from "./partial-turns.ts";
import { addReceived } from "./room-counts.ts";
import { statement } from "./statement.ts";

const ADD = statement(
  "add_pending",
  `INSERT INTO sound_keys (key, state, ends_at, writer) VALUES ($1, 'pending', $2, $3)
   ON CONFLICT (key) DO NOTHING RETURNING key`,
);
const HOLDER = statement(
  "holder_of_key",
  "SELECT uploaded FROM packages WHERE package_id = $1 AND files_deleted = 0",
);
const ADD_PARTIAL = statement(
  "add_partial",
  `INSERT INTO partials (key, package_id, file) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING RETURNING key`,
);
const DOOM_PENDING = statement(
  "doom_pending",
  `UPDATE sound_keys SET state = 'doomed' WHERE key IN (
     SELECT key FROM sound_keys WHERE state = 'pending' AND ends_at <= $1
       AND NOT EXISTS (SELECT 1 FROM partials WHERE partials.key = sound_keys.key)
     ORDER BY key FOR UPDATE SKIP LOCKED)`,
);
const ENDED_PARTIALS = statement(
  "ended_partials",
  `SELECT partials.key FROM partials JOIN sound_keys USING (key)
   WHERE state = 'pending' AND ends_at <= $1 ORDER BY key LIMIT 500`,
);
const LIST_DOOMED = statement(
  "list_doomed",
  "SELECT key FROM sound_keys WHERE state = 'doomed' AND key > $1 ORDER BY key LIMIT $2",
);
const STRIKE = statement(
  "strike_keys",
  `DELETE FROM sound_keys WHERE key IN (
     SELECT key FROM sound_keys WHERE key = ANY($1::text[]) ORDER BY key FOR UPDATE)`,
);
const PARTIALS_AMONG = statement(
  "partials_among",
  "SELECT key FROM partials WHERE key = ANY($1::text[])",
);
const FIND_PARTIALS = statement(
  "find_partials",
  "SELECT file, key, stored_bytes FROM partials WHERE package_id = $1",
);
const DEVICES_OF = statement(
  "devices_of_packages",
  "SELECT DISTINCT device_id FROM packages WHERE package_id = ANY($1::text[])",
);
const LOCK_PACKAGES = statement(
  "lock_packages",
  `SELECT package_id, device_id, ${COUNTED_COLUMNS} FROM packages WHERE package_id = ANY($1::text[])
   ORDER BY package_id FOR NO KEY UPDATE`,
);
const LOCK_PARTIALS = statement(
  "lock_partials",
  `SELECT key, package_id, file, stored_bytes FROM partials WHERE key = ANY($1::text[])
   ORDER BY key FOR UPDATE`,
);
const KEEP = statement("keep_partial", "UPDATE partials SET stored_bytes = $2 WHERE key = $1");
const SET_PARTIAL_BYTES = statement(
  "set_partial_bytes",
  `UPDATE packages SET partial_bytes = packages.partial_bytes + changed.bytes
   FROM unnest($1::text[], $2::bigint[]) AS changed (package_id, bytes)
   WHERE packages.package_id = changed.package_id`,
);

interface PackageRow extends CountedColumns {
  readonly package_id: string;
  readonly device_id: string;
}

interface KeyRow {
  readonly key: string;
}

/** The keys of sounds that no package has. */
export function soundKeys(connections: Connections, turns?: PartialTurns): ResumingSoundKeys {
  const endKeys = (keys: readonly string[], turn?: PartialTurn) =>
    connections.transaction(
      async (tx) => {
        await requireTurn(tx, turn);
        endPartials(tx, await lockPartials(tx, keys, "end"));
      },
      { ifUnknown: "repeat" },
    );
  return {
    ...(turns && { turns }),
    addPending: (key, endsAt, file) =>
      connections.transaction((tx) => addPending(tx, key, endsAt, file), {
        // Only this call knows the key, unless the key is in use, and then the first try would have found it.
        ifUnknown: async () => (await connections.readSlowly(KNOWN, [key])).length === 1,
      }),
    doomPending: async (time, partialsTime = time) => {
      await connections.transaction((tx) => tx.query(DOOM_PENDING, [time]), {
        ifUnknown: "repeat",
      });
      const ends = Math.min(time, partialsTime);
      for (;;) {
        const ended = await connections.readSlowly<KeyRow>(ENDED_PARTIALS, [ends]);
        if (ended.length === 0) return;
        await endKeys(ended.map(({ key }) => key));
      }
    },
    doomPartial: endPartial(endKeys),
    listDoomed: async ({ after = "", limit }) => {
      const rows = await connections.read<KeyRow>(LIST_DOOMED, [after, limit]);
      return rows.map(({ key }) => key);
    },
    remove: (keys) =>
      connections.transaction(
        async (tx) => {
          const partials = await tx.query<KeyRow>(PARTIALS_AMONG, [keys]);
          if (partials.length > 0) {
            endPartials(
              tx,
              await lockPartials(
                tx,
                partials.map(({ key }) => key),
                "end",
              ),
            );
          }
          tx.send(STRIKE, [keys]);
        },
        { ifUnknown: "repeat" },
      ),
    findPartials: async (packageId) => {
      const rows = await connections.read<PartialRow>(FIND_PARTIALS, [packageId]);
      return new Map(
        rows.map((row) => [row.file, { key: row.key, storedBytes: row.stored_bytes }]),
      );
    },
    keepPartial: (partial) => connections.transaction((tx) => keepPartial(tx, partial)),
  };
}

const KNOWN = statement("known_pending", "SELECT 1 FROM sound_keys WHERE key = $1");

function endPartial(endKeys: (keys: readonly string[], turn?: PartialTurn) => Promise<void>) {
  return (key: string, turn?: PartialTurn): Promise<void> => endKeys([key], turn);
}

async function addPending(
  tx: Transaction,
  key: string,
  endsAt: number,
  file: string | undefined,
): Promise<void> {
  const [packageId = ""] = key.split("/");
  // The holder is read after the key is inserted: a change that takes the key into a package has removed it from the
  // list.
  const [added, holders] = await Promise.all([
    tx.query(ADD, [key, endsAt, file === undefined ? tx.outbox.writer : null]),
    tx.query<{ uploaded: string }>(HOLDER, [packageId]),
  ]);
  const isHeld = holders.some((row) => [...uploadedOf(row.uploaded).values()].includes(key));
  if (added.length === 0 || isHeld) throw new Error(`The key ${key} is in use.`);
  if (file === undefined) return;
  const partials = await tx.query(ADD_PARTIAL, [key, packageId, file]);
  if (partials.length === 0) throw new Error(`${packageId} has a partial of ${file} already.`);
}

async function keepPartial(
  tx: Transaction,
  { key, storedBytes, received, turn }: KeptPartial,
): Promise<boolean> {
  await requireTurn(tx, turn);
  const [partial] = await lockPartials(tx, [key], storedBytes);
  if (partial === undefined) return false;
  tx.send(KEEP, [key, storedBytes]);
  if (received.bytes > 0) addReceived(tx, received);
  return true;
}

/**
 * Locks partials with their devices and packages, and sends the new counters of their packages.
 * @param stored their bytes from now on, or `end`
 */
async function lockPartials(
  tx: Transaction,
  keys: readonly string[],
  stored: number | "end",
): Promise<readonly PartialRow[]> {
  const ids = keys.map((key) => key.split("/")[0] ?? "");
  const devices = await tx.query<{ device_id: string }>(DEVICES_OF, [ids]);
  tx.send(LOCK_DEVICES, [devices.map((row) => row.device_id)]);
  const [packages, partials] = await Promise.all([
    tx.query<PackageRow>(LOCK_PACKAGES, [ids]),
    tx.query<PartialRow>(LOCK_PARTIALS, [keys]),
  ]);
  const changes = new Map<string, number>();
  for (const partial of partials) {
    const bytes = (stored === "end" ? 0 : stored) - partial.stored_bytes;
    changes.set(partial.package_id, (changes.get(partial.package_id) ?? 0) + bytes);
  }
  const changed = packages.filter((row) => changes.has(row.package_id));
  tx.send(SET_PARTIAL_BYTES, [
    changed.map((row) => row.package_id),
    changed.map((row) => changes.get(row.package_id)),
  ]);
  const counts = new CountChanges();
  for (const row of changed) {
    const bytes = row.partial_bytes + (changes.get(row.package_id) ?? 0);
    counts.change(row.device_id, row, { ...row, partial_bytes: bytes });
  }
  counts.write(tx);
  return partials;
}
