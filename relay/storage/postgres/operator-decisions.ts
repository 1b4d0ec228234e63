import { END_CODE } from "./pairing-writes.ts";
import type { ByWhom } from "../both-databases.ts";
import { type OperatorRecords, SWITCHES, type SwitchName } from "../../domain/ports.ts";
import type { Connections, Transaction } from "./connections.ts";
import { LOCK_EXCLUSIVELY, LOCKS } from "./lock-order.ts";
import { sendNotices } from "./notices.ts";
import { statement } from "./statement.ts";

// One statement, so that both are of the same moment.
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

const LOG = statement(
  "log_operation",
  "INSERT INTO operator_log (at, who, action, subject, detail) VALUES ($1, $2, $3, $4, $5) RETURNING seq",
);
const DETAIL = statement("detail_operation", "UPDATE operator_log SET detail = $2 WHERE seq = $1");
const BLOCK = statement(
  "block",
  `INSERT INTO blocks (subject, kind, blocked_at) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING RETURNING subject`,
);
const UNBLOCK = statement("unblock", "DELETE FROM blocks WHERE subject = $1 RETURNING subject");
const OFF = statement(
  "switch_off",
  `INSERT INTO switches AS one (name, sentence, switched_at) VALUES ($1, $2, $3)
   ON CONFLICT (name) DO UPDATE SET sentence = $2, switched_at = $3
   WHERE one.sentence IS DISTINCT FROM $2 RETURNING name`,
);
const ON = statement("switch_on", "DELETE FROM switches WHERE name = $1 RETURNING name");
const DENY = statement(
  "deny_sound",
  "INSERT INTO denied_sounds (sha256, denied_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING sha256",
);
const ALLOW = statement(
  "allow_sound",
  "DELETE FROM denied_sounds WHERE sha256 = $1 RETURNING sha256",
);

/** Logs an operation as part of a transaction. Every relay is notified that the operator changed something. */
export function sendOperation(
  tx: Transaction,
  { at, who }: ByWhom,
  { action, subject, detail }: { action: string; subject: string; detail?: string | undefined },
): void {
  tx.send(LOG, [at, who, action, subject, detail ?? null]);
  sendNotices(tx, [{ topic: "store" }]);
}

/** The writes for an operator's decisions (rules AD3 to AD6). Each logs what it changes in the same step. */
export function operatorDecisions(connections: Connections) {
  /** Runs one change, and logs it if it changed something. */
  const decide = (
    by: ByWhom,
    operation: { action: string; subject: string; detail?: string | undefined },
    act: (tx: Transaction) => Promise<readonly unknown[]>,
  ): Promise<boolean> =>
    connections.transaction(async (tx) => {
      if ((await act(tx)).length === 0) return false;
      sendOperation(tx, by, operation);
      return true;
    });
  return {
    block: (subject: string, kind: "address" | "device", by: ByWhom) =>
      decide(by, { action: "block", subject }, async (tx) => {
        const changed = await tx.query(BLOCK, [subject, kind, by.at]);
        // Nobody may pair with a blocked device.
        tx.send(END_CODE, [subject]);
        return changed;
      }),
    unblock: (subject: string, by: ByWhom) =>
      decide(by, { action: "unblock", subject }, (tx) => tx.query(UNBLOCK, [subject])),
    turnOff: (name: SwitchName, sentence: string | undefined, by: ByWhom) =>
      decide(by, { action: "switch off", subject: name, detail: sentence }, (tx) =>
        tx.query(OFF, [name, sentence ?? null, by.at]),
      ),
    turnOn: (name: SwitchName, by: ByWhom) =>
      decide(by, { action: "switch on", subject: name }, (tx) => tx.query(ON, [name])),
    /** Denies a sum from its commit on. Resolves with false if it was denied before; that isn't logged. */
    deny: (sha256: string, by: ByWhom) =>
      decide(by, { action: "deny", subject: sha256, detail: "[]" }, async (tx) => {
        tx.send(LOCK_EXCLUSIVELY, [LOCKS.denials]);
        return tx.query(DENY, [sha256, by.at]);
      }),
    allow: (sha256: string, by: ByWhom) =>
      decide(by, { action: "allow", subject: sha256 }, (tx) => tx.query(ALLOW, [sha256])),
    log: (by: ByWhom, operation: { action: string; subject: string; detail?: string }) =>
      connections.transaction(async (tx) => sendOperation(tx, by, operation)),
    /** Adds to the newest denial of a sound the packages that lost copies. Logs another denial if it isn't new. */
    detailDenial: (sha256: string, detail: string, by: ByWhom, isNew: boolean) =>
      connections.transaction(async (tx) => {
        const [last] = isNew ? await tx.query<{ seq: number }>(LAST_DENIAL, [sha256]) : [];
        if (last !== undefined) tx.send(DETAIL, [last.seq, detail]);
        else sendOperation(tx, by, { action: "deny", subject: sha256, detail });
      }),
  };
}

const LAST_DENIAL = statement(
  "last_denial",
  "SELECT seq FROM operator_log WHERE action = 'deny' AND subject = $1 ORDER BY seq DESC LIMIT 1",
);
