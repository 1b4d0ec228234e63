import fs from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";

/** Paths in the order in which they were opened. */
const opened: string[] = [];
for (const name of ["open", "readFile"] as const) {
  const original: unknown = Reflect.get(fs.promises, name);
  if (typeof original !== "function") throw new Error(`There is no ${name}.`);
  Reflect.set(fs.promises, name, (...args: unknown[]) => {
    opened.push(String(args[0]));
    return Reflect.apply(original, fs.promises, args);
  });
}
syncBuiltinESMExports();
const { SoundsFolder } = await import("../../../addon/disk/sounds-folder.ts");
const { SavedPackages } = await import("../../../addon/packages/saved-packages.ts");

const COUNT = 500;

async function writeSaved(root: string, number: number, title = `Kit ${number}`): Promise<void> {
  const folder = join(root, `Kit ${number}`);
  await mkdir(folder, { recursive: true });
  const items = [{ file: "Kick.wav", name: "Kick", kind: "oneshot", bytes: 4 }];
  const manifest = { schema: "app2host/1", title, source: { app: "Looper" }, items };
  const marker = { package_id: `pkg_${number}`, title, files: ["Kick.wav"], played: [] };
  await writeFile(join(folder, "Kick.wav"), "kick");
  await writeFile(join(folder, ".soundferry.json"), JSON.stringify(marker));
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

test("[F10] 500 saved packages are listed without opening a sound, and again without opening anything", async () => {
  const root = join(await temporaryFolder(), "sounds");
  for (let number = 0; number < COUNT; number += 1) await writeSaved(root, number);
  await mkdir(join(root, "Inbox"));
  const packages = new SavedPackages(new SoundsFolder(root));
  const list = async () => {
    opened.length = 0;
    return (await packages.list(join(root, "Inbox"))).saved;
  };
  expect(await list()).toHaveLength(COUNT);
  expect(opened.filter((path) => path.endsWith(".wav"))).toEqual([]);
  expect(opened).toHaveLength(2 * COUNT);

  expect(await list()).toHaveLength(COUNT);
  expect(opened).toEqual([]);

  await writeSaved(root, 7, "Renamed");
  await rm(join(root, "Kit 8", "Kick.wav"));
  await rm(join(root, "Kit 9", "manifest.json"));
  const changed = await list();
  expect(changed).toHaveLength(COUNT - 2);
  expect(changed.find(({ packageId }) => packageId === "pkg_7")?.manifest.title).toBe("Renamed");
  expect(opened).toHaveLength(4);
});
