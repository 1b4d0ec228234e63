import type { StoreUpkeep } from "../../domain/ports.ts";
import { LONGEST_HOLD_MS, sharedFor } from "../both-databases.ts";
import { manifestOf, type Row, text, uploadedOf } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { sendNotices } from "./notices.ts";
import { statement } from "./statement.ts";

const TRY_EVERY_MS = 1000;

const VALUE = statement("read_upkeep", "SELECT value FROM upkeep WHERE name = $1");
const INSTANCE = statement(
  "read_instance",
  "SELECT name, value FROM upkeep WHERE name IN ('instance_id', 'is_bound')",
);
const KEEP = statement(
  "keep_upkeep",
  `INSERT INTO upkeep (name, value) SELECT * FROM unnest($1::text[], $2::text[]) AS kept (name, value)
   ORDER BY name ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);
// The existing row may be another process's, which this statement doesn't see.
const PROPOSE = statement(
  "propose_instance",
  `INSERT INTO upkeep (name, value) VALUES ('instance_id', $1)
   ON CONFLICT (name) DO UPDATE SET value = upkeep.value RETURNING value`,
);
const HELD = statement(
  "is_held",
  "SELECT 1 FROM deletion_holds WHERE ends_at BETWEEN $1 AND $2 LIMIT 1",
);
const PENDING = statement(
  "list_pending",
  `SELECT key FROM sound_keys WHERE state = 'pending' AND ends_at <= $1 AND key > $3
     AND (ends_at <= $2 OR NOT EXISTS (SELECT 1 FROM partials WHERE partials.key = sound_keys.key))
   ORDER BY key LIMIT $4`,
);
// One statement, because a key moves between both tables.
const NAMED = statement(
  "named_among",
  `SELECT key, NULL AS uploaded FROM sound_keys WHERE key = ANY($1::text[])
   UNION ALL SELECT NULL, uploaded FROM packages WHERE package_id = ANY($2::text[]) AND files_deleted = 0`,
);
const WITH_FILES = statement(
  "list_with_files",
  `SELECT package_id, uploaded, manifest FROM packages JOIN manifests USING (package_id)
   WHERE package_id > $1 AND files_deleted = 0 AND uploaded <> '[]' ORDER BY package_id LIMIT $2`,
);

/** The database's own state. */
export function storeUpkeep(connections: Connections): StoreUpkeep {
  const read = async (name: string): Promise<string | undefined> =>
    (await connections.read<{ value: string }>(VALUE, [name]))[0]?.value;
  const keep = (values: Readonly<Record<string, string>>): Promise<void> =>
    connections.transaction(
      async (tx) => {
        tx.send(KEEP, [Object.keys(values), Object.values(values)]);
        if ("was_time_reset" in values) sendNotices(tx, [{ topic: "store" }]);
      },
      { ifUnknown: "repeat" },
    );
  return {
    readInstance: async () => {
      const rows = await connections.read<{ name: string; value: string }>(INSTANCE);
      const values = new Map(rows.map(({ name, value }) => [name, value]));
      const instanceId = values.get("instance_id");
      return instanceId === undefined
        ? undefined
        : { instanceId, isBound: values.get("is_bound") === "1" };
    },
    keepInstance: ({ instanceId, isBound }) =>
      keep({ instance_id: instanceId, is_bound: isBound ? "1" : "0" }),
    proposeInstance: (instanceId) =>
      connections.transaction(
        async (tx) => {
          const [row] = await tx.query<{ value: string }>(PROPOSE, [instanceId]);
          return row?.value ?? instanceId;
        },
        { ifUnknown: "repeat" },
      ),
    hasServed: async () => (await read("has_served")) === "1",
    readTime: async () => {
      const time = await read("time");
      return time === undefined ? undefined : Number(time);
    },
    keepTime: (time) => keep({ time: String(time) }),
    resetTime: (time) => keep({ time: String(time), was_time_reset: "1" }),
    wasTimeReset: async () => (await read("was_time_reset")) === "1",
    applyReset: (time) => keep({ time: String(time), was_time_reset: "0" }),
    tryChange: sharedFor(TRY_EVERY_MS, () => keep({ tried: String(performance.now()) })),
    isDeletionHeld: async (now) =>
      (await connections.read(HELD, [now + 1, now + LONGEST_HOLD_MS])).length > 0,
    listPending: async ({ until, partialsUntil = until, after = "", limit }) => {
      const values = [until, partialsUntil, after, limit];
      const rows = await connections.readSlowly<{ key: string }>(PENDING, values);
      return rows.map(({ key }) => key);
    },
    findUnknown: (keys) => findUnknown(connections, keys),
    listWithFiles: async ({ after = "", limit }) =>
      (await connections.readSlowly<Row>(WITH_FILES, [after, limit])).map(filesOf),
  };
}

async function findUnknown(
  connections: Connections,
  keys: readonly string[],
): Promise<readonly string[]> {
  const ids = new Set(keys.map((key) => key.split("/")[0] ?? ""));
  const rows = await connections.readSlowly<{ key: string | null; uploaded: string | null }>(
    NAMED,
    [keys, [...ids]],
  );
  const known = new Set(
    rows.flatMap(({ key, uploaded }) =>
      key !== null ? [key] : Array.from(uploadedOf(uploaded ?? "[]").values()),
    ),
  );
  return keys.filter((key) => !known.has(key));
}

function filesOf(row: Row) {
  const uploaded = uploadedOf(row["uploaded"]);
  const announced = manifestOf(row).items.flatMap(({ file, bytes }) => {
    const key = uploaded.get(file);
    return key === undefined ? [] : [[key, bytes] as const];
  });
  return { packageId: text(row["package_id"]), uploaded, announced: new Map(announced) };
}
