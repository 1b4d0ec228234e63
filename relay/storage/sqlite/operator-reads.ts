import type { DatabaseSync } from "node:sqlite";
import { type OperatorRecords, SWITCHES, type SwitchName } from "../../domain/ports.ts";
import { type NamingOptions, namingTrouble } from "../naming-trouble.ts";
import { locationOf } from "./records-over.ts";
import { text } from "../rows.ts";
import type { Write } from "./writes.ts";

/** An operator's decisions, over a read-only connection and the writes. */
export function operatorRecords(
  reading: DatabaseSync,
  write: Write,
  naming?: NamingOptions,
): OperatorRecords {
  return namingTrouble(unnamedRecords(reading, write), locationOf(reading), naming);
}

function unnamedRecords(reading: DatabaseSync, write: Write): OperatorRecords {
  const blocks = reading.prepare("SELECT subject FROM blocks WHERE kind = ?");
  const switches = reading.prepare("SELECT name, sentence FROM switches");
  const denied = reading.prepare(
    "SELECT sha256 FROM json_each(?) AS asked JOIN denied_sounds ON sha256 = asked.value",
  );
  const neverPaired = reading.prepare(
    "SELECT device_id FROM devices WHERE has_paired = 0 AND last_seen_at < ?",
  );
  const old = reading.prepare("SELECT 1 FROM operator_log WHERE at < ? LIMIT 1");
  return {
    readDecisions: async () => ({
      addresses: blocks.all("address").map((row) => text(row["subject"])),
      devices: blocks.all("device").map((row) => text(row["subject"])),
      off: new Map(
        switches.all().flatMap(({ name, sentence }) => {
          const known = SWITCHES.find((each) => each === name);
          const own = sentence === null ? undefined : text(sentence);
          return known === undefined ? [] : [[known, own] satisfies [SwitchName, unknown]];
        }),
      ),
    }),
    findDenied: async (sums) =>
      new Set(denied.all(JSON.stringify(sums)).map((row) => text(row["sha256"]))),
    listNeverPaired: async (unseenSince) =>
      neverPaired.all(unseenSince).map((row) => text(row["device_id"])),
    forgetLog: async (before) => {
      // A sweep asks for it every time, and mustn't cost a flush.
      if (old.get(before) !== undefined) await write("forgetOperatorLog", before);
    },
  };
}
