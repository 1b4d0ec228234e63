import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { PORT_FILE } from "../../../../../addon/hosts/live/remote-script/find-control-surface.ts";
import { Cutter } from "../../../../sim/cutter.ts";

/** Stands between importer and control surface. `folder` has a port file that leads through here. */
export async function startCutter(
  folder: string,
): Promise<{ readonly folder: string; readonly line: Cutter }> {
  const found = await readPortFile(folder);
  const line = await Cutter.to(`tcp://127.0.0.1:${found.port}`);
  onTestFinished(() => line[Symbol.asyncDispose]());
  const through = join(folder, `through-${line.port}`);
  await mkdir(through);
  await writeFile(join(through, PORT_FILE), JSON.stringify({ ...found, port: line.port }));
  return { folder: through, line };
}

/** The control surface's port and secret. */
export async function readPortFile(folder: string): Promise<{ port: number; secret: string }> {
  return JSON.parse(await readFile(join(folder, PORT_FILE), "utf8")) as {
    port: number;
    secret: string;
  };
}
