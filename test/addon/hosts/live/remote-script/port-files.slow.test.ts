import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import { PORT_FILE } from "../../../../../addon/hosts/live/remote-script/find-control-surface.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { readPortFile } from "./cut-socket.ts";
import { type FakeLive, openFakeLive } from "./fake-live.ts";
import { installScript } from "./install-script.ts";
import { QUICK } from "./small-layout.ts";

async function computer() {
  const { scripts, folder } = await installScript(await temporaryFolder());
  const open = async (): Promise<FakeLive> => {
    const pythonPath = process.env["TEST_PYTHON"] ?? "python3";
    const live = await openFakeLive({ pythonPath, scriptFolder: scripts, habits: QUICK });
    onTestFinished(() => live.kill());
    return live;
  };
  const files = async () => (await readdir(folder)).toSorted();
  return { folder, open, files };
}

test("[H12] Live writes its port's file again where it is missing, and removes it when it quits", async () => {
  const { folder, open, files } = await computer();
  const live = await open();
  const first = await readPortFile(folder);
  const own = `live-control-surface-${String(Reflect.get(first, "process"))}.json`;
  expect(await files()).toEqual([own, PORT_FILE]);
  expect(Reflect.get(first, "started")).toBeTypeOf("number");
  await Promise.all([own, PORT_FILE].map((name) => rm(join(folder, name))));
  await live.tick(10);
  expect(await readPortFile(folder)).toEqual(first);
  expect(await files()).toEqual([own, PORT_FILE]);
  await live.close();
  expect(await files()).toEqual([]);
});

test("[H12] of two Lives each has its own file, and the one that goes on keeps the common one", async () => {
  const { folder, open, files } = await computer();
  const earlier = await open();
  const first = await readPortFile(folder);
  const later = await open();
  const second = await readPortFile(folder);
  expect(second).not.toEqual(first);
  await earlier.tick(20);
  expect(await readPortFile(folder)).toEqual(second);
  expect(await files()).toHaveLength(3);
  await later.close();
  expect(await files()).toHaveLength(1);
  await earlier.tick(10);
  expect(await readPortFile(folder)).toEqual(first);
});

test("[H12] the first of two Lives that quits takes only its own file", async () => {
  const { folder, open, files } = await computer();
  const earlier = await open();
  const later = await open();
  const second = await readPortFile(folder);
  await earlier.close();
  expect(await readPortFile(folder)).toEqual(second);
  expect(await files()).toHaveLength(2);
  await later.close();
});

test("[H12] a file that can't be written is said once in Live's log, and leaves nothing", async () => {
  const { folder, open, files } = await computer();
  await chmod(folder, 0o500);
  onTestFinished(() => chmod(folder, 0o700));
  const writable = await writeFile(join(folder, "try"), "").then(
    () => true,
    () => false,
  );
  const live = await open();
  await live.tick(50);
  const said = (await live.log()).messages.map(({ text }) => text);
  // The superuser may write everywhere.
  if (writable) return;
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("Soundferry can't write into");
  await chmod(folder, 0o700);
  expect(await files()).toEqual([]);
  await live.tick(10);
  expect(await files()).toHaveLength(2);
  expect(await readFile(join(folder, PORT_FILE), "utf8")).toContain("secret");
});
