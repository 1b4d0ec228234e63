import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ControlSurfaceLook } from "../../../addon/hosts/live/remote-script/find-control-surface.ts";
import { LiveScript } from "../../../addon/live-setup/live-script.ts";
import { buildLiveSetup, surfaceSetup } from "../../../addon/live-setup/live-setup-of.ts";
import { stepsOf } from "../../../addon/live-setup/live-steps.ts";
import { VERSION } from "../../../core/version.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { stubScript, writeFiles } from "./stub-script.ts";

const ANSWER: ControlSurfaceLook = {
  kind: "answers",
  version: VERSION,
  live: "12.1.5",
  edition: "Standard",
  makesClips: true,
  lives: 1,
  isNewest: true,
};

/** A Mac on which Live was started once; a test sets what the control surface does. */
async function mac() {
  const home = await temporaryFolder();
  const library = join(home, "Music", "Ableton", "User Library");
  await mkdir(library, { recursive: true });
  const dataFolder = join(home, "data");
  await mkdir(dataFolder);
  const live: { surface: ControlSurfaceLook } = { surface: { kind: "absent" } };
  const script = new LiveScript({
    machine: { platform: "darwin", home, environment: {} },
    givenLibrary: undefined,
    dataFolder,
    lookAtControlSurface: async () => live.surface,
    readFiles: async () => stubScript(),
  });
  const steps = async () => {
    const found = stepsOf(await script.status());
    return found.map(({ step, state, sentence }) => {
      return `${step} ${state}: ${sentence.replaceAll(home, "~")}`;
    });
  };
  const look = () => buildLiveSetup(script).look();
  const place = join(library, "Remote Scripts", "Soundferry");
  return { home, library, place, dataFolder, live, script, steps, look };
}

test("[H20] the steps go from the library over the script to its answer", async () => {
  const { script, steps, live, place } = await mac();
  const library = "library done: Live's User Library: ~/Music/Ableton/User Library.";
  const there = "~/Music/Ableton/User Library/Remote Scripts/Soundferry";
  const silent = "answer later: Live doesn't run the control surface now.";
  expect(await steps()).toEqual([
    library,
    "script later: The control surface isn't installed.",
    silent,
  ]);
  await script.install();
  const installed = `script done: The control surface is installed: ${there} (version ${VERSION}).`;
  expect(await steps()).toEqual([library, installed, silent]);
  live.surface = { kind: "stale" };
  expect((await steps())[2]).toMatch(/^answer later: .* Live was killed, or is busy\.$/);
  live.surface = ANSWER;
  expect((await steps())[2]).toBe(
    "answer done: Live 12.1.5 Standard runs the control surface, and it answers.",
  );
  await writeFile(join(place, "surface.py"), "# changed");
  expect((await steps())[1]).toBe(
    `script wrong: The control surface in ${there} was changed by hand.`,
  );
  await rm(place, { recursive: true });
  await writeFiles(place, stubScript("0.0.9"));
  expect((await steps())[1]).toBe(
    `script wrong: The control surface in ${there} is of version 0.0.9, and this is ${VERSION}.`,
  );
  await writeFiles(place, { "__init__.py": "# another project" });
  expect((await steps())[1]).toMatch(
    /^script wrong: .* wasn't made by Soundferry, or is a link\.$/,
  );
});

test("[H12][H20] a Live that lacks the call for clips is named, with the versions that have it", async () => {
  const { script, live, look } = await mac();
  await script.install();
  live.surface = { ...ANSWER, live: "12.0.1", makesClips: false };
  const versions =
    "Soundferry places sounds in Live 11.3.25 or later 11.3, or in 12.0.5 or later. The update is free.";
  expect(stepsOf(await script.status())[2]).toEqual({
    step: "answer",
    state: "wrong",
    sentence: "This is Live 12.0.1.",
    advice: versions,
  });
  const trouble = `This is Live 12.0.1. ${versions}`;
  expect(await look()).toMatchObject({ answers: false, mustRestart: false, trouble });
});

test("[H12][H20] the answer names a Live without an edition, and which of two is used", async () => {
  const { script, steps, live, look } = await mac();
  await script.install();
  live.surface = { ...ANSWER, live: "11.3.25", edition: null };
  const answers = "runs the control surface, and it answers.";
  expect((await steps())[2]).toBe(`answer done: Live 11.3.25 ${answers}`);
  expect(await look()).toMatchObject({ answers: true, live: "11.3.25", edition: null });
  live.surface = { ...ANSWER, lives: 2 };
  expect((await steps())[2]).toBe(
    `answer done: Live 12.1.5 Standard ${answers} ` +
      "2 Lives run; Soundferry uses Live 12.1.5 Standard, started last.",
  );
});

test("[H20] a Live that still runs another version must be restarted, whether it answers or not", async () => {
  const { script, steps, live, dataFolder, look } = await mac();
  await script.install();
  live.surface = { ...ANSWER, version: "0.0.9" };
  const wrong = `answer wrong: Live runs the control surface of version 0.0.9, and this is ${VERSION}.`;
  expect((await steps())[2]).toBe(wrong);
  expect(await look()).toMatchObject({ answers: false, mustRestart: true, live: "12.1.5" });

  live.surface = { kind: "stale" };
  const file = join(dataFolder, "live-control-surface.json");
  await writeFile(file, JSON.stringify({ version: "0.0.9", process: process.pid }));
  expect((await steps())[2]).toBe(wrong);
  expect(await look()).toMatchObject({ answers: false, mustRestart: true, live: null });
  for (const left of [{ version: "0.0.9", process: -1 }, { version: "0.0.9" }, "damaged"]) {
    await writeFile(file, JSON.stringify(left));
    expect(await look()).toMatchObject({ mustRestart: false });
  }
});

test("[N2][H20] the panel gets names instead of paths, and can install", async () => {
  const { script, live, look, home } = await mac();
  expect(await look()).toEqual({
    script: "missing",
    answers: false,
    mustRestart: false,
    live: null,
    edition: null,
    libraryName: "User Library",
    canInstall: true,
    trouble: null,
  });
  await buildLiveSetup(script).install?.();
  live.surface = ANSWER;
  const green = await look();
  expect(green).toMatchObject({ script: "current", answers: true, edition: "Standard" });
  expect(JSON.stringify(green)).not.toContain(home);
});

test("[H20] without a User Library the panel says so, and without Live nothing", async () => {
  const { library, look, script, home } = await mac();
  await rm(library, { recursive: true });
  expect(await look()).toBeNull();
  expect(stepsOf(await script.status())).toEqual([]);
  await mkdir(join(home, "Library", "Preferences", "Ableton"), { recursive: true });
  expect(await look()).toMatchObject({ script: "no-library", canInstall: false });
  expect(stepsOf(await script.status())[0]).toEqual({
    step: "library",
    state: "wrong",
    sentence: "Live's User Library wasn't found.",
    advice: `It isn't at ${library}. Set SOUNDFERRY_LIVE_LIBRARY to the folder that Live shows under Settings → Library.`,
  });
  await mkdir(library, { recursive: true });
  expect(await look()).toMatchObject({ script: "missing", canInstall: true });
});

test("[H20] a script's folder that can't be read is a sentence in the panel", async () => {
  const { place, look, script } = await mac();
  await mkdir(dirname(place));
  await mkdir(join(place, "version.py"), { recursive: true });
  await expect(script.status()).rejects.toThrow(place);
  expect(await look()).toMatchObject({
    script: "unknown",
    trouble: expect.stringContaining(place),
  });
});

test("[H20] the extension, which can't see the User Library, finds out whether the script answers", async () => {
  const folders = ["/data/extension"];
  const asked: unknown[] = [];
  const setup = surfaceSetup(folders, async (wanted) => {
    asked.push(wanted);
    return ANSWER;
  });
  expect("install" in setup).toBe(false);
  expect(await setup.look()).toMatchObject({ script: "unknown", answers: true, canInstall: false });
  expect(asked).toEqual([folders]);
  const none = await surfaceSetup(folders, async () => ({ kind: "absent" })).look();
  expect(none).toMatchObject({ script: "unknown", answers: false, live: null });
});
