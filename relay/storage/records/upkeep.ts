import { packageOfKey, type StoreState, type StoreUpkeep } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { STORE_CHANGED } from "./notices.ts";
import { uploadedOf } from "./rows.ts";
import { ask, notify, statement, tell, type Work } from "./statement.ts";

interface StateRow {
  /** null for the hold of a backup, whose value is its end. */
  readonly name: string | null;
  readonly value: string;
}

// One statement, because a relay asks it before each deletion.
const READ = statement<StateRow>(
  "read_upkeep",
  `SELECT name, value FROM upkeep
   UNION ALL SELECT NULL, CAST(ends_at AS text) FROM deletion_holds`,
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
  `INSERT INTO upkeep (name, value) VALUES ('instance_id', :instanceId)
   ON CONFLICT (name) DO UPDATE SET value = upkeep.value RETURNING value`,
);
// One statement, because a key moves between both tables.
const NAMED = statement<{ readonly key: string | null; readonly uploaded: string | null }>(
  "named_among",
  `SELECT key, NULL AS uploaded FROM sound_keys WHERE key IN (:...keys)
     UNION ALL SELECT NULL, uploaded FROM packages
       WHERE package_id IN (:...packageIds) AND files_deleted = 0`,
);
export type Kept = Readonly<Record<string, string>>;

export const UPKEEP_CHANGES = {
  keepUpkeep: change(keepUpkeep, { ifUnknown: "repeat" }),
  proposeInstance: change(
    function* (instanceId: string): Work<string> {
      const [row] = yield* ask(PROPOSE({ instanceId }));
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
  return valuesIn(yield* ask(READ()));
}

/** Reads the database's own state. */
export function* readState(): Work<StoreState> {
  const rows = yield* ask(READ());
  const values = valuesIn(rows);
  const isSet = (name: string) => values.get(name) === "1";
  const instanceId = values.get("instance_id");
  const time = values.get("time");
  return {
    instance: instanceId === undefined ? undefined : { instanceId, isBound: isSet("is_bound") },
    hasServed: isSet("has_served"),
    time: time === undefined ? undefined : Number(time),
    wasTimeReset: isSet("was_time_reset"),
    holds: rows.filter(({ name }) => name === null).map(({ value }) => Number(value)),
  };
}

function valuesIn(rows: readonly StateRow[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(({ name, value }) => (name === null ? [] : [[name, value]])));
}

/** The values that keep a part of the state. */
export function keptOf({ instance, time, wasTimeReset }: Parameters<StoreUpkeep["keep"]>[0]): Kept {
  return {
    ...(instance && { instance_id: instance.instanceId, is_bound: flag(instance.isBound) }),
    ...(time !== undefined && { time: String(time) }),
    ...(wasTimeReset !== undefined && { was_time_reset: flag(wasTimeReset) }),
  };
}

function flag(isSet: boolean): string {
  return isSet ? "1" : "0";
}

export function* findUnknown(keys: readonly string[]): Work<readonly string[]> {
  const ids = new Set(keys.map(packageOfKey));
  const rows = yield* ask(NAMED({ keys, packageIds: [...ids] }));
  const known = new Set(
    rows.flatMap(({ key, uploaded }) =>
      key !== null ? [key] : Array.from(uploadedOf(uploaded ?? "[]").values()),
    ),
  );
  return keys.filter((key) => !known.has(key));
}
