import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { KeptFilesSync } from "../../../addon/runs/kept-files-sync.ts";
import { ManualTimers } from "../manual-timers.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../../sim/until.ts";
import { newRuns, newStore } from "./new-store.ts";

/** A sounds folder with a file that a host plays, 30 bytes, and one that none does, 20 bytes. */
async function setUp() {
  const soundsFolder = join(await temporaryFolder(), "sounds");
  const kit = join(soundsFolder, "Kit");
  await mkdir(kit, { recursive: true });
  await writeFile(join(kit, "Played.wav"), "x".repeat(30));
  await writeFile(join(kit, "Left.wav"), "x".repeat(20));
  const files = ["Played.wav", "Left.wav"];
  const marker = { package_id: "pkg_a", title: "Kit", files, played: ["Played.wav"] };
  await writeFile(join(kit, ".soundferry.json"), JSON.stringify(marker));
  const [store, timers, runs] = [newStore(), new ManualTimers(), newRuns()];
  const box = { broken: undefined as unknown };
  const runExclusive = <Outcome>(work: (signal: AbortSignal) => Promise<Outcome>) =>
    box.broken === undefined ? runs.runExclusive(work) : Promise.reject(box.broken);
  const sync = new KeptFilesSync({
    sounds: { path: soundsFolder },
    runs: { runExclusive },
    store,
    timers,
  });
  return { sync, store, timers, runs, box, left: join(kit, "Left.wav") };
}

const BEFORE = { bytes: 50, clearableBytes: 20 };
const AFTER = { bytes: 30, clearableBytes: 0 };

describe("the files that are kept", () => {
  test("[F6] are measured into the state", async () => {
    const { sync, store } = await setUp();
    sync.refresh();
    await until(() => store.state.keptFiles.bytes > 0);
    expect(store.state.keptFiles).toEqual(BEFORE);
  });

  test("[F6] go when they are cleared, but for those that a host plays; then the state says so", async () => {
    const { sync, store, left } = await setUp();
    await sync.clear();
    expect(existsSync(left)).toBe(false);
    expect(store.state.keptFiles).toEqual(AFTER);
  });

  test("[F6] are neither measured nor cleared while a run works", async () => {
    const { sync, store, runs, left } = await setUp();
    const gate = Promise.withResolvers<void>();
    const run = runs.runExclusive(() => gate.promise);
    sync.refresh();
    const clearing = sync.clear();
    await setImmediate();
    expect(existsSync(left)).toBe(true);
    expect(store.state.keptFiles).toEqual({ bytes: 0, clearableBytes: 0 });
    gate.resolve();
    await run;
    await clearing;
    expect(store.state.keptFiles).toEqual(AFTER);
  });

  test("[F6] that can't be measured are trouble in the state, and are tried again", async () => {
    const { sync, store, timers, box } = await setUp();
    box.broken = new Error("The sounds folder can't be read.");
    sync.refresh();
    await until(() => timers.remaining.length > 0);
    expect(store.state.diskTrouble).toBe("The sounds folder can't be read.");
    box.broken = undefined;
    timers.advance(5000);
    await until(() => store.state.keptFiles.bytes > 0);
  });

  test("[F6] are read no more once it is closed", async () => {
    const { sync, store } = await setUp();
    sync.refresh();
    await sync.close();
    expect(store.state.keptFiles).toEqual(BEFORE);
    const { state } = store;
    sync.refresh();
    await sync.close();
    expect(store.state).toBe(state);
  });
});
