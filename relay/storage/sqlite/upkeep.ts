import type { DatabaseSync } from "node:sqlite";
import type { StoredInstance, StoreUpkeep } from "../../domain/ports.ts";
import type { FoundDatabase } from "../../domain/upkeep/judge-instance.ts";
import { LONGEST_HOLD_MS, sharedFor } from "../both-databases.ts";
import { type NamingOptions, namingTrouble } from "../naming-trouble.ts";
import { text, uploadedOf } from "../rows.ts";
import { locationOf } from "./records-over.ts";
import type { Write } from "./writes.ts";

const TRY_EVERY_MS = 1000;

/** The database's own state, over a read-only connection and the writes. */
export function storeUpkeep(
  reading: DatabaseSync,
  write: Write,
  naming?: NamingOptions,
): StoreUpkeep {
  return namingTrouble(unnamedUpkeep(reading, write), locationOf(reading), naming);
}

const PENDING = `SELECT key FROM sound_keys
  WHERE state = 'pending' AND ends_at <= ?1 AND key > ?3
    AND (ends_at <= ?2 OR key NOT IN (SELECT key FROM partials)) ORDER BY key LIMIT +?4`;

function unnamedUpkeep(reading: DatabaseSync, write: Write): StoreUpkeep {
  const value = reading.prepare("SELECT value FROM upkeep WHERE name = ?");
  const held = reading.prepare("SELECT 1 FROM deletion_holds WHERE ends_at BETWEEN ? AND ?");
  const pending = reading.prepare(PENDING);
  const unknown = reading.prepare(
    `SELECT asked.value AS key FROM json_each(?) AS asked
     WHERE NOT EXISTS (SELECT 1 FROM sound_keys WHERE key = asked.value)
       AND NOT EXISTS (
         SELECT 1 FROM packages, json_each(uploaded) AS had
         WHERE package_id = substr(asked.value, 1, instr(asked.value, '/') - 1)
           AND files_deleted = 0 AND had.value ->> 1 = asked.value)`,
  );
  const withFiles = reading.prepare(
    `SELECT package_id, uploaded, (
       SELECT json_group_array(json_array(had.value ->> 1, item.value ->> 'bytes'))
       FROM json_each(uploaded) AS had, json_each(manifest, '$.items') AS item
       WHERE item.value ->> 'file' = had.value ->> 0) AS announced
     FROM packages JOIN manifests USING (package_id)
     WHERE package_id > ? AND files_deleted = 0 AND uploaded <> '[]'
     ORDER BY package_id LIMIT +?`,
  );
  const read = (name: string): string | undefined => {
    const row = value.get(name);
    return row === undefined ? undefined : text(row["value"]);
  };
  return {
    readInstance: async () => {
      const instanceId = read("instance_id");
      if (instanceId === undefined) return undefined;
      return { instanceId, isBound: read("is_bound") === "1" };
    },
    keepInstance: ({ instanceId, isBound }: StoredInstance) =>
      write("keepUpkeep", { instance_id: instanceId, is_bound: isBound ? "1" : "0" }),
    hasServed: async () => read("has_served") === "1",
    readTime: async () => {
      const time = read("time");
      return time === undefined ? undefined : Number(time);
    },
    keepTime: (time) => write("keepUpkeep", { time: String(time) }),
    resetTime: (time) => write("keepUpkeep", { time: String(time), was_time_reset: "1" }),
    wasTimeReset: async () => read("was_time_reset") === "1",
    applyReset: (time) => write("keepUpkeep", { time: String(time), was_time_reset: "0" }),
    // The value differs each time, because SQLite doesn't write a row that stays the same.
    tryChange: sharedFor(TRY_EVERY_MS, () =>
      write("keepUpkeep", { tried: String(performance.now()) }),
    ),
    isDeletionHeld: async (now) => held.get(now + 1, now + LONGEST_HOLD_MS) !== undefined,
    listPending: async ({ until, partialsUntil = until, after = "", limit }) =>
      pending.all(until, partialsUntil, after, limit).map((row) => text(row["key"])),
    findUnknown: async (keys) => unknown.all(JSON.stringify(keys)).map((row) => text(row["key"])),
    listWithFiles: async ({ after = "", limit }) =>
      withFiles.all(after, limit).map((row) => ({
        packageId: text(row["package_id"]),
        uploaded: uploadedOf(row["uploaded"]),
        announced: announcedOf(row["announced"]),
      })),
  };
}

/** Reads what the database remembers of its instance. */
export function readStored(reading: DatabaseSync): FoundDatabase {
  const rows = reading.prepare("SELECT name, value FROM upkeep").all();
  const values = new Map(rows.map((row) => [text(row["name"]), text(row["value"])]));
  return {
    instanceId: values.get("instance_id"),
    isBound: values.get("is_bound") === "1",
    hasServed: values.get("has_served") === "1",
  };
}

function announcedOf(json: unknown): ReadonlyMap<string, number> {
  const pairs: readonly (readonly [string, number])[] = JSON.parse(text(json));
  return new Map(pairs);
}
