import type { PackageFiles, StoreUpkeep } from "../../domain/ports.ts";
import { change } from "./change.ts";
import type { Engine } from "./engine.ts";
import { LONGEST_HOLD_MS } from "./deletion-hold.ts";
import { STORE_CHANGED } from "./notices.ts";
import { manifestOf, type Row, text, uploadedOf } from "./rows.ts";
import { sharedFor } from "./shared-for.ts";
import { ask, notify, statement, tell, type Work } from "./statement.ts";

const TRY_EVERY_MS = 1000;

const READ = statement<{ readonly name: string; readonly value: string }>(
  "read_upkeep",
  "SELECT name, value FROM upkeep",
);
const KEEP = statement(
  "keep_upkeep",
  (sql) =>
    `INSERT INTO upkeep (name, value)
     SELECT name, value FROM ${sql.rowsOf(":kept", { name: "text", value: "text" })} AS kept
     WHERE true ORDER BY name
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);
// The existing row may be another process's, which this statement doesn't see.
const PROPOSE = statement<{ readonly value: string }>(
  "propose_instance",
  `INSERT INTO upkeep (name, value) VALUES ('instance_id', :instance_id)
   ON CONFLICT (name) DO UPDATE SET value = upkeep.value RETURNING value`,
);
const HELD = statement(
  "is_held",
  "SELECT 1 FROM deletion_holds WHERE ends_at BETWEEN :from AND :to LIMIT 1",
);
const PENDING = statement<{ readonly key: string }>(
  "list_pending",
  `SELECT key FROM sound_keys WHERE state = 'pending' AND ends_at <= :until AND key > :after
     AND (ends_at <= :partials_until
       OR NOT EXISTS (SELECT 1 FROM partials WHERE partials.key = sound_keys.key))
   ORDER BY key LIMIT 0 + :limit`,
);
// One statement, because a key moves between both tables.
const NAMED = statement<{ readonly key: string | null; readonly uploaded: string | null }>(
  "named_among",
  (sql) =>
    `SELECT key, NULL AS uploaded FROM sound_keys WHERE ${sql.among("key", ":keys")}
     UNION ALL SELECT NULL, uploaded FROM packages
       WHERE ${sql.among("package_id", ":package_ids")} AND files_deleted = 0`,
);
const WITH_FILES = statement<Row>(
  "list_with_files",
  `SELECT package_id, uploaded, manifest FROM packages JOIN manifests USING (package_id)
   WHERE package_id > :after AND files_deleted = 0 AND uploaded <> '[]'
   ORDER BY package_id LIMIT 0 + :limit`,
);

type Kept = Readonly<Record<string, string>>;

export const UPKEEP_CHANGES = {
  keepUpkeep: change(keepUpkeep, { ifUnknown: "repeat" }),
  proposeInstance: change(
    function* (instanceId: string): Work<string> {
      const [row] = yield* ask(PROPOSE({ instance_id: instanceId }));
      return row?.value ?? instanceId;
    },
    { ifUnknown: "repeat" },
  ),
};

/** Keeps values of the database's own state, by name. */
export function* keepUpkeep(values: Kept): Work<void> {
  const kept = Object.entries(values).map(([name, value]) => ({ name, value }));
  yield* tell(KEEP({ kept: JSON.stringify(kept) }));
  if ("was_time_reset" in values) yield* notify(STORE_CHANGED);
}

/** Reads the database's own state, by name. */
export function* readUpkeep(): Work<ReadonlyMap<string, string>> {
  return new Map((yield* ask(READ())).map(({ name, value }) => [name, value]));
}

/** Reads one value of it; undefined if there is none. */
function* readValue(name: string): Work<string | undefined> {
  return (yield* readUpkeep()).get(name);
}

function* isDeletionHeld(now: number): Work<boolean> {
  return (yield* ask(HELD({ from: now + 1, to: now + LONGEST_HOLD_MS }))).length > 0;
}

function* listPending({
  until,
  partialsUntil = until,
  after = "",
  limit,
}: Parameters<StoreUpkeep["listPending"]>[0]): Work<readonly string[]> {
  const rows = yield* ask(PENDING({ until, partials_until: partialsUntil, after, limit }));
  return rows.map(({ key }) => key);
}

function* findUnknown(keys: readonly string[]): Work<readonly string[]> {
  const ids = new Set(keys.map((key) => key.split("/")[0] ?? ""));
  const rows = yield* ask(NAMED({ keys, package_ids: [...ids] }));
  const known = new Set(
    rows.flatMap(({ key, uploaded }) =>
      key !== null ? [key] : Array.from(uploadedOf(uploaded ?? "[]").values()),
    ),
  );
  return keys.filter((key) => !known.has(key));
}

function* listWithFiles(after: string, limit: number): Work<readonly PackageFiles[]> {
  return (yield* ask(WITH_FILES({ after, limit }))).map(filesOf);
}

function filesOf(row: Row): PackageFiles {
  const uploaded = uploadedOf(row["uploaded"]);
  const announced = manifestOf(row).items.flatMap(({ file, bytes }) => {
    const key = uploaded.get(file);
    return key === undefined ? [] : [[key, bytes] as const];
  });
  return { packageId: text(row["package_id"]), uploaded, announced: new Map(announced) };
}

/** The database's own state. */
export function storeUpkeep(engine: Engine): StoreUpkeep {
  const read = (name: string) => engine.read(readValue(name));
  const keep = (values: Kept) => engine.change("keepUpkeep", values);
  return {
    readInstance: async () => {
      const values = await engine.read(readUpkeep());
      const instanceId = values.get("instance_id");
      return instanceId === undefined
        ? undefined
        : { instanceId, isBound: values.get("is_bound") === "1" };
    },
    keepInstance: ({ instanceId, isBound }) =>
      keep({ instance_id: instanceId, is_bound: isBound ? "1" : "0" }),
    proposeInstance: (instanceId) => engine.change("proposeInstance", instanceId),
    hasServed: async () => (await read("has_served")) === "1",
    readTime: async () => {
      const time = await read("time");
      return time === undefined ? undefined : Number(time);
    },
    keepTime: (time) => keep({ time: String(time) }),
    resetTime: (time) => keep({ time: String(time), was_time_reset: "1" }),
    wasTimeReset: async () => (await read("was_time_reset")) === "1",
    applyReset: (time) => keep({ time: String(time), was_time_reset: "0" }),
    // The value differs each time, because SQLite doesn't write a row that stays the same.
    tryChange: sharedFor(TRY_EVERY_MS, () => keep({ tried: String(performance.now()) })),
    isDeletionHeld: (now) => engine.read(isDeletionHeld(now)),
    listPending: (page) => engine.readSlowly(listPending(page)),
    findUnknown: (keys) => engine.readSlowly(findUnknown(keys)),
    listWithFiles: ({ after = "", limit }) => engine.readSlowly(listWithFiles(after, limit)),
  };
}
