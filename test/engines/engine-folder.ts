import { execFileSync } from "node:child_process";
import { chown, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Finds the user that runs the engines: several refuse root. Undefined: who runs this process. */
export function engineUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: Number(id("-u", "nobody")), gid: Number(id("-g", "nobody")) };
}

/** The name of who runs the engines. */
export function engineUserName(): string {
  return engineUser() === undefined ? id("-un") : "nobody";
}

function id(...words: readonly string[]): string {
  return execFileSync("id", words, { encoding: "utf8" }).trim();
}

/** A new folder that belongs to who runs the engines; `TMPDIR` says where, or SOUNDFERRY_ENGINES_FOLDER. */
export async function makeEngineFolder(name: string): Promise<string> {
  const parent = process.env["SOUNDFERRY_ENGINES_FOLDER"] ?? tmpdir();
  const folder = await mkdtemp(join(parent, `soundferry-${name}-`));
  await giveAway(folder);
  return folder;
}

/** Makes a folder in an engine's folder. */
export async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  await giveAway(path);
  return path;
}

/** Writes a file into an engine's folder, readable for the engine and its user only. */
export async function writeEngineFile(path: string, content: string | Buffer): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode: 0o600 });
  await giveAway(path);
  return path;
}

async function giveAway(path: string): Promise<void> {
  const user = engineUser();
  if (user !== undefined) await chown(path, user.uid, user.gid);
}
