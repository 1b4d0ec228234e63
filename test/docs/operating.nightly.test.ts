import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { soundsIn } from "../relay/operating/backed-up-relay.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { expandDatabase } from "../relay/storage/sqlite/next-version.ts";
import { freePort } from "../engines/free-port.ts";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { readPages } from "./read-pages.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/operate/operating.md");

const STOP = 'kill "$RELAY" && wait "$RELAY"';
const CHECK = "soundferry relay check --json > ~/found.json || echo $? >> ~/found-status";

/** The commands that set up and check the commands of a section. `$START` is the page's own. */
const AROUND: Readonly<Record<string, { readonly before?: string; readonly after?: string }>> = {
  "Start and stop": { after: "$START" },
  Restore: { before: STOP, after: `$START\n${CHECK}\n${STOP}` },
  "Roll back": { after: "$START" },
  "A lost database": {
    before: `${STOP}\nrm "$SOUNDFERRY_DATA"/relay.sqlite*\n${CHECK}`,
    after: "$START",
  },
};

/** The page's blocks for a shell, by the heading above them. */
async function sections(): Promise<
  readonly { readonly heading: string; readonly blocks: readonly string[] }[]
> {
  const text = await readFile(PAGE, "utf8");
  return text.split(/^## /m).map((section) => ({
    heading: section.split("\n", 1)[0] ?? "",
    blocks: [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block),
  }));
}

async function scriptOfPage(): Promise<string> {
  const all = await sections();
  const [start = ""] = all.find(({ heading }) => heading === "Start and stop")?.blocks ?? [];
  const lines: string[] = [];
  for (const { heading, blocks } of all) {
    if (blocks.length === 0) continue;
    const { before = "", after = "" } = AROUND[heading] ?? {};
    lines.push(`echo '## ${heading}' >&2`, before, ...blocks, after);
  }
  return [...lines, STOP].join("\n").replaceAll("$START", () => start);
}

test("[AD1][Z9][Z10][Z12] the commands of docs/operate/operating.md do what the page says, from an upgrade on that is rolled back", async () => {
  const home = await mkdtemp(join(tmpdir(), "soundferry-operating-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const data = join(home, "soundferry-data");
  await using relay = await RunningRelay.start({ SOUNDFERRY_DATA: data });
  const { token } = await relay.paired();
  await relay.send(token, ["kick.wav", "pad.wav"]);
  await relay.stop();
  expandDatabase(data);
  const sent = await soundsIn(data);
  await mkdir(join(home, "bin"));
  const command = `exec "${process.execPath}" "${join(ROOT, "cli/soundferry.ts")}" "$@"`;
  await writeFile(join(home, "bin/soundferry"), `#!/bin/bash\n${command}\n`, { mode: 0o755 });

  const port = String(await freePort());
  const env = {
    HOME: home,
    PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
    SOUNDFERRY_PORT: port,
    SOUNDFERRY_MIN_FREE_BYTES: "0",
  };
  const script = (await scriptOfPage()).replaceAll("4700", port);
  const { stdout } = await run("bash", ["--norc", "-euo", "pipefail", "-c", script], {
    env,
    cwd: home,
  });

  expect(stdout).toContain(`All is well in ${data}`);
  expect(stdout).toContain("203.0.113.0/24 is blocked.");
  expect(stdout).toContain("New computers can register again tomorrow.");
  const exported = JSON.parse(await readFile(join(home, "export.json"), "utf8"));
  expect(exported.records.devices).toHaveLength(1);
  expect(stdout).toContain("Backed up to");
  expect(stdout.match(/Restored the backup of/g)).toHaveLength(2);
  expect(stdout).toContain("now belong together");
  const names = await readdir(data);
  expect(names.filter((name) => name.startsWith("before-restore-"))).toHaveLength(1);
  expect(await soundsIn(join(home, "copy-of-relay"))).toEqual(sent);
  // The restored relay was well, and the one without its database was not.
  expect((await readFile(join(home, "found-status"), "utf8")).split("\n")).toEqual(["78", ""]);
  const quarantined = await readdir(join(data, "sounds", ".quarantine"), { recursive: true });
  expect(quarantined.filter((name) => name.includes("snd_"))).toHaveLength(sent.length);
});

const environment = { ...process.env, SOUNDFERRY_PORT: "0", SOUNDFERRY_LOG_LEVEL: "silent" };
const page = readPages().find(({ path }) => path === "docs/build/stores.md");
const [commands = ""] = (page?.blocks ?? []).map(({ text }) => text);
const [relay = [], proof = []] = commands.split("\n").map((line) => line.split(" ").slice(1));

test("the example's relay starts in a checkout as docs/build/stores.md says, and prints its address", async () => {
  const running = spawn(process.execPath, relay, {
    cwd: ROOT,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void running.kill());
  const [url] = await once(createInterface({ input: running.stdout }), "line");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("the example's proof passes in a checkout as docs/build/stores.md says", () => {
  const printed = execFileSync(process.execPath, proof, { cwd: ROOT, encoding: "utf8" });
  expect(printed).toMatch(/^\S+ fail 0$/m);
  expect(Number(/^\S+ pass (\d+)$/m.exec(printed)?.[1])).toBeGreaterThan(100);
});
