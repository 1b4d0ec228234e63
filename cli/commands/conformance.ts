import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { newCommand, withJson } from "../command.ts";
import type { Report } from "../conformance/report.ts";
import type { RunOptions } from "../conformance/run-checks.ts";
import { Failure, WrongUse } from "../fail.ts";
import { outputFor } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

/** The shortest wait that is announced. */
const ANNOUNCED_WAIT_SECONDS = 3;

interface ConformanceFlags {
  readonly relay: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly code?: string;
  readonly token?: string;
  readonly slow?: boolean;
  readonly limits?: boolean;
  readonly registrationKey?: string;
  readonly junit?: string;
  readonly badge?: string;
  readonly json?: boolean;
}

/**
 * `soundferry conformance`: tests any relay against the contract (rules Q1–Q8).
 * @param program its own name, if it is all of a program
 */
export function conformanceCommand(program?: string): Command {
  const command = newCommand(
    "conformance",
    "Checks a relay from the outside against the contract in docs/rules, rule by rule. " +
      "Registers its own computers and apps and removes them again. Exits 1 when a rule is broken.",
    program,
  )
    .option("--relay <url>", "address of the relay", "http://127.0.0.1:4700")
    .option(
      "--only <words...>",
      "only these rules (U3) or checks (upload-again); public: what the public specification says",
    )
    .option("--skip <words...>", "all but these rules or checks")
    .option("--code <code>", "with --only public: a pairing code, to pair one app with")
    .option("--token <token>", "with --only public: the token of a paired app [SOUNDFERRY_TOKEN]")
    .option("--slow", "also run the checks that take minutes")
    .option(
      "--limits",
      "also run the checks that use up a limit: this address then has to wait a minute",
    )
    .option(
      "--registration-key <key>",
      "key that the relay requires from a new importer [SOUNDFERRY_REGISTRATION_KEY]",
    )
    .option("--junit <file>", "write the results as JUnit XML")
    .option("--badge <file>", "write a badge: a picture (.svg) or data for shields.io (.json)");
  return withJson(command).action(runConformance);
}

async function runConformance(flags: ConformanceFlags): Promise<void> {
  const { readRegistrationKey } = await import("../registration-key.ts");
  const relayUrl = parseRelay(flags.relay);
  const { badge, junit } = flags;
  if (badge !== undefined && !/\.(svg|json)$/.test(badge)) {
    throw new WrongUse("--badge needs a file that ends in .svg or .json.");
  }
  const output = outputFor(flags);
  const report = await testRelay(relayUrl, {
    ...(await readChoice(flags)),
    registrationKey: flags.registrationKey ?? readRegistrationKey({}),
    onWait: (seconds) => {
      if (seconds >= ANNOUNCED_WAIT_SECONDS)
        output.say(`The relay's limit is reached. Continuing in ${seconds} s.`);
    },
  });
  const [{ formatReport, formatJunit }, { badgeJson, badgeSvg }] = await Promise.all([
    import("../conformance/format-report.ts"),
    import("../conformance/badge.ts"),
  ]);
  if (junit !== undefined) await writeFile(junit, formatJunit(report));
  if (badge !== undefined) {
    const isPicture = badge.endsWith(".svg");
    await writeFile(badge, isPicture ? badgeSvg(report) : `${JSON.stringify(badgeJson(report))}\n`);
  }
  output.give(report, formatReport(report));
  if (!report.keeps_the_contract) process.exitCode = 1;
}

/** Reads which checks run, and the app that a run of the public specification is given. */
async function readChoice(flags: ConformanceFlags): Promise<Pick<RunOptions, "choice" | "given">> {
  const { contractOf, unknownWords } = await import("../conformance/choice.ts");
  const [only, skip] = [flags.only, flags.skip].map((words) =>
    words?.flatMap((word) => word.split(",")).filter((word) => word !== ""),
  );
  const [unknown] = unknownWords([...(only ?? []), ...(skip ?? [])]);
  if (unknown !== undefined) {
    throw new WrongUse(`"${unknown}" is neither a rule nor a check; a run lists them all.`);
  }
  const needs = new Set([
    ...(flags.slow ? ["time" as const] : []),
    ...(flags.limits ? ["limit" as const] : []),
  ]);
  const choice = { only, skip, needs };
  const isPublic = contractOf(choice) === "public";
  const { code } = flags;
  const token = flags.token ?? (isPublic ? process.env["SOUNDFERRY_TOKEN"] : undefined);
  if (isPublic !== (code !== undefined || token !== undefined)) {
    throw new WrongUse(
      isPublic
        ? "--only public needs the app's --token, or a pairing --code."
        : "--code and --token are for --only public; otherwise the kit pairs its own apps.",
    );
  }
  if (code !== undefined) return { choice, given: { code } };
  return { choice, given: token === undefined ? undefined : { token } };
}

async function testRelay(
  relayUrl: string,
  options: Omit<RunOptions, "signal" | "wait">,
): Promise<Report> {
  const [{ runChecks }, { Inconclusive, NoRelay }] = await Promise.all([
    import("../conformance/run-checks.ts"),
    import("../conformance/assertion-failure.ts"),
  ]);
  const signal = stopSignal();
  try {
    const wait = (ms: number) => sleep(ms, undefined, { signal });
    return await runChecks(relayUrl, { ...options, signal, wait });
  } catch (error) {
    if (signal.aborted) throw new Failure("Stopped. Everything created on the relay was removed.");
    if (error instanceof NoRelay) throw new Failure(error.message);
    if (!(error instanceof Inconclusive)) throw error;
    throw new Failure(`No relay answers at ${relayUrl}. (${error.message})`);
  }
}

function parseRelay(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new WrongUse(`A relay's address begins with http:// or https://; "${text}" does not.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
