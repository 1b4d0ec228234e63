import { randomUUID } from "node:crypto";
import { access, constants, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { formatBytes } from "../format.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/** A folder that must be writable and have free space. */
export interface FolderRequest {
  /** The finding's id, such as `relay-data`. */
  readonly check: string;
  /** The folder's name at the start of a sentence, such as `The relay's data folder`. */
  readonly name: string;
  readonly folder: string;
  /** The setting that changes it. */
  readonly variable: string;
  readonly neededBytes: number;
}

/** Checks that a folder, or the existing folder above it, is writable and has room. Doesn't create it. */
export async function checkFolder(request: FolderRequest): Promise<Finding> {
  const { check, name, folder, variable, neededBytes } = request;
  const place = await nearestExisting(folder);
  const problem = await whyNotWritable(place, folder);
  if (problem !== undefined) {
    const advice = `Make it writable, or choose another with ${variable}.`;
    return wrong(check, `${name}, ${folder}, ${problem}.`, advice);
  }
  const { bavail, bsize } = await statfs(place);
  const free = `${formatBytes(bavail * bsize)} free`;
  if (bavail * bsize < neededBytes) {
    const sentence = `${name}, ${folder}, has ${free}; ${formatBytes(neededBytes)} are needed.`;
    const advice = `Free some space on that disk, or choose another folder with ${variable}.`;
    return wrong(check, sentence, advice);
  }
  const future = place === folder ? "" : " It is created at the first start.";
  return ok(check, `${name}: ${folder} (${free}).${future}`);
}

async function nearestExisting(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  return exists || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

async function whyNotWritable(place: string, folder: string): Promise<string | undefined> {
  if (!(await stat(place)).isDirectory()) return "is not a folder";
  try {
    if (place !== folder) {
      await access(place, constants.W_OK);
      return undefined;
    }
    const probe = join(folder, `.soundferry-${randomUUID()}`);
    await writeFile(probe, "");
    await rm(probe);
    return undefined;
  } catch (error) {
    return `can't be written to (${error instanceof Error && "code" in error ? String(error.code) : String(error)})`;
  }
}
