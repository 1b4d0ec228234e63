import { basename, resolve } from "node:path";
import { liveSetPath } from "../../addon/hosts/live-set/live-set-file.ts";
import { LiveSetProject } from "../../addon/hosts/live-set/live-set-project.ts";
import { readShape } from "../../addon/hosts/live-set/read-live-set.ts";
import { formatLiveSet } from "../../core/live-set/format-live-set.ts";
import { assertSetFits } from "../../core/live-set/set-size.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { notesOnSet, planLiveSet } from "../../core/live-set/plan-live-set.ts";
import { gatherSounds, remarksOf, titleOf, type WrittenPackages } from "./gather-sounds.ts";
import type { FolderPackage } from "./read-package-folder.ts";

interface LiveSetOptions {
  /** The path of a Set whose shape the new one takes (rule LS12). */
  readonly template?: string | undefined;
  /** Cancels; then there is no Set, or still the older one. */
  readonly signal?: AbortSignal;
}

/** The content of a written Set, and where it is. */
export interface WrittenLiveSet extends WrittenPackages {
  readonly path: string;
}

/**
 * Writes packages into one Live Set with its sounds, a scene for each (rule LS11). Leaves out sounds that can't be used,
 * and packages without usable sounds.
 * @param folder gets the project's folder
 * @throws {NothingToWriteError} if no sound can be used
 * @throws {SetTooLargeError} if one Set can't hold so many packages
 * @throws {TemplateError} if the template's shape can't be used
 * @throws {ProjectInWayError}
 * @throws {unknown} if the files can't be written; then there is no Set, or still the older one
 */
export async function writeLiveSet(
  packages: readonly FolderPackage[],
  folder: string,
  { template, signal }: LiveSetOptions = {},
): Promise<WrittenLiveSet> {
  // Checked before gigabytes are copied.
  const tracks = packages.reduce((sum, { layout }) => sum + usableTracks(layout).length, 0);
  assertSetFits({ tracks, scenes: packages.length });
  const shape = template === undefined ? undefined : await readShape(template);
  const absolute = resolve(folder);
  const path = liveSetPath(absolute, titleOf(packages, basename(absolute)));
  await using project = new LiveSetProject(path);
  const put = (name: string, from: string) => project.addSound(name, from, signal);
  const gathered = await gatherSounds(packages, put, signal);
  const plan = planLiveSet(gathered.packages);
  await project.finish(formatLiveSet(plan, shape));
  const notes = notesOnSet(gathered.packages);
  return {
    path,
    scenes: plan.scenes.length,
    sounds: plan.scenes.reduce((sum, { tracks }) => sum + tracks.length, 0),
    leftOut: gathered.leftOut,
    notes: remarksOf(packages, gathered, (_, index) => notes[index] ?? new Map()),
  };
}
