import { parseArgs } from "node:util";
import { isHeld } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { AttackedRelay } from "./attacked-relay.ts";
import { formatReports, type Report, reportsAsJson } from "./format-report.ts";

// `npm run abuse [-- A1 A3 … --short --json]`: attacks relays of its own on 127.0.0.1. `docs/abuse.md` explains it.

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const chosen = ATTACKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !ATTACKS.some((attack) => attack.name === name));
if (unknown.length > 0) throw new Error(`There is no attack ${unknown.join(", ")}.`);

const reports: Report[] = [];
for (const attack of chosen) {
  const startedAt = performance.now();
  process.stderr.write(`${attack.name}: ${attack.title} … `);
  try {
    const outcome = await attack.run({
      isShort: flags.short,
      openRelay: (options) => AttackedRelay.open(options),
    });
    const seconds = (performance.now() - startedAt) / 1000;
    reports.push({ attack, outcome, seconds });
    process.stderr.write(`${isHeld(outcome) ? "held" : "BROKEN"}, ${seconds.toFixed(1)} s\n`);
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
