import { existsSync, readdirSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readPackage } from "../../cli/read-package.ts";
import { SoundferryClient } from "../../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../../client/pairing/token-store.ts";
import { LIVE_MENU } from "../../../core/live-menu.ts";
import type { StatusAnswer } from "../../../core/protocol/public-api.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { builtExtension, testInLive } from "./live-node.ts";
import { LiveProcess, OpenedPanel } from "./live-process.ts";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

// Runs the built extension in a context as bare as Live's, in a process with only the permissions that Live
// gives.

const LOOPS = join(import.meta.dirname, "../../../fixtures/packages/half-beat-lengths");
const GAINS = join(import.meta.dirname, "../../../fixtures/packages/gains");
const NAMES = ["Seven Eight Kit", "Seven Eight Bass", "Fifteen Eight Strings", "Two and a Half"];
const TRACKS = [...NAMES, "Half-Beat Roll"].map((name) => `${name} (Limp)`);

async function startLive(folder: string): Promise<LiveProcess> {
  return LiveProcess.start(folder, (await builtExtension()).code);
}

async function openPanel(live: LiveProcess): Promise<OpenedPanel> {
  live.click(LIVE_MENU.choose, 0);
  return new OpenedPanel((await live.next("dialog")).url);
}

testInLive("[H9][N1][N4][I3] it pairs, imports and reports where Live runs it", async () => {
  await using relay = await RunningRelay.start();
  await using live = await startLive(await temporaryFolder());
  const { node, mayDo } = await live.next("active");
  expect(node).toMatch(/^24\./);
  expect(mayDo).toEqual({
    readElsewhere: false,
    writeElsewhere: false,
    startThreads: false,
    startProcesses: false,
  });

  const panel = await openPanel(live);
  expect(panel.start).toMatchObject({ isDialog: true, state: { host: { tempoBpm: 120 } } });
  await panel.call("PUT", "/control/relay", { address: relay.url });
  await panel.until(({ connection }) => connection.status === "connected");
  const { code } = await panel.call("POST", "/control/pairing-code");
  const app = new SoundferryClient({ relayUrl: relay.url, tokenStore: new MemoryTokenStore() });
  await app.pair(code, { name: "Limp", id: "limp-1" });
  await panel.until(({ pairing }) => pairing.usedBy?.name === "Limp");
  const { packageId } = await app.sendManifest(await readPackage(LOOPS, "Limp"));
  await panel.until(({ packages }) => packages.some((one) => one.packageId === packageId));
  const { tracks } = await panel.call("GET", `/control/packages/${packageId}/plan`);
  expect(tracks).toHaveLength(5);

  const worthSeeing = live.next("dialog");
  live.answer(JSON.stringify({ packageId }));
  const result = new OpenedPanel((await worthSeeing).url).start;
  expect(result).toMatchObject({ showResultOf: packageId, state: { finished: [{ packageId }] } });
  live.answer("");

  // The stand-in guesses tempi, as Live does. Wrong guesses are reported, and nothing else is wrong.
  const { status, results = {} } = await app.status(packageId);
  expect(status).toBe("imported");
  for (const { differences = [], notes } of Object.values(results)) {
    expect(differences.map(({ setting }) => setting)).toEqual(["tempo_bpm", "warp_markers"]);
    expect(notes).toEqual([
      "Live can't be told this loop's tempo without the Soundferry control surface.",
      expect.stringMatching(/^Not checked: /),
    ]);
  }
  const { picture, progress } = await live.look();
  expect(picture.scenes).toEqual(["Intro", "Seven Eighths & Relatives (Limp)", "Verse"]);
  const made = picture.tracks.filter(({ clips }) => clips.length > 0);
  expect(made.map(({ name }) => name)).toEqual(TRACKS);
  const folders = made.flatMap(({ clips }) => clips.map((clip) => dirname(clip.filePath)));
  expect(new Set(folders.map((folder) => basename(folder)))).toEqual(new Set(["Imported"]));
  expect(progress.at(-1)).toEqual({ text: "Done", percent: 100 });
  const kept = ["Inbox", "Seven Eighths & Relatives"];
  expect(readdirSync(join(live.storageFolder, "Sounds"))).toEqual(kept);

  const louder = await app.sendManifest(await readPackage(GAINS, "Limp"));
  await panel.until(({ packages }) => packages.length === 2);
  live.click(LIVE_MENU.newest, 2);
  let last: StatusAnswer | undefined;
  for await (const status of app.follow(louder.packageId)) last = status;
  const sounds = Object.values(last?.results ?? {});
  expect(sounds).toHaveLength(10);
  for (const sound of sounds) {
    expect(sound.status).toBe("imported");
    expect(sound).not.toHaveProperty("differences");
  }

  expect(await live.end()).toEqual({ signal: "SIGTERM", stderr: "" });
  expect(existsSync(join(live.storageFolder, "importer", "importer.lock"))).toBe(false);
});

testInLive("[H9][P9][R3] after Live was killed it starts with the same identity", async () => {
  await using relay = await RunningRelay.start();
  const folder = await temporaryFolder();
  {
    await using killed = await startLive(folder);
    await killed.next("active");
    const panel = await openPanel(killed);
    await panel.call("PUT", "/control/relay", { address: relay.url });
    await panel.until(({ connection }) => connection.status === "connected");
    await panel.call("POST", "/control/device-name", { device_name: "Studio" });
  }
  await using live = await startLive(folder);
  await live.next("active");
  const panel = await openPanel(live);
  const { deviceName } = await panel.until(({ connection }) => connection.status === "connected");
  expect(deviceName).toBe("Studio");
  const registrations = relay.logLines.filter((line) => line.includes("/importer/register"));
  expect(registrations).toHaveLength(1);
});

testInLive("[H9][R5] what is put into its inbox while it runs shows up in the panel", async () => {
  await using live = await startLive(await temporaryFolder());
  await live.next("active");
  const panel = await openPanel(live);
  await panel.until(({ packages }) => packages.length === 0);
  await cp(GAINS, join(live.storageFolder, "Sounds", "Inbox", "gains"), { recursive: true });
  const { packages } = await panel.until((state) => state.packages.length > 0);
  expect(packages).toHaveLength(1);
  expect(await live.end()).toEqual({ signal: "SIGTERM", stderr: "" });
});

const OXLINT = fileURLToPath(new URL("../../../node_modules/oxlint/bin/oxlint", import.meta.url));
/** Globals that Live provides, and those that `addon/extension/bare-globals.ts` adds. */
const THERE =
  "Buffer clearTimeout console module process require setTimeout " +
  "AbortController AbortSignal Event EventTarget TextDecoder TextEncoder performance";
/**
 * The bundler's note of the exports, then names that `ws`, `ajv` and `p-limit` read only with options that
 * nobody sets.
 */
const NEVER_READ = ["activate", "Blob", "URL", "setImmediate", "queueMicrotask"];

/** The free names of a script, without those of the language. */
async function freeNames(script: string): Promise<ReadonlySet<string>> {
  const folder = await temporaryFolder();
  const config = { env: { builtin: true }, rules: { "no-undef": "error" } };
  await writeFile(join(folder, "extension.js"), script);
  await writeFile(join(folder, ".oxlintrc.json"), JSON.stringify(config));
  const judge = ["-c", ".oxlintrc.json", "-A", "all", "-D", "no-undef", "-f", "json"];
  const found = await new Promise<string>((resolve) => {
    const args = [OXLINT, ...judge, "extension.js"];
    // It exits with 1 if it finds something, which it does.
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (_, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(found) as { diagnostics: readonly { message: string }[] };
  return new Set(
    diagnostics.map(({ message }) => /^'(.+)' is not defined/.exec(message)?.[1] ?? ""),
  );
}

test("[H9] the extension uses no name that Live may lack, even in code that no test reaches", async () => {
  const names = await freeNames((await builtExtension()).code);
  expect(names).toContain("setTimeout");
  const known = new Set([...THERE.split(" "), ...NEVER_READ]);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
});
