import pLimit from "p-limit";
import { CHECKS } from "./all-checks.ts";
import { AssertionFailure, Inconclusive, LeftOut } from "./assertion-failure.ts";
import type { Check, Need } from "./check.ts";
import { Kit, type KitOptions } from "./kit.ts";
import { buildReport, type CheckResult, type Report } from "./report.ts";
import { STANDING, type Standing, Watch } from "./watch.ts";

/** The checks to run, by rule (`U3`) or id (`upload-again`). */
export interface Choice {
  /** All if undefined. */
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** The needs that the user allowed (rule Q4). */
  readonly needs: ReadonlySet<Need>;
}

const REASONS: Readonly<Record<Need, string>> = {
  time: "Needs time to pass; --slow runs it.",
  limit: "Uses up a limit; --limits runs it.",
};

/** The words that are neither a rule nor a check's id. */
export function unknownWords(words: readonly string[]): readonly string[] {
  const known = new Set([...CHECKS, ...STANDING].flatMap(({ id, rule }) => [id, rule]));
  return words.filter((word) => !known.has(word));
}

/** Checks whether the report lists the check. */
function isChosen({ id, rule }: Pick<Check, "id" | "rule">, { only }: Choice): boolean {
  return only === undefined || only.includes(id) || only.includes(rule);
}

/** Returns why a chosen check is skipped; undefined if it runs. */
function reasonToSkip(
  { id, rule, needs }: Pick<Check, "id" | "rule" | "needs">,
  choice: Choice,
): string | undefined {
  if (choice.skip?.some((word) => word === id || word === rule)) return "Skipped by --skip.";
  return needs === undefined || choice.needs.has(needs) ? undefined : REASONS[needs];
}

/** Number of ordinary checks that run at once; a relay allows one computer four uploads at once. */
const CONCURRENCY = 3;

/** Checks with a need run one by one: time passes for all, and a used-up limit affects the next. */
const ROUNDS = [
  { needs: undefined, concurrency: CONCURRENCY },
  { needs: "time", concurrency: 1 },
  { needs: "limit", concurrency: 1 },
] as const;

export interface RunOptions extends Omit<KitOptions, "watch"> {
  readonly choice: Choice;
  /** Called with each result as its check ends. */
  readonly onResult?: (result: CheckResult) => void;
}

/**
 * Checks a relay against the contract (rules Q1–Q4), and removes what it created there.
 * @param relayUrl without a trailing slash
 * @throws {Inconclusive} when nothing answers at the address
 */
export async function runChecks(relayUrl: string, options: RunOptions): Promise<Report> {
  const watch = new Watch();
  const kit = new Kit(relayUrl, { ...options, watch: watch.see });
  const results = new Map<string, CheckResult>();
  const note = (result: CheckResult): void => {
    results.set(result.id, result);
    options.onResult?.(result);
  };
  const { choice, signal } = options;
  const chosen = CHECKS.filter((check) => isChosen(check, choice));
  const abandon = () => kit.wire.abandon();
  signal.addEventListener("abort", abandon, { once: true });
  try {
    await kit.wire.call("GET", "/importer/hello");
    const due = chosen.filter((check) => {
      const reason = reasonToSkip(check, choice);
      if (reason !== undefined) note(resultOf(check, "skipped", reason));
      return reason === undefined;
    });
    const run = async (check: Check) => {
      signal.throwIfAborted();
      note(await runOne(check, kit));
    };
    for (const { needs: need, concurrency } of ROUNDS) {
      const limit = pLimit(concurrency);
      const checks = due.filter(({ needs }) => needs === need);
      // The next round starts only when nothing is running any more.
      const ended = await Promise.allSettled(checks.map((check) => limit(run, check)));
      const broken = ended.find(({ status }) => status === "rejected");
      if (broken?.status === "rejected") throw broken.reason;
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", abandon);
    await kit.cleanUp();
  }
  const standing = STANDING.filter((promise) => isChosen(promise, choice));
  for (const promise of standing) note(judgeStanding(promise, watch, choice));
  const inOrder = [...chosen, ...standing].flatMap(({ id }) => results.get(id) ?? []);
  return buildReport(relayUrl, inOrder);
}

async function runOne(check: Check, kit: Kit): Promise<CheckResult> {
  const startedAt = performance.now();
  const spent = () => Math.round(performance.now() - startedAt);
  try {
    await check.run(kit);
    return resultOf(check, "passed", undefined, spent());
  } catch (error) {
    if (error instanceof AssertionFailure) return resultOf(check, "failed", error.message, spent());
    if (error instanceof Inconclusive) return resultOf(check, "hindered", error.message, spent());
    if (error instanceof LeftOut) return resultOf(check, "skipped", error.message, spent());
    throw error;
  }
}

function judgeStanding(promise: Standing, watch: Watch, choice: Choice): CheckResult {
  const reason = reasonToSkip(promise, choice);
  if (reason !== undefined) return resultOf(promise, "skipped", reason);
  const failure = watch.failureOf(promise);
  return resultOf(promise, failure === undefined ? "passed" : "failed", failure);
}

function resultOf(
  { rule, id, title }: Pick<Check, "rule" | "id" | "title">,
  outcome: CheckResult["outcome"],
  reason?: string,
  durationMs = 0,
): CheckResult {
  return { rule, id, title, outcome, ...(reason !== undefined && { reason }), durationMs };
}
