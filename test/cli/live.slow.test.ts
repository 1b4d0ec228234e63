import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readScriptFiles } from "../../addon/live-setup/script-files.ts";
import type { Finding } from "../../cli/doctor/finding.ts";
import { VERSION } from "../../core/version.ts";
import { type Machine, makeMachine, runOnce } from "./run-soundferry.ts";

/** A machine with a User Library in an unusual place, and its commands. */
async function withLibrary(machine: Machine) {
  const library = join(machine.home, "User Library");
  await mkdir(library);
  const place = join(library, "Remote Scripts", "Soundferry");
  const run = async (...words: string[]) => {
    const ending = await machine.runInside(["live", ...words, "--live-library", library, "--json"]);
    return { ...ending, value: JSON.parse(ending.stdout) };
  };
  return { library, place, run };
}

test("[K1][H20] live install copies the script, live status sees it, live uninstall removes it", async () => {
  await using machine = await makeMachine();
  const { library, place, run } = await withLibrary(machine);
  const before = await run("status");
  expect(before.value).toEqual({
    library,
    script: place,
    state: "missing",
    version: null,
    kept: [],
    answers: false,
    loaded_version: null,
    live: null,
    edition: null,
  });
  const installed = await run("install");
  expect(installed.value).toEqual({ script: place, version: VERSION, was: "missing", kept: [] });
  const names = [...(await readScriptFiles()).keys(), "folders.json", "installed.json"];
  expect((await readdir(place)).sort()).toEqual(names.sort());
  const { folders } = JSON.parse(await readFile(join(place, "folders.json"), "utf8"));
  expect(folders[0]).toBe(join(machine.home, "data", "soundferry", "importer"));
  expect((await run("status")).value).toMatchObject({ state: "current", version: VERSION });
  expect((await run("uninstall")).value).toEqual({ script: place, removed: true, kept: [] });
  expect(await readdir(join(library, "Remote Scripts"))).toEqual([]);
  expect([before.status, installed.status]).toEqual([0, 0]);
});

test("[H20] live install says in words what to choose in Live, and that Live must be restarted", async () => {
  await using machine = await makeMachine();
  const { library, place } = await withLibrary(machine);
  const { stdout, status } = await machine.runInside(["live", "install"], {
    SOUNDFERRY_LIVE_LIBRARY: library,
  });
  expect(status).toBe(0);
  expect(stdout).toContain(`The Soundferry control surface ${VERSION} is installed: ${place}\n`);
  expect(stdout).toContain("1. Quit Live and start it again.");
  expect(stdout).toContain("2. Open Settings → Link, Tempo & MIDI.");
  expect(stdout).toContain(
    "3. Choose Soundferry as a Control Surface. Leave its Input and Output at None.",
  );
});

test("[K1][H20] without a User Library live install fails with a sentence, and live status says so", async () => {
  await using machine = await makeMachine();
  const gone = join(machine.home, "gone");
  const words = ["--live-library", gone, "--json"];
  const install = await machine.runInside(["live", "install", ...words]);
  const error = `Live's User Library wasn't found. It isn't at ${gone}. Set SOUNDFERRY_LIVE_LIBRARY to the folder that Live shows under Settings → Library.`;
  expect([install.status, JSON.parse(install.stdout)]).toEqual([1, { error }]);
  const status = await machine.runInside(["live", "status", ...words]);
  expect([status.status, JSON.parse(status.stdout)]).toMatchObject([
    0,
    { library: null, state: null, answers: false },
  ]);
});

test("[K1] live without a subcommand, or with a wrong one, is wrong use", async () => {
  for (const words of [["live"], ["live", "instal"], ["live", "install", "now"]]) {
    expect((await runOnce(words)).status, words.join(" ")).toBe(2);
  }
});

async function doctor(machine: Machine, words: readonly string[]) {
  const alone = ["doctor", "--json", "--relay-url=http://127.0.0.1:9"];
  const { stdout } = await machine.runInside([...alone, ...words]);
  const { ok, findings }: { ok: boolean; findings: readonly Finding[] } = JSON.parse(stdout);
  return { ok, live: findings.filter(({ check }) => check.startsWith("live")) };
}

test("[K2][H20] doctor names each step to Live with what to do, and skips them without Live", async () => {
  await using machine = await makeMachine();
  const { library, place, run } = await withLibrary(machine);
  const words = ["--live-library", library];
  const states = async () =>
    (await doctor(machine, words)).live.map(({ check, state }) => `${check} ${state}`);
  expect((await doctor(machine, words)).live).toEqual([
    { check: "live-library", state: "ok", sentence: `Live's User Library: ${library}.` },
    {
      check: "live-script",
      state: "note",
      sentence: "The control surface isn't installed.",
      advice: "Install it with: npm run --silent soundferry -- live install",
    },
    {
      check: "live-answer",
      state: "note",
      sentence: "Live doesn't run the control surface now.",
      advice: expect.stringContaining("Settings → Link, Tempo & MIDI"),
    },
  ]);
  await run("install");
  expect(await states()).toEqual(["live-library ok", "live-script ok", "live-answer note"]);
  await writeFile(join(place, "version.py"), 'VERSION = "0.0.1"\n');
  expect(await states()).toEqual(["live-library ok", "live-script wrong", "live-answer note"]);
  const wrong = await doctor(machine, ["--live-library", join(machine.home, "gone")]);
  expect(wrong).toMatchObject({ ok: false, live: [{ check: "live-library", state: "wrong" }, {}] });
  if (process.platform === "linux") {
    const sentence = "Ableton Live wasn't found on this computer; its checks are skipped.";
    expect(await doctor(machine, [])).toMatchObject({
      ok: true,
      live: [{ check: "live", state: "ok", sentence }],
    });
  }
});

test.runIf(process.platform === "linux")(
  "[H20] live status says that a running Live still has another version of the script",
  async () => {
    await using machine = await makeMachine();
    const { run } = await withLibrary(machine);
    const data = join(machine.home, "data", "soundferry", "importer");
    await mkdir(data, { recursive: true });
    const port = join(data, "live-control-surface.json");
    const content = { version: "0.0.9", protocol: 0, port: 9, secret: "0".repeat(64) };
    await writeFile(port, JSON.stringify({ ...content, process: process.pid }));
    expect((await run("status")).value).toMatchObject({ answers: false, loaded_version: "0.0.9" });
    await rm(port);
    expect((await run("status")).value).toMatchObject({ loaded_version: null });
  },
);
