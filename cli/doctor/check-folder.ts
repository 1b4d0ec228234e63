import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { formatMissingDrive } from "../../addon/disk/disk-error.ts";
import { isAway } from "../../addon/disk/known-folders.ts";
import { findUnflushable, formatUnflushable } from "../../program/flush-folder.ts";
import { formatReason } from "../../program/make-folder.ts";
import { freeBytesAt, nearestExisting, tryWriting } from "../../program/try-folder.ts";
import { formatBytes } from "../format.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";

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
  /** The file that remembers the folder if it is on a drive (rule F7). */
  readonly knownFolders?: string;
  /** A sentence on why it is this folder. */
  readonly because?: string | undefined;
}

/** Checks that a folder, or the existing folder above it, is writable and has room. Doesn't create it. */
export async function checkFolder(request: FolderRequest): Promise<Finding> {
  const { check, name, folder, variable, neededBytes, knownFolders, because } = request;
  if (knownFolders !== undefined && (await isAway(folder, knownFolders))) {
    return wrong(check, formatMissingDrive(folder), `Choose another folder with ${variable}.`);
  }
  const place = await nearestExisting(folder);
  const problem = await whyNotWritable(place, folder);
  if (problem !== undefined) {
    const advice = `Make it writable, or choose another with ${variable}.`;
    return wrong(check, `${name}, ${folder}, ${problem}.`, advice);
  }
  const freeBytes = await freeBytesAt(place);
  const free = freeBytes === undefined ? "free space not known" : `${formatBytes(freeBytes)} free`;
  if (freeBytes !== undefined && freeBytes < neededBytes) {
    const sentence = `${name}, ${folder}, has ${free}; ${formatBytes(neededBytes)} are needed.`;
    const advice = `Free some space on that disk, or choose another folder with ${variable}.`;
    return wrong(check, sentence, advice);
  }
  // A relay's sounds may be on a disk of their own.
  const unflushable = await findUnflushable([place, join(folder, "sounds")]);
  if (unflushable !== undefined) {
    return note(check, formatUnflushable(unflushable, "What is saved"));
  }
  const future = place === folder ? [] : ["It is created at the first start."];
  const sentences = [`${name}: ${folder} (${free}).`, ...(because ? [because] : []), ...future];
  return ok(check, sentences.join(" "));
}

async function whyNotWritable(place: string, folder: string): Promise<string | undefined> {
  if (!(await stat(place)).isDirectory()) return "is not a folder";
  try {
    if (place !== folder) {
      await access(place, constants.W_OK);
      return undefined;
    }
    await tryWriting(folder);
    return undefined;
  } catch (error) {
    return `can't be written to: ${formatReason(error)}`;
  }
}
