import { type OperatorDecisions, type SwitchName, SWITCHES } from "../../domain/ports.ts";
import { END_CODE } from "./codes.ts";
import { DENIAL_CHANGES } from "./denials.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { type ByWhom, decision, LOG_CHANGES } from "./operator-log.ts";
import { ask, hasRows, noteRemoval, statement, tell, type Work } from "./statement.ts";
import { insertInto } from "./schema.ts";

const BLOCK = statement(
  "block",
  `${insertInto("blocks")} ON CONFLICT DO NOTHING RETURNING subject`,
);
/** Ends a block. */
export const UNBLOCK = statement(
  "unblock",
  "DELETE FROM blocks WHERE subject = :subject RETURNING subject",
);
const OFF = statement(
  "switch_off",
  `INSERT INTO switches AS one (name, sentence, switched_at) VALUES (:name, :sentence, :at)
   ON CONFLICT (name) DO UPDATE SET sentence = excluded.sentence, switched_at = excluded.switched_at
   WHERE one.sentence IS DISTINCT FROM excluded.sentence RETURNING name`,
);
const ON = statement("switch_on", "DELETE FROM switches WHERE name = :name RETURNING name");
// One statement, so that all are of the same moment.
const DECISIONS = statement<{
  readonly kind: BlockSubject["kind"] | "switch" | "denies" | "keys";
  readonly name: string;
  readonly sentence: string | null;
}>(
  "read_decisions",
  `SELECT kind, subject AS name, NULL AS sentence FROM blocks
   UNION ALL SELECT 'switch', name, sentence FROM switches
   UNION ALL SELECT 'denies', 'sounds', NULL WHERE EXISTS (SELECT 1 FROM denied_sounds)
   UNION ALL SELECT 'keys', 'registration', NULL
     WHERE EXISTS (SELECT 1 FROM registration_keys WHERE removed_at IS NULL)`,
);
const DENIED = statement<{ readonly sha256: string }>(
  "find_denied",
  "SELECT sha256 FROM denied_sounds WHERE sha256 IN (:...sums)",
);

/** The subject of a block: an address range in the spelling of `parseAddressRange`, or a device. */
export interface BlockSubject {
  readonly subject: string;
  readonly kind: "address" | "device";
}

export interface SwitchTurn {
  readonly name: SwitchName;
  readonly isOff: boolean;
  readonly sentence?: string | undefined;
}

/** An operator's decisions (rules AD3 to AD6). */
export const DECISION_CHANGES = {
  block: decision(block, ({ subject }: BlockSubject) => ({ action: "block", subject })),
  unblock: decision(unblock, ({ subject }: BlockSubject) => ({ action: "unblock", subject })),
  turnSwitch: decision(turnSwitch, ({ name, isOff, sentence }: SwitchTurn) => {
    return { action: `switch ${isOff ? "off" : "on"}`, subject: name, detail: sentence };
  }),
  ...DENIAL_CHANGES,
  ...LOG_CHANGES,
};

/** Blocks an address range or a device. Returns false if it was blocked before. */
export function* block({ subject, kind, at }: BlockSubject & Pick<ByWhom, "at">): Work<boolean> {
  const deviceId = subject;
  yield* tell(LOCK_DEVICE({ deviceId }));
  if (!(yield* hasRows(BLOCK({ subject, kind, blockedAt: at })))) return false;
  // Nobody may pair with a blocked device.
  yield* tell(END_CODE({ deviceId }));
  yield* noteRemoval("blocked", subject);
  return true;
}

/** Returns false if it wasn't blocked. */
export function* unblock({ subject }: Pick<BlockSubject, "subject">): Work<boolean> {
  if (!(yield* hasRows(UNBLOCK({ subject })))) return false;
  yield* noteRemoval("unblocked", subject);
  return true;
}

function turnSwitch({ name, isOff, sentence, at }: SwitchTurn & ByWhom): Work<boolean> {
  return hasRows(isOff ? OFF({ name, sentence: sentence ?? null, at }) : ON({ name }));
}

/** Reads the decisions that a relay obeys. */
export function* readDecisions(): Work<OperatorDecisions> {
  const rows = yield* ask(DECISIONS());
  const named = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name);
  const off = rows.flatMap(({ kind, name, sentence }) => {
    const known = SWITCHES.find((each) => kind === "switch" && each === name);
    return known === undefined ? [] : [[known, sentence ?? undefined] as const];
  });
  return {
    addresses: named("address"),
    devices: named("device"),
    off: new Map(off),
    deniesSounds: named("denies").length > 0,
    hasKeys: named("keys").length > 0,
  };
}

/** Returns those of some sounds that are denied. */
export function* findDenied(sums: readonly string[]): Work<ReadonlySet<string>> {
  return new Set((yield* ask(DENIED({ sums }))).map(({ sha256 }) => sha256));
}
