import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { installScript, uninstallScript } from "../../../addon/live-setup/install-script.ts";
import { lookAtScript } from "../../../addon/live-setup/look-at-script.ts";
import { VERSION } from "../../../core/version.ts";
import { contentsOf, stubScript, userLibrary, writeFiles } from "./stub-script.ts";

const WORKER = join(import.meta.dirname, "install-worker.ts");
const FOLDERS = ["/data/importer"];
const FILES = stubScript();

/** Installs and stops before a step, as when the process is killed; returns whether it got there. */
async function stopAt(library: string, step: number): Promise<boolean> {
  const workerData = { library, folders: FOLDERS, version: VERSION, stopAt: step };
  const worker = new Worker(WORKER, { workerData });
  return new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("exit", (status) => resolve(status === 9));
  });
}

test("[H20] killed at every step, the old or the new script is whole or put back, and nothing of others is lost", async () => {
  let step = 0;
  for (let isStopped = true; isStopped; step += 1) {
    const { library, root, place } = await userLibrary();
    await installScript({ library, files: stubScript("0.0.9"), folders: FOLDERS });
    await writeFiles(place, { "notes.txt": "mine" });
    isStopped = await stopAt(library, step);
    const left = await lookAtScript(library, { files: FILES, folders: FOLDERS });
    expect(["old", "current", "missing"], `step ${step}`).toContain(left.state);

    const again = await installScript({ library, files: FILES, folders: FOLDERS });
    expect(again.was, `step ${step}`).toBe(left.state === "missing" ? "old" : left.state);
    expect(again.kept, `step ${step}`).toEqual(["notes.txt"]);
    expect(await readdir(root), `step ${step}`).toEqual(["Soundferry"]);
    expect((await contentsOf(place))["notes.txt"], `step ${step}`).toBe("mine");
    const after = await lookAtScript(library, { files: FILES, folders: FOLDERS });
    expect(after.state, `step ${step}`).toBe("current");
  }
  expect(step).toBeGreaterThan(10);
});

test("[H20] uninstall puts right what a killed installation left", async () => {
  let step = 0;
  for (let isStopped = true; isStopped; step += 1) {
    const { library, root } = await userLibrary();
    await installScript({ library, files: stubScript("0.0.9"), folders: FOLDERS });
    isStopped = await stopAt(library, step);
    expect((await uninstallScript(library, FILES)).isRemoved, `step ${step}`).toBe(true);
    expect(await readdir(root), `step ${step}`).toEqual([]);
  }
});
