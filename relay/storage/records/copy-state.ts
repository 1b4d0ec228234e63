import { ask, hasRows, statement, type Work } from "./statement.ts";
import type { TableName } from "./tables.ts";
import { keepUpkeep, readUpkeep } from "./upkeep.ts";

/** The place of a row in the order in which its table is copied: the values of its key. */
export type Place = readonly (string | number)[];

/** The progress of a copy. It changes in the transaction that inserts rows, so no row comes twice. */
export interface CopyState {
  /** Id of the move, as in the source's mark. */
  readonly id: string;
  /** Table that is being copied; `done` when nothing more is written. */
  readonly at: TableName | "done";
  /** Last row of that table that was copied. */
  readonly after?: Place;
}

/** The states before and after a change of a copy. */
export interface CopyStep {
  readonly state: CopyState;
  readonly next: CopyState;
}

/** The contents of a database before a copy begins. */
export interface CopyTarget {
  readonly instanceId: string | undefined;
  readonly state: CopyState | undefined;
  /** True if it has records of a relay. */
  readonly isUsed: boolean;
}

/** The row of `upkeep` that holds the state. */
const STATE = "copy";

const IS_USED = statement<{ readonly used: number }>(
  "copy_is_used",
  `SELECT CASE WHEN EXISTS (SELECT 1 FROM devices) OR EXISTS (SELECT 1 FROM packages)
     OR EXISTS (SELECT 1 FROM blocks) OR EXISTS (SELECT 1 FROM operator_log)
     OR EXISTS (SELECT 1 FROM denied_sounds) THEN 1 ELSE 0 END AS used`,
);
const ADVANCE = statement(
  "copy_advance",
  `UPDATE upkeep SET value = :next WHERE name = '${STATE}' AND value = :state RETURNING name`,
);

/** Reads what a database has, and how far a copy into it has come. */
export function* readTarget(): Work<CopyTarget> {
  const values = yield* readUpkeep();
  const [row] = yield* ask(IS_USED());
  const text = values.get(STATE);
  const state: CopyState | undefined = text === undefined ? undefined : JSON.parse(text);
  return {
    instanceId: values.get("instance_id"),
    state,
    isUsed: row?.used === 1,
  };
}

/** Binds a database to an instance, and keeps the first state of a copy. */
export function keepState(instanceId: string, state: CopyState): Work<void> {
  return keepUpkeep({ instance_id: instanceId, is_bound: "1", [STATE]: JSON.stringify(state) });
}

/** Advances the state. Returns false, and changes nothing, if it is another one. */
export function advance({ state, next }: CopyStep): Work<boolean> {
  return hasRows(ADVANCE({ state: JSON.stringify(state), next: JSON.stringify(next) }));
}

/** Checks whether a copy has exactly this state. */
export function* isAt(state: CopyState): Work<boolean> {
  return (yield* readUpkeep()).get(STATE) === JSON.stringify(state);
}
