import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const SCRIPT = join(
  import.meta.dirname,
  "../../../../../addon/hosts/live/remote-script/Soundferry",
);

export interface InstalledScript {
  /** The folder from which Live loads the script. */
  readonly scripts: string;
  /** The folder in which the script writes its port file. */
  readonly folder: string;
  readonly sounds: string;
}

/** Puts the script and the importer's folders below an empty folder. */
export async function installScript(root: string): Promise<InstalledScript> {
  const at = (name: string) => join(root, name);
  const [scripts, folder, sounds] = [at("scripts"), at("importer"), at("sounds")];
  await Promise.all([folder, sounds].map((path) => mkdir(path)));
  await cp(SCRIPT, join(scripts, "Soundferry"), { recursive: true });
  const folders = { folders: [at("nowhere"), folder] };
  await writeFile(join(scripts, "Soundferry", "folders.json"), JSON.stringify(folders));
  return { scripts, folder, sounds };
}
