import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../program/make-folder.ts";

/** This installation's app id for pairing, created on first use. */
export async function readAppId(dataFolder: string): Promise<string> {
  const file = join(dataFolder, "app-id");
  const kept = await readFile(file, "utf8").catch(() => "");
  if (kept.trim() !== "") return kept.trim();
  const appId = randomUUID();
  await makeFolder(dataFolder, { mode: 0o700 });
  await writeFile(file, `${appId}\n`, { mode: 0o600 });
  return appId;
}
