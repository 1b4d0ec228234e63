import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";

/** Work in Live: yields lists of steps, each for one of Live's callbacks, and receives their results. */
export type Work<Outcome> = Generator<readonly Step[], Outcome, readonly StepResult[]>;

/** A path that starts at the song, or at the result of an earlier step of the same request, by its index. */
export type Path = readonly (string | number)[];
/** An argument; `{ float: 4 }` is a float, because JSON's 4 is a whole number. */
type Given = string | number | boolean | { readonly float: number } | Keywords;
type Keywords = { readonly [keyword: string]: { readonly float: number } };
/** One step of a `probe` (docs/use/live.md). */
export type Step = readonly [path: Path, verb: "get" | "set" | "call", given: readonly Given[]];

export type Value = string | number | boolean | null;

export interface StepResult {
  /** The result: a scalar, a list's length, or another value's type; null where there is an error. */
  readonly value: Value;
  /** The exception's type and text. */
  readonly error: string | null;
  readonly ms: number;
  /** The number of Live's ticks so far. */
  readonly tick: number;
}

export const get = (...path: Path): Step => [path, "get", []];
export const set = (path: Path, value: Given): Step => [path, "set", [value]];
export const call = (path: Path, ...given: readonly Given[]): Step => [path, "call", given];
export const float = (value: number) => ({ float: value });

/** Takes one step; returns its result. */
export function* take(step: Step): Work<StepResult> {
  const [result] = yield [step];
  return result ?? NOTHING;
}

/** Reads members of a thing, in one callback. */
export function* read(path: Path, members: readonly string[]): Work<readonly Value[]> {
  const results = yield members.map((member) => get(...path, member));
  return results.map(({ value }) => value);
}

/** Reads members of each thing in a list. */
export function* readEach(
  list: Path,
  members: readonly string[],
): Work<readonly (readonly Value[])[]> {
  const count = numberIn((yield* take(get(...list))).value);
  const rows: (readonly Value[])[] = [];
  for (let index = 0; index < count; index += 1) rows.push(yield* read([...list, index], members));
  return rows;
}

/** Waits for a number of Live's ticks. */
export function* wait(ticks: number): Work<void> {
  const { tick: begin } = yield* take(get("tempo"));
  while ((yield* take(get("tempo"))).tick < begin + ticks);
}

/** Takes a step; returns Live's error, or null without one. */
export function* errorOf(step: Step): Work<string | null> {
  return (yield* take(step)).error;
}

export function numberIn(value: Value | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** Reads the answer to a `probe`. */
export function readResults({ results }: JsonObject): readonly StepResult[] {
  return Array.isArray(results) ? results.map(resultOf) : [];
}

const NOTHING: StepResult = { value: null, error: "There was no answer.", ms: 0, tick: 0 };

function resultOf(given: unknown): StepResult {
  if (!isJsonObject(given)) return NOTHING;
  const { value, error, ms, tick } = given;
  const isValue =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return {
    value: isValue ? value : null,
    error: typeof error === "string" ? error : null,
    ms: typeof ms === "number" ? ms : 0,
    tick: typeof tick === "number" ? tick : 0,
  };
}
