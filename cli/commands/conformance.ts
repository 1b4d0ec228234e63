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
  readonly slow?: boolean;
  readonly limits?: boolean;
  readonly registrationKey?: string;
  readonly junit?: string;
  readonly badge?: string;
  readonly json?: boolean;
}

/** `soundferry conformance`: tests any relay against the contract (rules Q1–Q6). */
export function conformanceCommand(): Command {
  const command = newCommand(
    "conformance",
    "Checks a relay from the outside against the contract in docs/rules, rule by rule. " +
      "Registers its own computers and apps and removes them again. Exits 1 when a rule is broken.",
  )
    .option("--relay <url>", "address of the relay", "http://127.0.0.1:4700")
    .option("--only <words...>", "only these rules (U3) or checks (upload-again)")
    .option("--skip <words...>", "all but these rules or checks")
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
  const [{ unknownWords }, { readRegistrationKey }] = await Promise.all([
    import("../conformance/run-checks.ts"),
    import("../registration-key.ts"),
  ]);
  const relayUrl = parseRelay(flags.relay);
  const { badge, junit } = flags;
  const [only, skip] = [flags.only, flags.skip].map((words) =>
    words?.flatMap((word) => word.split(",")).filter((word) => word !== ""),
  );
  const [unknown] = unknownWords([...(only ?? []), ...(skip ?? [])]);
  if (unknown !== undefined) {
    throw new WrongUse(`"${unknown}" is neither a rule nor a check; a run lists them all.`);
  }
  if (badge !== undefined && !/\.(svg|json)$/.test(badge)) {
    throw new WrongUse("--badge needs a file that ends in .svg or .json.");
  }
  const output = outputFor(flags);
  const report = await testRelay(relayUrl, {
    choice: {
      only,
      skip,
      needs: new Set([
        ...(flags.slow ? ["time" as const] : []),
        ...(flags.limits ? ["limit" as const] : []),
      ]),
    },
    registrationKey: flags.registrationKey ?? readRegistrationKey({}),
    onWait: (seconds) => {
      if (seconds >= ANNOUNCED_WAIT_SECONDS)
        output.say(`The relay's limit is reached. Continuing in ${seconds} s.`);
    },
  });
  const [{ formatReport }, { formatJunit }, { badgeJson, badgeSvg }] = await Promise.all([
    import("../conformance/format-report.ts"),
    import("../conformance/format-report.ts"),
    import("../conformance/format-report.ts"),
  ]);
  if (junit !== undefined) await writeFile(junit, formatJunit(report));
  if (badge !== undefined) {
    const isPicture = badge.endsWith(".svg");
    await writeFile(badge, isPicture ? badgeSvg(report) : `${JSON.stringify(badgeJson(report))}\n`);
  }
  output.give(report, formatReport(report));
  if (!report.keeps_the_contract) process.exitCode = 1;
}

async function testRelay(
  relayUrl: string,
  options: Omit<RunOptions, "signal" | "wait">,
): Promise<Report> {
  const [{ runChecks }, { Inconclusive }] = await Promise.all([
    import("../conformance/run-checks.ts"),
    import("../conformance/assertion-failure.ts"),
  ]);
  const signal = stopSignal();
  try {
    const wait = (ms: number) => sleep(ms, undefined, { signal });
    return await runChecks(relayUrl, { ...options, signal, wait });
  } catch (error) {
    if (signal.aborted) throw new Failure("Stopped. Everything created on the relay was removed.");
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
