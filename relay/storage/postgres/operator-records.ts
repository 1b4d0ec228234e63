import { type OperatorRecords, SWITCHES } from "../../domain/ports.ts";
import type { Connections } from "./connections.ts";
import { statement } from "./statement.ts";

// In one statement, so that both are of the same moment.
const DECISIONS = statement(
  "read_decisions",
  `SELECT kind, subject AS name, NULL AS sentence FROM blocks
   UNION ALL SELECT 'switch', name, sentence FROM switches`,
);
const DENIED = statement(
  "find_denied",
  "SELECT sha256 FROM denied_sounds WHERE sha256 = ANY($1::text[])",
);
const NEVER_PAIRED = statement(
  "list_never_paired",
  "SELECT device_id FROM devices WHERE has_paired = 0 AND last_seen_at < $1",
);
const FORGET_LOG = statement("forget_operator_log", "DELETE FROM operator_log WHERE at < $1");

/** An operator's decisions. Another program makes them. */
export function operatorRecords(connections: Connections): OperatorRecords {
  return {
    readDecisions: async () => {
      const rows = await connections.read<{
        kind: "address" | "device" | "switch";
        name: string;
        sentence: string | null;
      }>(DECISIONS);
      const named = (kind: string) =>
        rows.filter((row) => row.kind === kind).map(({ name }) => name);
      const off = rows.flatMap(({ kind, name, sentence }) => {
        const known = SWITCHES.find((each) => kind === "switch" && each === name);
        return known === undefined ? [] : [[known, sentence ?? undefined] as const];
      });
      return { addresses: named("address"), devices: named("device"), off: new Map(off) };
    },
    findDenied: async (sums) => {
      const rows = await connections.read<{ sha256: string }>(DENIED, [sums]);
      return new Set(rows.map(({ sha256 }) => sha256));
    },
    listNeverPaired: async (unseenSince) => {
      const rows = await connections.readSlowly<{ device_id: string }>(NEVER_PAIRED, [unseenSince]);
      return rows.map(({ device_id }) => device_id);
    },
    forgetLog: async (before) => void (await connections.write(FORGET_LOG, [before])),
  };
}
