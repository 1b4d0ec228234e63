import { type OperatorDecisions, type OperatorRecords, SWITCHES } from "../../domain/ports.ts";
import type { BlockSubject } from "./decisions.ts";
import type { Engine } from "./engine.ts";
import { ask, statement, type Work } from "./statement.ts";

// One statement, so that all are of the same moment.
const DECISIONS = statement<{
  readonly kind: BlockSubject["kind"] | "switch";
  readonly name: string;
  readonly sentence: string | null;
}>(
  "read_decisions",
  `SELECT kind, subject AS name, NULL AS sentence FROM blocks
   UNION ALL SELECT 'switch', name, sentence FROM switches`,
);
const NEVER_PAIRED = statement<{ readonly device_id: string }>(
  "never_paired",
  "SELECT device_id FROM devices WHERE has_paired = 0 AND last_seen_at < :time",
);
const DENIED = statement<{ readonly sha256: string }>(
  "find_denied",
  (sql) => `SELECT sha256 FROM denied_sounds WHERE ${sql.among("sha256", ":sums")}`,
);

/** An operator's decisions, as a relay reads them. */
export function operatorRecords(engine: Engine): OperatorRecords {
  return {
    readDecisions: () => engine.read(readDecisions()),
    findDenied: (sums) => engine.read(findDenied(sums)),
    listNeverPaired: (unseenSince) => engine.readSlowly(listNeverPaired(unseenSince)),
    forgetLog: async (before) => void (await engine.change("forgetLog", before)),
  };
}

function* readDecisions(): Work<OperatorDecisions> {
  const rows = yield* ask(DECISIONS());
  const named = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name);
  const off = rows.flatMap(({ kind, name, sentence }) => {
    const known = SWITCHES.find((each) => kind === "switch" && each === name);
    return known === undefined ? [] : [[known, sentence ?? undefined] as const];
  });
  return { addresses: named("address"), devices: named("device"), off: new Map(off) };
}

function* listNeverPaired(unseenSince: number): Work<readonly string[]> {
  return (yield* ask(NEVER_PAIRED({ time: unseenSince }))).map((row) => row.device_id);
}

function* findDenied(sums: readonly string[]): Work<ReadonlySet<string>> {
  return new Set((yield* ask(DENIED({ sums }))).map(({ sha256 }) => sha256));
}
