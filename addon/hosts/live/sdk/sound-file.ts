import { open } from "node:fs/promises";
import { listFile } from "../../../disk/folder-marker.ts";
import { toDiskError } from "../../../disk/disk-error.ts";
import { sentenceOf } from "../../../../core/text/sentence-of.ts";
import { makeGainedCopy, removeCopy } from "./gained-copy.ts";
import { withoutLinks, withoutWindowsPrefix } from "../../live-path.ts";
import { takeIntoProject } from "../remote-script/placement-files.ts";
import type { LiveContext } from "./live-api.ts";
import type { LiveSound, PlayedFile } from "./live-sound.ts";
import type { LiveRun } from "./run-in-transaction.ts";
import { formatGain } from "./volume.ts";
import { readWavHeader } from "../../../disk/read-at.ts";

/** A copy of a sound's file with a gain applied to its samples. */
interface GainedCopy {
  readonly path: string;
  readonly gainDb: number;
}

/** Makes a gained copy of a sound's file; returns undefined and adds a note on failure. */
export async function tryGainedCopy(
  { signal }: LiveRun,
  { path, notes }: LiveSound,
  gainDb: number,
): Promise<GainedCopy | undefined> {
  try {
    return { path: await makeGainedCopy(path, gainDb, signal), gainDb };
  } catch (error) {
    signal.throwIfAborted();
    const reason = sentenceOf(toDiskError(error));
    notes.push(`Couldn't make a copy with a gain of ${formatGain(gainDb)}. ${reason}`);
    return undefined;
  }
}

/**
 * Copies a sound's file into the Live project, or its gained copy, which is then deleted (rule H3). If
 * Live refuses, the clip plays the file from its place, and a note says so.
 * @returns the file for the clip
 */
export async function bringFile(
  run: LiveRun,
  sound: LiveSound,
  copy?: GainedCopy,
): Promise<PlayedFile> {
  const path = await withoutLinks(copy?.path ?? sound.path);
  const gainDb = copy?.gainDb ?? 0;
  const taken = await takeIntoProject(path, {
    clipName: sound.plan.clipName,
    journal: run.journal,
    bringFile: (own) => importIntoProject(run.live, own),
    addNote: (note) => sound.notes.push(note),
  });
  if (taken.isCopy) {
    if (copy !== undefined) await removeCopy(copy.path);
    return { path: taken.path, gainDb, kind: "in project" };
  }
  if (copy !== undefined) await listFile(path, "played");
  sound.notes.push("Live plays its file from the sounds folder.");
  return { path, gainDb, kind: copy === undefined ? "importer's" : "gained copy" };
}

/** Has Live copy a file into its project; returns the copy's path, or the file's own where Live made no copy. */
export async function importIntoProject(
  { resources }: Pick<LiveContext, "resources">,
  path: string,
): Promise<string> {
  // Live may return an empty path where it made no copy.
  return withoutWindowsPrefix(await resources.importIntoProject(path)) || path;
}

/** Returns the length of a WAV in seconds; undefined where it can't be read. */
export async function readWavSeconds(path: string): Promise<number | undefined> {
  try {
    await using file = await open(path);
    const { frames, sampleRateHz } = await readWavHeader(file, path);
    return frames / sampleRateHz;
  } catch {
    return undefined;
  }
}
