import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CLUSTER_RUN } from "../../engines/failures/cluster-relay.ts";
import { BrokenPromise, type CrashedRelay } from "../world.ts";
import { type CrashTally, openOneRelay, runCrashes } from "./run-crashes.ts";

// `npm run crash -- --minutes N [--seed S] [--folder F | --scaled]`: kills a relay and an importer again and again, with
// --scaled one of three relays behind haproxy.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string" },
    folder: { type: "string" },
    scaled: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  throw new Error("--minutes is a number above 0, and --seed a whole number.");
}
if (values.scaled && values.folder !== undefined) {
  throw new Error("--scaled starts new engines each time, so it takes no --folder.");
}
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const folder =
  values.folder === undefined
    ? await mkdtemp(join(tmpdir(), "soundferry-crash-"))
    : resolve(values.folder);
const startedAt = performance.now();
const minutesPast = () => (performance.now() - startedAt) / 60_000;
let cycles = 0;
let last: CrashTally = { relayKills: 0, importerKills: 0, facts: 0, checks: 0 };

console.log(`Commit ${commit}, seed ${seed}, ${folder}`);
try {
  last = await runCrashes<CrashedRelay>({
    folder,
    seed,
    ...(values.scaled ? CLUSTER_RUN : { open: openOneRelay }),
    isEnough: () => minutesPast() >= minutes,
    onCycle: (tally) => {
      last = tally;
      cycles += 1;
      if (cycles % 100 === 0) console.log(sentenceOf(last));
    },
  });
  console.log(`${sentenceOf(last)}\n0 lost in ${minutesPast().toFixed(1)} minutes`);
  if (values.folder === undefined) await rm(folder, { recursive: true });
} catch (error) {
  process.exitCode = 1;
  console.error(`${sentenceOf(last)}\nEverything is in ${folder}`);
  if (!(error instanceof BrokenPromise)) throw error;
  console.error(`1 lost, in cycle ${cycles + 1}: ${error.message}`);
  const scaled = values.scaled ? " --scaled" : "";
  console.error(
    `These moments again: npm run crash -- --minutes ${minutes} --seed ${seed}${scaled}`,
  );
}

function sentenceOf({ relayKills, importerKills, facts, checks }: CrashTally): string {
  return `${relayKills} kills of relays, ${importerKills} of importers, ${facts} facts acknowledged, ${checks} checks`;
}
