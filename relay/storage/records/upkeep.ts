import {
  type KeptScrub,
  packageOfKey,
  type ScrubProgress,
  type StoreState,
  type StoreUpkeep,
} from "../../domain/ports.ts";
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
// Locks the row. The existing one may be another process's, which this statement doesn't see.
const PROPOSE = statement<{ readonly value: string }>(
  "propose_upkeep",
  `INSERT INTO upkeep (name, value) VALUES (:name, :value)
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
      const [row] = yield* ask(PROPOSE({ name: "instance_id", value: instanceId }));
      return row?.value ?? instanceId;
    },
    { ifUnknown: "repeat" },
  ),
  keepScrub: change(keepScrub, { ifUnknown: "repeat" }),
};

/** Keeps values of the database's own state, by name. */
export function* keepUpkeep(values: Kept): Work<void> {
  const kept = Object.entries(values).map(([name, value]) => ({ name, value }));
  yield* tell(KEEP({ kept: JSON.stringify(kept) }));
  if ("was_time_reset" in values) yield* notify(STORE_CHANGED);
}

interface HeldScrub extends ScrubProgress {
  readonly holder: string;
  readonly until: number;
}

const NO_SCRUB: HeldScrub = {
  after: "",
  compared: 0,
  differing: 0,
  finishedAt: 0,
  holder: "",
  until: 0,
};

/** Keeps a scrub's progress, if the scrub is this holder's or nobody's. */
function* keepScrub(kept: KeptScrub): Work<ScrubProgress | undefined> {
  const { holder, now, until, latestEnd, progress } = kept;
  const [row] = yield* ask(PROPOSE({ name: "scrub", value: JSON.stringify(NO_SCRUB) }));
  const stored: HeldScrub = row === undefined ? NO_SCRUB : JSON.parse(row.value);
  const isHeld = stored.until > now && stored.until <= latestEnd;
  if (isHeld && stored.holder !== holder) return undefined;
  const next: HeldScrub = { ...stored, ...progress, holder, until };
  yield* keepUpkeep({ scrub: JSON.stringify(next) });
  return next;
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
    isScrubHalted: isSet("is_scrub_halted"),
    holds: rows.filter(({ name }) => name === null).map(({ value }) => Number(value)),
  };
}

function valuesIn(rows: readonly StateRow[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(({ name, value }) => (name === null ? [] : [[name, value]])));
}

/** The values that keep a part of the state. */
export function keptOf({
  instance,
  time,
  wasTimeReset,
  isScrubHalted,
}: Parameters<StoreUpkeep["keep"]>[0]): Kept {
  return {
    ...(instance && { instance_id: instance.instanceId, is_bound: flag(instance.isBound) }),
    ...(time !== undefined && { time: String(time) }),
    ...(wasTimeReset !== undefined && { was_time_reset: flag(wasTimeReset) }),
    ...(isScrubHalted !== undefined && { is_scrub_halted: flag(isScrubHalted) }),
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
