import pLimit from "p-limit";
import { AssertionFailure, Inconclusive, LeftOut, NoRelay } from "./assertion-failure.ts";
import type { Check } from "./check.ts";
import { type Choice, choose, contractOf, isPart, reasonToSkip } from "./choice.ts";
import { findRelay } from "./find-relay.ts";
import { Kit } from "./kit.ts";
import type { PairingOptions } from "./pairing.ts";
import { buildReport, type CheckResult, type Report, resultOf } from "./report.ts";
import { type Standing, Watch } from "./watch.ts";

/** Number of ordinary checks that run at once; a relay allows one computer four uploads at once. */
const CONCURRENCY = 3;

/** Checks with a need run one by one: time passes for all, and a used-up limit affects the next. */
const ROUNDS = [
  { round: "ordinary", concurrency: CONCURRENCY },
  { round: "time", concurrency: 1 },
  { round: "limit", concurrency: 1 },
  { round: "last", concurrency: 1 },
] as const;

export interface RunOptions extends Omit<PairingOptions, "watch" | "contract"> {
  readonly choice: Choice;
  /** Called with each result as its check ends. */
  readonly onResult?: (result: CheckResult) => void;
}

/**
 * Checks a relay against the contract (rules Q1–Q4), and removes what it created there.
 * @param relayUrl without a trailing slash
 * @throws {Inconclusive} when nothing answers at the address
 * @throws {NoRelay} when something else than a relay answers
 */
export async function runChecks(relayUrl: string, options: RunOptions): Promise<Report> {
  const { choice, signal } = options;
  const watch = new Watch();
  const contract = contractOf(choice);
  const kit = new Kit(relayUrl, { ...options, contract, watch: watch.see });
  const results = new Map<string, CheckResult>();
  const note = ({ reason, ...rest }: CheckResult): void => {
    const result = reason === undefined ? rest : { ...rest, reason: kit.secrets.hide(reason) };
    results.set(result.id, result);
    options.onResult?.(result);
  };
  const { checks, standing } = choose(choice);
  const abandon = () => kit.wire.abandon();
  signal.addEventListener("abort", abandon, { once: true });
  let relayVersion: string | undefined;
  try {
    relayVersion = await findRelay(kit);
    const due = checks.filter((check) => {
      const reason = reasonToSkip(check, choice);
      if (reason !== undefined) note(resultOf(check, "skipped", reason));
      return reason === undefined;
    });
    await runAll(due, async (check) => {
      signal.throwIfAborted();
      note(await runOne(check, kit));
    });
    signal.throwIfAborted();
  } catch (error) {
    const isSaid = error instanceof Inconclusive || error instanceof NoRelay;
    if (isSaid) error.message = kit.secrets.hide(error.message);
    throw error;
  } finally {
    signal.removeEventListener("abort", abandon);
    await kit.cleanUp();
  }
  for (const promise of standing) note(judgeStanding(promise, watch, choice));
  const inOrder = [...checks, ...standing].flatMap(({ id }) => results.get(id) ?? []);
  return buildReport({ relay: relayUrl, relayVersion, contract, isPart: isPart(choice) }, inOrder);
}

/** Runs the checks round by round. Those that mostly wait take no place of the others in their round. */
async function runAll(due: readonly Check[], run: (check: Check) => Promise<void>): Promise<void> {
  for (const { round, concurrency } of ROUNDS) {
    const limit = pLimit(concurrency);
    const checks = due.filter((check) => roundOf(check) === round);
    // The next round starts only when nothing is running any more.
    const ended = await Promise.allSettled(
      checks.map((check) => (check.isLong ? run(check) : limit(run, check))),
    );
    const broken = ended.find(({ status }) => status === "rejected");
    if (broken?.status === "rejected") throw broken.reason;
  }
}

function roundOf({ needs, isLast }: Check): (typeof ROUNDS)[number]["round"] {
  return isLast ? "last" : (needs ?? "ordinary");
}

/** Runs a check. Whatever it throws is its result, except that the run was stopped. */
async function runOne(check: Check, kit: Kit): Promise<CheckResult> {
  const startedAt = performance.now();
  const end = (outcome: CheckResult["outcome"], reason?: string) =>
    resultOf(check, outcome, reason, Math.round(performance.now() - startedAt));
  try {
    await check.run(kit);
    return end("passed");
  } catch (error) {
    kit.signal.throwIfAborted();
    if (error instanceof AssertionFailure) return end("failed", error.message);
    if (error instanceof Inconclusive) return end("hindered", error.message);
    if (error instanceof LeftOut) return end("skipped", error.message);
    // An answer that no check expects: the relay's failure, and no reason to end the run.
    return end("failed", `The check broke off: ${String(error)}`);
  }
}

function judgeStanding(promise: Standing, watch: Watch, choice: Choice): CheckResult {
  const reason = reasonToSkip(promise, choice);
  if (reason !== undefined) return resultOf(promise, "skipped", reason);
  const failure = watch.failureOf(promise);
  return resultOf(promise, failure === undefined ? "passed" : "failed", failure);
}
