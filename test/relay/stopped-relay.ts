import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { RunningRelay } from "./running-relay.ts";
import { temporaryFolder } from "./storage/sqlite/open-sqlite.ts";

export const FILES = Array.from({ length: 20 }, (_, index) => `${index}.wav`);

/** A stopped relay that holds a package of 20 files, in `data` of a folder of its own. */
export async function stoppedRelay(files: readonly string[] = FILES) {
  const folder = await temporaryFolder();
  const data = join(folder.path, "data");
  const settings = { SOUNDFERRY_DATA: data };
  const relay = await RunningRelay.start(settings);
  const { importer, token } = await relay.paired();
  const id = await relay.send(token, files);
  const instance = await instanceOf(relay);
  await relay.stop();
  const database = join(data, "relay.sqlite");
  return {
    data,
    database,
    settings,
    importer,
    token,
    id,
    instance,
    /** A path beside the data. */
    aside: join(folder.path, "aside"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export async function instanceOf(relay: RunningRelay): Promise<unknown> {
  return (await relay.call("GET", "/importer/hello")).json.instance;
}

/** Path below `sounds/` → the bytes. */
export async function soundsIn(data: string): Promise<Record<string, string>> {
  const root = join(data, "sounds");
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const isInPlace = ({ parentPath }: { readonly parentPath: string }) =>
    !parentPath.includes(".quarantine");
  const files = entries.filter((entry) => entry.isFile() && isInPlace(entry));
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(root.length), (await readFile(path)).toString("base64")] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
