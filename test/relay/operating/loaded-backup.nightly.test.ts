import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { backUp } from "../../../relay/operating/back-up.ts";
import { checkRelay } from "../../../relay/operating/check.ts";
import { restore } from "../../../relay/operating/restore.ts";
import { RANDOM_SEED } from "../../runner/random-seed.ts";
import { KillableRelay } from "../../sim/killable-relay.ts";
import { randomFrom } from "../../sim/random.ts";
import { App } from "../../sim/app.ts";
import { SHIFTED_DATE } from "../../sim/settings.ts";
import { type Answer, type CalledRelay, untilLost, worldOf } from "../../sim/world.ts";
import { emptyFolder } from "./backed-up-relay.ts";
import { soon } from "../../sim/soon.ts";
import { bytesOf, type PackageFacts } from "../../sim/ledger.ts";

const COMMAND = join(import.meta.dirname, "../../../cli/soundferry.ts");
const ROUNDS = 3;

/** The progress of each package, by its id. */
type Mark = ReadonlyMap<string, number>;

const STATES = ["announced", "uploaded", "waiting", "imported"];

/** Returns the progress that these apps were told until now. */
function markOf(apps: readonly App[]): Mark {
  const known = apps.flatMap(({ facts }) => facts.packages.filter(({ id }) => id !== undefined));
  return new Map(known.map((sent) => [sent.id ?? "", rankOf(sent)]));
}

function rankOf({ states: [state = "gone"], uploaded, files }: PackageFacts): number {
  const isWhole = uploaded.size === Object.keys(files).length;
  return state === "gone" ? -1 : Math.max(STATES.indexOf(state), isWhole ? 1 : 0);
}

/** Compares a relay that was restored from a backup, and from the log of removals, with a mark. @throws {BrokenPromise} */
async function expectKept(restored: CalledRelay, app: App, mark: Mark): Promise<void> {
  const { checks } = app.world;
  const { app: token, importer, packages } = app.facts;
  for (const { id = "", files, states } of packages) {
    const answer = await restored.call("GET", `/packages/${id}/status`, { token });
    const marked = mark.get(id);
    if (answer.status === 404) {
      checks.holds(`${id} is there`, states.includes("gone") || marked === undefined);
      continue;
    }
    checks.holds(`${id} stays withdrawn`, states.length > 1 || states[0] !== "gone");
    if (marked === undefined) continue;
    const found = rankIn(answer);
    checks.holds(`${id} is ${STATES[found]}`, found >= marked);
    if (found < 2) continue;
    const path = `/importer/packages/${id}`;
    const body = { run_id: "check", force: true };
    await restored.call("POST", `${path}/take`, { token: importer, body });
    for (const [file, shape] of Object.entries(files)) {
      const got = await restored.call("GET", `${path}/files/${file}`, { token: importer });
      const isWhole = got.status === 200 && got.body.equals(bytesOf(shape));
      checks.holds(`${id}/${file} is whole`, isWhole);
    }
  }
}

function rankIn({ json }: Answer): number {
  if (STATES.includes(json.status)) return STATES.indexOf(json.status);
  return Object.values(json.files).every((state) => state === "uploaded") ? 1 : 0;
}

/** Starts a backup that follows the clock of the relay's machine. */
function startBackup(dataFolder: string, target: string): ChildProcess {
  const words = ["relay", "backup", target, "--data", dataFolder, "--json"];
  return spawn(
    process.execPath,
    ["--import", pathToFileURL(SHIFTED_DATE).href, COMMAND, ...words],
    {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, SHIFTED_DATE_FILE: `${dataFolder}.clock` },
    },
  );
}

/** Backs up in a process of its own. Returns the backup's folder and what was lost in it. */
async function backUpElsewhere(dataFolder: string, target: string) {
  const child = startBackup(dataFolder, target);
  let printed = "";
  child.stdout?.on("data", (text) => (printed += String(text)));
  const [status] = await once(child, "close");
  expect(status).toBe(0);
  const result: { folder: string; lost: unknown[]; damaged: unknown[] } = JSON.parse(printed);
  return result;
}

/** A relay with apps that send, replace, import and withdraw until it is killed or they are finished. */
async function startLoaded(count: number, seed: number, settings: Record<string, string> = {}) {
  const relay = await KillableRelay.start(settings);
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const world = worldOf(relay, { random: randomFrom(seed) });
  const names = Array.from({ length: count }, (_, index) => `app ${index}`);
  const apps = await Promise.all(names.map((name) => App.paired(world, name)));
  const stop = new AbortController();
  const work = Promise.all(
    apps.map((app) => untilLost(() => app.work({ unpairs: false, signal: stop.signal }))),
  );
  /** Returns the acknowledged progress, which must be in every backup that begins from now on. */
  const marked = async (atLeast: number): Promise<Mark> => {
    await soon(() => markOf(apps).size).toBeGreaterThan(atLeast);
    return markOf(apps);
  };
  const finish = async () => {
    stop.abort();
    await work;
  };
  return { relay, apps, marked, finish };
}

test("[Z10][Z11] a backup of a loaded relay, restored elsewhere, holds every acknowledged fact of its moment", async () => {
  const { relay, apps, marked, finish } = await startLoaded(4, RANDOM_SEED);
  const target = await emptyFolder();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const mark = await marked(round * 40);
    const { folder: backup, lost, damaged } = await backUpElsewhere(relay.folder, target);
    expect({ lost, damaged }).toEqual({ lost: [], damaged: [] });
    if (round < ROUNDS) continue;
    await finish();
    const restored = await KillableRelay.start();
    onTestFinished(() => restored[Symbol.asyncDispose]());
    await restored.kill();
    await rm(restored.folder, { recursive: true });
    const removalsFile = join(relay.folder, "removals.log");
    const { replayed } = await restore({ backup, dataFolder: restored.folder, removalsFile });
    const found = await checkRelay({ dataFolder: restored.folder });
    expect(found).toMatchObject({ lost: [], unknown: [], damage: [], mismatch: undefined });
    await restored.restart();
    for (const app of apps) await expectKept(restored, app, mark);
    process.stdout.write(`${mark.size} packages were marked, ${replayed} withdrawals replayed\n`);
  }
});

test("[Z10] a backup that runs while a relay sweeps has every sound that its database names", async () => {
  const { relay, marked, finish } = await startLoaded(3, 1, { SOUNDFERRY_CLOCK_PROOF_S: "0" });
  await marked(40);
  await finish();
  await relay.kill();
  // All packages have ended by now, so the sweep at the start deletes every file.
  await relay.shiftDate(2 * 86_400_000);
  const target = await emptyFolder();
  const [, result] = await Promise.all([relay.restart(), backUpElsewhere(relay.folder, target)]);
  expect(result).toMatchObject({ lost: [], damaged: [] });
  using database = new DatabaseSync(join(result.folder, "relay.sqlite"), { readOnly: true });
  const left = database.prepare("SELECT count(*) AS n FROM packages WHERE files_deleted = 0");
  process.stdout.write(
    `${String(left.get()?.["n"])} packages had files when they were backed up\n`,
  );
});

test("[Z10] a backup that is killed leaves nothing that is taken for one, and its hold ends", async () => {
  const { relay, marked, finish } = await startLoaded(2, 2);
  const target = await emptyFolder();
  await marked(30);
  for (let kill = 1; kill <= 4; kill += 1) {
    const child = startBackup(relay.folder, target);
    const isCopying = async () => {
      const part = (await readdir(target)).find((name) => name.endsWith(".part"));
      return part !== undefined && (kill % 2 === 0 || existsSync(join(target, part, "sounds")));
    };
    await soon(isCopying).toBe(true);
    child.kill("SIGKILL");
    await once(child, "close");
    expect((await readdir(target)).filter((name) => name.endsWith("Z"))).toEqual([]);
  }
  using database = new DatabaseSync(join(relay.folder, "relay.sqlite"), { readOnly: true });
  const latest = database.prepare("SELECT max(ends_at) AS at FROM deletion_holds").get();
  expect(Number(latest?.["at"])).toBeGreaterThan(Date.now());
  expect(Number(latest?.["at"])).toBeLessThanOrEqual(Date.now() + 90_000);
  const { folder } = await backUp({ dataFolder: relay.folder, target });
  expect((await readdir(target)).filter((name) => name.endsWith(".part"))).toEqual([]);
  expect(existsSync(join(folder, "backup.json"))).toBe(true);
  await finish();
});
