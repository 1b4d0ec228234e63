import { change } from "./change.ts";
import { STORE_CHANGED } from "./notices.ts";
import { notify, statement, tell, type Work } from "./statement.ts";
import { insertInto } from "./schema.ts";

const LOG = statement(
  "log_operation",
  insertInto("operator_log", ["at", "who", "action", "subject", "detail"]),
);

/** The author and the time of an operation, for the log of operations (rule AD2). */
export interface ByWhom {
  readonly who: string;
  /** Relay time. */
  readonly at: number;
}

/** An operation as the log has it, besides its author and time. */
export interface Operation {
  readonly action: string;
  readonly subject: string;
  readonly detail?: string | undefined;
}

/** Logs an operation as part of a change. Every relay learns that the operator changed something. */
export function* logOperation(
  { at, who }: ByWhom,
  { action, subject, detail }: Operation,
): Work<void> {
  yield* tell(LOG({ at, who, action, subject, detail: detail ?? null }));
  yield* notify(STORE_CHANGED);
}

/** Makes a change of an operator, which is logged unless it returns false (rule AD2). */
export function decision<Argument>(
  decide: (argument: Argument & ByWhom) => Work<boolean>,
  operationOf: (argument: Argument) => Operation,
) {
  return change(function* (argument: Argument & ByWhom): Work<boolean> {
    const isNew = yield* decide(argument);
    if (isNew) yield* logOperation(argument, operationOf(argument));
    return isNew;
  });
}

export const LOG_CHANGES = {
  logOperation: change((operation: Operation & ByWhom) => logOperation(operation, operation)),
};
