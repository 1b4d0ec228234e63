import { spawnSync, execFile } from "node:child_process";
import { writeFile, cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { makeMachine } from "../run-soundferry.ts";
import { allHeard, brief, follow, type PreviewAtWork, previewOf } from "./preview-at-work.ts";
import { promisify } from "node:util";
import { PREVIEW_CALLS } from "../../../core/protocol/preview-api.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";

/** Limits the following processes to a few watched folders. */
const FEW_WATCHES = "echo 3 > /proc/sys/user/max_inotify_watches";
const CAN_LIMIT = spawnSync("unshare", ["-Ur", "bash", "-c", FEW_WATCHES]).status === 0;

test("[K2] preview prints its page's address on one line, and runs until Ctrl-C", async () => {
  await using machine = await makeMachine();
  const kit = await writeLocalPackage(join(machine.home, "Kit"), "Kit", ["Kick"]);
  const command = machine.start(["preview", kit, "--watch", "--json"]);
  await command.until(({ stdout }) => stdout.endsWith("\n"));
  const { url, port, ...told } = JSON.parse(command.stdout);
  expect(told).toEqual({ folders: [kit], watching: true });
  expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#[\\w-]{43}$`));
  const page = await fetch(url);
  expect(await page.text()).toMatch(/^<!doctype html>/i);
  command.interrupt();
  expect(await command.ended).toMatchObject({ status: 0, stderr: "Stopping the preview.\n" });
});

test("[K2] preview prints its settings, and what it can't show", async () => {
  await using machine = await makeMachine();
  const command = machine.start(["preview", fixtureFolder("gains"), machine.home]);
  await command.until(({ stderr }) => stderr.includes("\n"));
  expect(command.stdout).toMatch(/Page +http:\/\/127\.0\.0\.1:\d+\/#\S+\n +Shows +1 package\n/);
  expect(command.stderr).toContain(`${machine.home}: No package found`);
});

test("[K1] an invalid port is wrong use, and a port in use is reported in a sentence", async () => {
  await using machine = await makeMachine();
  const kit = fixtureFolder("gains");
  const wrong = await machine.run(["preview", kit, "--port", "http"]);
  expect(wrong).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--port must be a number from 0 to 65535."),
  });
  const first = machine.start(["preview", kit, "--json"]);
  await first.until(({ stdout }) => stdout.endsWith("\n"));
  const { port } = JSON.parse(first.stdout);
  const second = await machine.run(["preview", kit, "--port", String(port), "--json"]);
  expect(second.status).toBe(1);
  expect(JSON.parse(second.stdout)).toEqual({
    error: `Port ${port} is in use by another program. Choose another one with --port, or leave it out.`,
  });
});

test.skipIf(!CAN_LIMIT)(
  "[V4] says when the system can't watch more folders, and a reload shows every edit (needs unshare)",
  async () => {
    await using machine = await makeMachine();
    const library = join(machine.home, "library");
    for (const name of ["A", "B", "C", "D"]) {
      await writeLocalPackage(join(library, name), name, ["Kick"]);
    }
    const preview = `"${process.execPath}" cli/soundferry.ts preview "${library}" --watch --json`;
    const command = machine.type(`unshare -Ur bash -c '${FEW_WATCHES}; exec ${preview}'`);
    await command.until(({ stderr }) => stderr.includes("fs.inotify.max_user_watches"));
    const { url, port } = JSON.parse(command.stdout);
    const server = { port, secret: new URL(url).hash.slice(1) };
    for (const name of ["A", "B", "C", "D"]) {
      await writeFile(join(library, name, "manifest.json"), "{");
    }
    const page = await follow(server);
    await page.sees((scenes) => new Set(brief(scenes)).size === 1);
    expect(page.states.at(-1)?.trouble).toContain("max_user_watches");
  },
);

const run = promisify(execFile);

const FOLDERS = ["Kit", 'odd "näme" & space/Kit 2', "windows", "no-end"];
const TEXT = `{\n  "schema": "app2host/1",\n  "title": "Kit",\n  "items": [\n    { "file": "a.wav" }\n  ]\n}`;
const TEXTS = [`${TEXT}\n`, `${TEXT}\n`, `\uFEFF${TEXT.replaceAll("\n", "\r\n")}\r\n`, TEXT];

/** A library whose manifests were edited through its preview, and a copy from before. */
async function editedLibrary() {
  const root = await temporaryFolder();
  const [library, copy] = [join(root, "library"), join(root, "copy")];
  for (const [index, folder] of FOLDERS.entries()) {
    await mkdir(join(library, folder), { recursive: true });
    await writeFile(join(library, folder, "a.wav"), smallWav());
    await writeFile(join(library, folder, "manifest.json"), TEXTS[index] ?? "");
  }
  await cp(library, copy, { recursive: true });
  // As usual, the library is a folder of a repository.
  await run("git", ["init", "--quiet"], { cwd: root });
  const preview = await previewOf([library], { startFolder: library });
  for (const { key, manifest } of preview.state.scenes) {
    const changes = [
      { soundId: "1", field: "name", value: "Kick" },
      { soundId: null, field: "tempo.bpm", value: 120 },
      { soundId: null, field: "title", value: "Ünder ‘one’" },
    ];
    const path = PREVIEW_CALLS.manifest.replace(":key", key);
    const body = { revision: manifest?.revision, changes };
    expect(await preview.ask({ method: "PATCH", path, body })).toMatchObject({ status: 200 });
  }
  return { root, library, copy, preview };
}

/** The diffs that a preview answers with. */
async function ask(preview: PreviewAtWork, path: string = PREVIEW_CALLS.diffs) {
  const { json = {} } = await preview.ask({ path });
  const { applyIn, manifest, layout } = json;
  return { applyIn, manifest: String(manifest), layout: String(layout) };
}

async function apply(diff: string, folder: string, ...flags: readonly string[]): Promise<void> {
  const path = join(await temporaryFolder(), "changes.diff");
  await writeFile(path, diff);
  await run("git", ["apply", ...flags, path], { cwd: folder });
}

test("[V17] git applies the exported changes of all packages to what was there before", async () => {
  const { library, copy, preview } = await editedLibrary();
  const { manifest, layout, applyIn } = await ask(preview);
  expect(applyIn).toBe(library);
  await apply(manifest, copy);
  for (const folder of FOLDERS) {
    const [now, applied] = [library, copy].map((one) => join(one, folder, "manifest.json"));
    expect(await readFile(applied ?? "", "utf8")).toBe(await readFile(now ?? "", "utf8"));
  }
  // The same the other way around.
  await apply(manifest, copy, "--reverse");
  for (const [index, folder] of FOLDERS.entries()) {
    expect(await readFile(join(copy, folder, "manifest.json"), "utf8")).toBe(TEXTS[index]);
  }
  await apply(layout, copy);
  const text = await readFile(join(copy, "Kit", "expected", "layout.json"), "utf8");
  expect(JSON.parse(text).tracks).toMatchObject([{ clip: "Kick" }]);
});

test("[V17] exports one package, and its layout against the accepted one", async () => {
  const { library, copy, preview } = await editedLibrary();
  await allHeard(preview);
  const scene = preview.state.scenes.find(({ folder }) => folder === "Kit");
  if (scene === undefined || !("revision" in scene)) throw new Error("not read");
  const pathOf = (call: string) => call.replace(":key", scene.key);
  const askForIt = () => ask(preview, pathOf(PREVIEW_CALLS.diff));
  expect((await askForIt()).manifest.match(/^\+\+\+ .*$/gm)).toEqual(["+++ b/Kit/manifest.json"]);
  const body = { revision: scene.revision };
  const accept = { method: "POST", path: pathOf(PREVIEW_CALLS.accept), body };
  expect(await preview.ask(accept)).toMatchObject({ status: 200 });
  expect((await askForIt()).layout).toBe("");
  await cp(join(library, "Kit"), join(copy, "Kit"), { recursive: true });
  const edited = (await readFile(join(library, "Kit", "manifest.json"), "utf8")).replace(
    "Kick",
    "Snare",
  );
  await writeFile(join(library, "Kit", "manifest.json"), edited);
  const again = await previewOf([join(library, "Kit")], { startFolder: "/nowhere/else" });
  await allHeard(again);
  const { layout, manifest, applyIn } = await ask(again);
  expect({ manifest, applyIn }).toEqual({ manifest: "", applyIn: join(library, "Kit") });
  await apply(layout, join(copy, "Kit"));
  const accepted = await readFile(join(copy, "Kit", "expected", "layout.txt"), "utf8");
  expect(accepted).toContain("Snare");
});

test("[V17] an unchanged library has no changes to export", async () => {
  const library = join(import.meta.dirname, "../../../fixtures/packages/gains");
  const preview = await previewOf([library], { startFolder: library });
  await allHeard(preview);
  expect(await ask(preview)).toEqual({ applyIn: library, manifest: "", layout: "" });
});
