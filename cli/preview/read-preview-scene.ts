import type { LocalPackage } from "../../addon/import/local-package.ts";
import { sentenceOf } from "../../addon/sentence-of.ts";
import { layoutJson, trackJson } from "../../core/layout/layout-json.ts";
import type { PlannedSound } from "../../core/layout/layout.ts";
import { printColour } from "../../core/layout/palette.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import type {
  PreviewBrokenScene,
  PreviewReadScene,
  PreviewTrack,
} from "../../core/protocol/preview-api.ts";
import { checkGolden } from "../layout/golden.ts";
import { type FolderPackage, readPackageFolder } from "../layout/read-package-folder.ts";
import { shortDigestOf } from "./short-digest-of.ts";

/** A folder as the page sees it, and the package that it was read from. */
export type PreviewedFolder = BrokenFolder | ReadFolder;

/** A folder that is no scene, and why. */
export interface BrokenFolder {
  readonly scene: PreviewBrokenScene;
}

export interface ReadFolder {
  readonly scene: PreviewReadScene;
  readonly pkg: FolderPackage;
}

/** A folder to be shown. */
export interface SceneFolder {
  /** Stands for it in calls. */
  readonly key: string;
  /** Absolute. */
  readonly folder: string;
  /** How the page calls it. */
  readonly shownAs: string;
}

/** Reads a package folder as a scene; never rejects: one that can't be read is a scene that says why (rule V2). */
export async function readPreviewScene(found: SceneFolder): Promise<PreviewedFolder> {
  try {
    const pkg = await readPackageFolder(found.folder);
    return { pkg, scene: await sceneOf(found, pkg) };
  } catch (error) {
    return { scene: { key: found.key, folder: found.shownAs, error: sentenceOf(error) } };
  }
}

async function sceneOf(
  { key, shownAs }: SceneFolder,
  pkg: FolderPackage,
): Promise<PreviewReadScene> {
  const { layout } = pkg;
  const golden = await checkGolden(pkg);
  return {
    key,
    folder: shownAs,
    name: layout.scene.name,
    tempoBpm: layout.session.tempoBpm,
    tracks: await readTracks(pkg),
    warnings: layout.warnings,
    golden,
    revision: shortDigestOf(JSON.stringify([layoutJson(layout), golden])),
  };
}

async function readTracks({ layout, local, headers }: FolderPackage): Promise<PreviewTrack[]> {
  const sounds = new Map(local.manifest.items.map((sound) => [sound.id, sound]));
  const tracks: PreviewTrack[] = [];
  for (const planned of layout.tracks) {
    const sound = sounds.get(planned.soundId);
    const header = headers.get(planned.soundId);
    if (sound === undefined || header === undefined) throw new Error("A sound was not read.");
    tracks.push(await readTrack(local, { planned, sound, header }));
  }
  return tracks;
}

interface TrackParts {
  readonly planned: PlannedSound;
  readonly sound: Sound;
  readonly header: NonNullable<ReturnType<FolderPackage["headers"]["get"]>>;
}

async function readTrack(
  local: LocalPackage,
  { planned, sound, header }: TrackParts,
): Promise<PreviewTrack> {
  const { file } = sound;
  const track = trackJson(planned);
  if ("error" in track) return { ...track, file };
  const { id, track: trackName, clip, kind } = track;
  const unusable = (error: string) => ({ id, track: trackName, clip, kind, error, file });
  if ("error" in header) return unusable(header.error);
  try {
    const { bytes, revision } = await readIdentity(local, sound);
    const { frames, sampleRateHz, channels } = header;
    const color = printColour(track.color_index);
    return { ...track, color, file, bytes, revision, frames, sampleRateHz, channels };
  } catch (error) {
    // It went after its header was read.
    return unusable(sentenceOf(error));
  }
}

/** The size of a sound's file, and what becomes another text whenever the file changes. */
async function readIdentity(
  local: LocalPackage,
  sound: Sound,
): Promise<{ readonly bytes: number; readonly revision: string }> {
  const { file } = await local.openFile(sound);
  try {
    const { size, mtimeNs, ino } = await file.stat({ bigint: true });
    return { bytes: Number(size), revision: shortDigestOf(`${mtimeNs} ${size} ${ino}`) };
  } finally {
    await file.close();
  }
}
