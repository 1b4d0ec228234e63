import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type Bound,
  runNow,
  statement,
  type Step,
  valuesOf,
  type Work,
} from "../records/statement.ts";

/**
 * Notes a removal (rule Z11). The time is the machine's, or the latest relay time that was kept, so that the removal
 * doesn't look old after the clock was set back.
 */
const NOTE_REMOVAL = statement(
  "note_removal",
  `INSERT INTO removals (at, kind, id)
   SELECT max(:now, coalesce((SELECT CAST(value AS INTEGER) FROM upkeep WHERE name = 'time'), 0)), :kind, :id`,
  "sqlite",
);

interface Prepared {
  readonly compiled: StatementSync;
  readonly names: readonly string[];
  /** True for a statement that only reads. */
  readonly isRead: boolean;
}

/** Runs changes and reads on one connection. Each statement is compiled when it first runs. */
export class StatementRunner {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<Bound["statement"], Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs a change or read to its end. The caller holds the transaction. */
  run<Result>(work: Work<Result>): Result {
    return runNow(work, (step) => this.#act(step));
  }

  /** Runs one statement. Returns its rows. */
  rows(bound: Bound): readonly unknown[] {
    if (bound.statement.only === "postgres") return [];
    const { compiled, names } = this.#prepare(bound);
    return compiled.all(...inputsOf(bound, names));
  }

  #act(step: Step): readonly (readonly unknown[])[] {
    switch (step.kind) {
      case "ask":
        return step.statements.map((bound) => this.rows(bound));
      case "tell":
        for (const bound of step.statements) this.#tell(bound);
        return [];
      case "note-removal":
        this.#tell(NOTE_REMOVAL({ now: Date.now(), kind: step.what, id: step.id }));
        return [];
      case "notify":
        // The other connections notice every commit.
        return [];
    }
  }

  #tell(bound: Bound): void {
    if (bound.statement.only === "postgres") return;
    const { compiled, names, isRead } = this.#prepare(bound);
    if (!isRead) compiled.run(...inputsOf(bound, names));
  }

  #prepare({ statement }: Bound): Prepared {
    const known = this.#prepared.get(statement);
    if (known !== undefined) return known;
    const { text, names } = statement.compiled("sqlite");
    const isRead = text.startsWith("SELECT");
    const prepared = { compiled: this.#database.prepare(text), names, isRead };
    this.#prepared.set(statement, prepared);
    return prepared;
  }
}

function inputsOf(bound: Bound, names: readonly string[]): SQLInputValue[] {
  return valuesOf(bound, names).map((value) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : value,
  );
}
