import { parseArgs } from "node:util";
import { isHeld } from "./attack.ts";
import { ATTACKS, LONG_ATTACKS } from "./attacks.ts";
import { startEngines } from "../../engines/cluster.ts";
import { Attacked, type OpenOptions } from "./attacked-relay.ts";
import { formatReports, type Report, reportsAsJson } from "./format-report.ts";

// `npm run abuse [-- A1 A3 … all --short --seconds N --scaled --json]`: attacks relays of its own on 127.0.0.1. `docs/operate/abuse.md` explains it.

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: "boolean", default: false },
    seconds: { type: "string" },
    scaled: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const seconds = flags.seconds === undefined ? undefined : Number(flags.seconds);
if (seconds !== undefined && !(seconds > 0 && seconds <= 600)) {
  throw new Error("--seconds is a number above 0, at most 600.");
}
const known = [...ATTACKS, ...LONG_ATTACKS];
const unknown = positionals.filter((name) => !known.some((attack) => attack.name === name));
if (unknown.length > 0) {
  throw new Error(
    `Attacks are ${known.map(({ name }) => name).join(", ")}, not ${unknown.join(", ")}.`,
  );
}
const chosen =
  positionals.length === 0 ? ATTACKS : known.filter(({ name }) => positionals.includes(name));

await using engines = flags.scaled ? await startEngines() : undefined;
const openRelay = (options?: OpenOptions) => Attacked.open(options, engines);

const reports: Report[] = [];
for (const attack of chosen) {
  if (flags.scaled && attack.isLocal === true) {
    process.stderr.write(`${attack.name}: left out, because it needs one relay on this computer\n`);
    continue;
  }
  const startedAt = performance.now();
  process.stderr.write(`${attack.name}: ${attack.title} … `);
  try {
    const outcome = await attack.run({
      isShort: flags.short,
      seconds,
      openRelay,
    });
    const tookSeconds = (performance.now() - startedAt) / 1000;
    reports.push({ attack, outcome, seconds: tookSeconds });
    process.stderr.write(`${isHeld(outcome) ? "held" : "BROKEN"}, ${tookSeconds.toFixed(1)} s\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(
      `could not run: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
  }
}
process.stdout.write(
  `${flags.json ? reportsAsJson(reports) : formatReports(reports).join("\n")}\n`,
);
if (!reports.every(({ outcome }) => isHeld(outcome))) process.exitCode = 1;
