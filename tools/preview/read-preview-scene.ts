import { sentenceOf } from "../../core/text/sentence-of.ts";
import { layoutJson, trackJson } from "../../core/layout/layout-json.ts";
import type { PlannedSound } from "../../core/layout/layout.ts";
import { formatColor } from "../../core/layout/palette.ts";
import type {
  PreviewBrokenScene,
  PreviewReadScene,
  PreviewTrack,
} from "../../core/protocol/preview-api.ts";
import { checkGolden } from "../layout/golden.ts";
import {
  type FolderPackage,
  readPackageFolder,
  type ReadSound,
} from "../layout/read-package-folder.ts";
import { shortDigestOf } from "./short-digest.ts";

/** A folder as the page shows it. */
export type PreviewedFolder = BrokenFolder | ReadFolder;

/** A folder that isn't a usable package. */
export interface BrokenFolder {
  readonly scene: PreviewBrokenScene;
}

export interface ReadFolder {
  readonly scene: PreviewReadScene;
  readonly pkg: FolderPackage;
}

/** A folder to show. */
export interface SceneFolder {
  /** Identifies it in calls. */
  readonly key: string;
  /** Absolute. */
  readonly folder: string;
  /** Its name on the page. */
  readonly shownAs: string;
}

/** Reads a package folder as a scene. Never rejects: an unreadable one becomes a scene with the reason (rule V2). */
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
    tracks: tracksOf(pkg),
    warnings: layout.warnings,
    golden,
    revision: shortDigestOf(JSON.stringify([layoutJson(layout), golden])),
  };
}

function tracksOf({ layout, local, headers }: FolderPackage): readonly PreviewTrack[] {
  const files = new Map(local.manifest.items.map(({ id, file }) => [id, file]));
  return layout.tracks.map((planned) => {
    const file = files.get(planned.soundId);
    const read = headers.get(planned.soundId);
    if (file === undefined || read === undefined) throw new Error("A sound was not read.");
    return trackOf(planned, file, read);
  });
}

function trackOf(planned: PlannedSound, file: string, read: ReadSound): PreviewTrack {
  const track = trackJson(planned);
  if ("error" in track) return { ...track, file };
  if ("error" in read) throw new Error("A sound that can't be read was laid out.");
  const { frames, sampleRateHz, channels, fileBytes: bytes } = read;
  const revision = shortDigestOf(read.fingerprint);
  const color = formatColor(track.color_index);
  return { ...track, color, file, bytes, revision, frames, sampleRateHz, channels };
}
