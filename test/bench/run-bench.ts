import { rmSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BenchResult, BenchOptions } from "./bench-result.ts";
import { formatMachine, readMachine, formatResult } from "./format-result.ts";
import { benchAnnounce, benchStatus } from "./measures/status.ts";
import {
  benchGainedCopy,
  benchLibrary,
  benchLibraryCheck,
  benchPlace,
} from "./measures/library.ts";
import { benchImport, benchNotice } from "./measures/notice.ts";
import { benchIdle } from "./measures/idle.ts";
import { benchLimits } from "./measures/limits.ts";
import { benchPeers } from "./measures/peers.ts";
import { benchPages } from "./measures/pages.ts";
import { benchRestart, benchSockets } from "./measures/restart.ts";
import { benchSweep } from "./measures/sweep.ts";
import { benchPackageCost } from "./measures/package-cost.ts";
import { benchScaledCost } from "./measures/scaled-cost.ts";
import { benchScaledCurve } from "./measures/scaled-curve.ts";
import { benchUploadMany, benchUpload } from "./measures/upload.ts";
import { countAll, formatCounts } from "./counts/run-counts.ts";
import { runProfile } from "./counts/run-profile.ts";

// npm run bench -- [name …] [--many] [--short] [--save]
// npm run bench -- peers [--before <checkout>] [--tus <folder>] [--short] [--save]
// npm run bench -- counts [--save]
// npm run bench -- profile <subject> [--short]
// A missed goal is printed and is not a failure; only a bench that does not run is.

const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<BenchResult>>> = {
  upload: benchUpload,
  "upload-many": benchUploadMany,
  peers: benchPeers,
  status: benchStatus,
  announce: benchAnnounce,
  notice: benchNotice,
  import: benchImport,
  "gained-copy": benchGainedCopy,
  library: benchLibrary,
  "library-check": benchLibraryCheck,
  place: benchPlace,
  pages: benchPages,
  sweep: benchSweep,
  idle: benchIdle,
  restart: benchRestart,
  limits: benchLimits,
  sockets: benchSockets,
  "scaled-cost": benchScaledCost,
  "scaled-curve": benchScaledCurve,
  "package-cost": benchPackageCost,
};

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    many: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    before: { type: "string" },
    tus: { type: "string" },
  },
});
const root = await mkdtemp(join(tmpdir(), "soundferry-bench-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const machine = readMachine();
print(formatMachine(machine));
const [first, second] = positionals;
if (first === "profile") print(await runProfile(second, { folder: root, isShort: flags.short }));
else for (const name of chosen()) await (name === "counts" ? runCounts() : runBench(name));

async function runCounts(): Promise<void> {
  const processes = await countAll(root);
  print(formatCounts(processes));
  if (flags.save) await save("counts", { processes });
}

async function runBench(name: string): Promise<void> {
  const bench = BENCHES[name];
  if (bench === undefined) throw new Error(`There is no bench "${name}".`);
  const folder = join(root, name);
  await mkdir(folder);
  const result = await bench({
    folder,
    isShort: flags.short,
    before: flags.before,
    tus: flags.tus,
  });
  print(formatResult(result, { isShort: flags.short }));
  if (flags.save) await save(name, result);
  rmSync(folder, { recursive: true });
}

function chosen(): readonly string[] {
  if (positionals.length === 0) return [...Object.keys(BENCHES), "counts"];
  return positionals.map((name) => (flags.many && name === "upload" ? "upload-many" : name));
}

async function save(name: string, result: object): Promise<void> {
  const folder = join(import.meta.dirname, "results");
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify({ measured_on: machine, ...result }, null, 2);
  await writeFile(join(folder, `${name}.json`), `${text}\n`);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
