import { type Dialect, type DialectName, POSTGRES, SQLITE } from "./dialect.ts";
import type { Notice } from "./notices.ts";
import type { RemovalKind } from "../removals-log.ts";

/** A value of a parameter. A list serves `Dialect.among`. */
export type Value = string | number | null | readonly (string | number | null)[];

/** The text of a statement for one database, and the names of its parameters in their order. */
export interface Compiled {
  readonly text: string;
  readonly names: readonly string[];
}

/** SQL that both databases understand, or a function that writes it for one. */
type StatementSource = string | ((sql: Dialect) => string);

/** One SQL statement, written once for both databases. Its parameters have names: `:device_id`. */
export class Statement {
  /** Unique. PostgreSQL prepares a statement once for each connection under this name. */
  readonly name: string;
  /** The only database that needs it; undefined for both. */
  readonly only: DialectName | undefined;
  readonly #source: StatementSource;
  readonly #compiled: Partial<Record<DialectName, Compiled>> = {};

  constructor(name: string, source: StatementSource, only?: DialectName) {
    this.name = name;
    this.only = only;
    this.#source = source;
  }

  /** Returns its text for a database. It is made at the first use. */
  compiled(dialect: DialectName): Compiled {
    return (this.#compiled[dialect] ??= compile(this.#source, dialect));
  }
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite: SQLITE, postgres: POSTGRES };
const SIGNS: Readonly<Record<DialectName, string>> = { sqlite: "?", postgres: "$" };
/** A parameter, but no cast such as `::text`. */
const PARAMETER = /(?<![:\w]):([a-z]\w*)/g;

function compile(source: StatementSource, dialect: DialectName): Compiled {
  const written = typeof source === "string" ? source : source(DIALECTS[dialect]);
  const names: string[] = [];
  const text = written.replaceAll(PARAMETER, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `${SIGNS[dialect]}${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

const ALL = new Map<string, Statement>();

/** Lists every statement. */
export function allStatements(): readonly Statement[] {
  return [...ALL.values()];
}

export type Values = Readonly<Record<string, Value>>;

/** A statement with the values of its parameters. */
export interface Bound<Row = unknown> {
  readonly statement: Statement;
  readonly values: Values;
  /** Ties the type of the rows to the statement. Never set. */
  readonly row?: Row;
}

/**
 * Defines a statement.
 * @returns a function that binds values to it
 */
export function statement<Row = unknown>(
  name: string,
  source: StatementSource,
  only?: DialectName,
): (values?: Values) => Bound<Row> {
  if (ALL.has(name)) throw new Error(`Two statements have the name ${name}.`);
  const made = new Statement(name, source, only);
  ALL.set(name, made);
  return (values = {}) => ({ statement: made, values });
}

/** Returns the values of a statement in the order of its parameters. */
export function valuesOf(
  { statement: { name }, values }: Bound,
  names: readonly string[],
): Value[] {
  return names.map((each) => {
    const value = values[each];
    if (value === undefined) throw new Error(`${name} has no value for :${each}.`);
    return value;
  });
}

/**
 * A step of a change or a read.
 * - `ask`: statements whose rows the next step needs. None depends on another's answer, so they can travel together.
 * - `tell`: statements whose rows nobody needs. A SELECT among them only locks, so SQLite leaves it out.
 * - `notify`: what other processes on the database learn if the change is committed. SQLite's notice every change anyway.
 * - `note-removal`: what a restored backup must not bring back (rule Z11). PostgreSQL's own backups go up to its last moment.
 */
export type Step =
  | { readonly kind: "ask" | "tell"; readonly statements: readonly Bound[] }
  | { readonly kind: "notify"; readonly notices: readonly Notice[] }
  | { readonly kind: "note-removal"; readonly what: RemovalKind; readonly id: string };

/**
 * A change or a read of the records: a generator that yields steps, and gets the rows of what it asked. It is pure but for
 * its statements. SQLite runs it to its end at once, PostgreSQL waits for each answer. A change is one transaction.
 */
export type Work<Result> = Generator<Step, Result, readonly (readonly unknown[])[]>;

type RowsOf<Statements extends readonly Bound[]> = {
  readonly [Index in keyof Statements]: Statements[Index] extends Bound<infer Row>
    ? readonly Row[]
    : never;
};

/** Asks several statements at once. Returns the rows of each. */
export function* askAll<const Statements extends readonly Bound[]>(
  ...statements: Statements
): Work<RowsOf<Statements>> {
  const rows = yield { kind: "ask", statements };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each statement names the columns of its rows
  return rows as unknown as RowsOf<Statements>;
}

/** Asks one statement. Returns its rows. */
export function* ask<Row>(bound: Bound<Row>): Work<readonly Row[]> {
  const [rows] = yield { kind: "ask", statements: [bound] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement names the columns of its rows
  return rows as readonly Row[];
}

/** Runs statements whose rows nobody needs. If one fails, the change does. */
export function* tell(...statements: readonly Bound[]): Work<void> {
  if (statements.length > 0) yield { kind: "tell", statements };
}

/** Tells other processes of a change, if and only if it is committed. */
export function* notify(...notices: readonly Notice[]): Work<void> {
  if (notices.length > 0) yield { kind: "notify", notices };
}

/** Notes a removal for backups (rule Z11). */
export function* noteRemoval(what: RemovalKind, id: string): Work<void> {
  yield { kind: "note-removal", what, id };
}

/** Thrown by a change that ends with a result, and undoes what it did. */
export class Undone extends Error {
  override readonly name = "Undone";
  readonly result: unknown;

  constructor(result: unknown) {
    super("The change was undone.");
    this.result = result;
  }
}

/** Runs a read or change to its end without waiting. @param act carries out one step; returns the rows of each asked statement */
export function runNow<Result>(
  work: Work<Result>,
  act: (step: Step) => readonly (readonly unknown[])[],
): Result {
  let next = work.next();
  while (next.done !== true) next = work.next(act(next.value));
  return next.value;
}

/** Runs a read or change to its end, and waits for each answer. */
export async function runLater<Result>(
  work: Work<Result>,
  act: (step: Step) => Promise<readonly (readonly unknown[])[]> | undefined,
): Promise<Result> {
  let next = work.next();
  while (next.done !== true) next = work.next((await act(next.value)) ?? []);
  return next.value;
}
