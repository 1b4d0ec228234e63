import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type PreviewTrack,
  readPreviewSession,
} from "../../addon/hosts/preview/preview-session.ts";
import { Journals } from "../../addon/runs/journal.ts";
import type { MusicianFacts, PackageFacts } from "./facts.ts";
import { bytesOf, type CrashSite } from "./sender.ts";

/** At every moment: no scene, track or clip twice, and no sound in the Set without its file whole. */
export async function checkSet(
  { checks }: CrashSite,
  { packages }: MusicianFacts,
  folder: string,
): Promise<void> {
  const { scenes, tracks } = await readSet(folder);
  const tags = tracks.map((track) => `${track.package_id} ${track.sound_id}`);
  checks.same("No track twice", tags, [...new Set(tags)]);
  const scenesOf = scenes.map((scene) => scene.package_id);
  checks.same("No scene twice", scenesOf, [...new Set(scenesOf)]);
  const sent = new Map(packages.map((one) => [one.id, one]));
  for (const track of tracks) {
    const bytes = bytesSent(sent.get(track.package_id), track.sound_id);
    const clips = Object.values(track.clip_slots);
    checks.holds(`${track.name} has at most one clip`, clips.length <= 1);
    for (const { file } of clips) {
      checks.holds(`${file} is whole`, bytes?.equals(await readFile(file)) === true);
    }
  }
}

/** Once everything is reported: everything is in the Set, and no run, report or part of a file is left. */
export async function checkSettled(
  site: CrashSite,
  musician: MusicianFacts,
  folder: string,
): Promise<void> {
  const { checks } = site;
  await checks.becomes("The outbox is empty", () => countFiles(join(folder, "data/outbox")), 0);
  await checkSet(site, musician, folder);
  const { tracks } = await readSet(folder);
  const journals = new Journals(join(folder, "data/runs"), Date.now);
  for (const { id = "", key, files } of musician.packages) {
    const own = tracks.filter((track) => track.package_id === id && hasClip(track));
    checks.same(`${key}: tracks in the Set`, own.length, Object.keys(files).length);
    await checks.becomes(`${key}: one run in its journal`, () => hasOneRun(journals, id), true);
  }
  const sounds = await readdir(join(folder, "sounds"), { recursive: true });
  const parts = sounds.filter((name) => name.endsWith(".part"));
  checks.same("No unfinished download is left", parts, []);
}

/** One run, which ended. */
async function hasOneRun(journals: Journals, packageId: string): Promise<boolean> {
  const { importedInto, unfinished } = await journals.read(packageId);
  return importedInto.size === 1 && unfinished.size === 0;
}

function readSet(folder: string) {
  return readPreviewSession(join(folder, "data/preview-session.json"));
}

function hasClip(track: PreviewTrack): boolean {
  return Object.keys(track.clip_slots).length === 1;
}

/** The n-th sound of a package has the id n. */
function bytesSent(sent: PackageFacts | undefined, soundId: string): Buffer | undefined {
  const shape = Object.values(sent?.files ?? {})[Number(soundId) - 1];
  return shape === undefined ? undefined : bytesOf(shape);
}

async function countFiles(folder: string): Promise<number> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".json")).length;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
