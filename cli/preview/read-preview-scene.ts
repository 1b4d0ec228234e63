import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { MANIFEST_FILE } from "../../addon/disk/written-files.ts";
import { beatsPerBar, type PlannedSound } from "../../core/layout/layout.ts";
import { layoutJson, trackJson } from "../../core/layout/layout-json.ts";
import { formatColor } from "../../core/layout/palette.ts";
import type {
  PreviewBrokenScene,
  PreviewManifest,
  PreviewReadScene,
  PreviewTrack,
} from "../../core/protocol/preview-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { checkGolden } from "../layout/golden.ts";
import type { PackageAudio } from "../layout/read-package-audio.ts";
import {
  type FolderPackage,
  readPackageFolder,
  type ReadSound,
} from "../layout/read-package-folder.ts";
import { type JudgedManifest, judgeManifest } from "../layout/manifest/find-faults.ts";
import {
  type ManifestFile,
  readManifestFile,
  shortDigestOf,
} from "../layout/manifest/manifest-file.ts";
import { addSoundErrors, previewManifest, soundFields } from "./manifest/preview-manifest.ts";
import type { KnownPackage } from "./scene-listener.ts";

/** A folder as the page shows it. */
export type PreviewedFolder = BrokenFolder | ReadFolder;

/** A folder that isn't a usable package. */
export interface BrokenFolder {
  readonly scene: PreviewBrokenScene;
  /** The manifest; undefined if there is none that can be read. */
  readonly manifest: ManifestFile | undefined;
}

export interface ReadFolder {
  readonly scene: PreviewReadScene;
  readonly manifest: ManifestFile;
  readonly pkg: FolderPackage;
  /** undefined until its sounds have been read. */
  readonly audio: PackageAudio | undefined;
}

/** A folder to show. */
export interface SceneFolder {
  /** The folder's id in calls. */
  readonly key: string;
  /** Absolute. */
  readonly folder: string;
  /** Its name on the page. */
  readonly shownAs: string;
}

/** Most reads of a package whose manifest changes during the read. */
const MAX_READS = 3;

export interface ReadSceneOptions {
  /** Returns the revision that a manifest had when it was first read; by default, it was just now. */
  readonly firstRevisionOf?: (manifest: ManifestFile) => string;
  /** Returns what is known of a package's audio; by default, nothing. */
  readonly recall?: (pkg: FolderPackage) => Promise<KnownPackage | undefined>;
}

/**
 * Reads a package folder as a scene, but no audio. Never rejects: an unreadable one becomes a scene with the reason
 * (rule V2).
 */
export async function readPreviewScene(
  found: SceneFolder,
  options: ReadSceneOptions = {},
): Promise<PreviewedFolder> {
  for (let reads = 1; ; reads++) {
    const manifest = await readManifestIfAny(found.folder);
    const read = await readFolder(found, manifest, options);
    const again = await readManifestIfAny(found.folder);
    if (again?.revision === manifest?.revision || reads === MAX_READS) return read;
  }
}

async function readManifestIfAny(folder: string): Promise<ManifestFile | undefined> {
  try {
    return await readManifestFile(folder);
  } catch (error) {
    if (error instanceof LocalPackageError) return undefined;
    throw error;
  }
}

async function readFolder(
  found: SceneFolder,
  manifest: ManifestFile | undefined,
  { firstRevisionOf = ({ revision }) => revision, recall }: ReadSceneOptions,
): Promise<PreviewedFolder> {
  const judged = manifest && judgeManifest(manifest.text);
  const shown =
    manifest && judged
      ? previewManifest(manifest, judged, manifest.revision !== firstRevisionOf(manifest))
      : null;
  try {
    const pkg = await readPackageFolder(found.folder);
    if (manifest === undefined || judged === undefined || shown === null) {
      throw new LocalPackageError(`${MANIFEST_FILE} can't be read.`);
    }
    const scene = sceneOf(found, pkg, judged, shown);
    const read = { pkg, audio: undefined, manifest, scene };
    const known = await recall?.(pkg);
    return known === undefined ? read : await judgeAudio(read, known);
  } catch (error) {
    const { key, shownAs: folder } = found;
    return { scene: { key, folder, manifest: shown, error: sentenceOf(error) }, manifest };
  }
}

/** Compares a scene with its golden, once its sounds have been read. */
export async function judgeAudio(
  { pkg, manifest, scene }: ReadFolder,
  { audio, findings }: KnownPackage,
): Promise<ReadFolder> {
  const golden = await checkGolden(pkg, audio);
  const revision = revisionOf(pkg, [audio.json, golden]);
  return { pkg, audio, manifest, scene: { ...scene, golden, findings, revision } };
}

function revisionOf({ layout }: FolderPackage, seen: readonly object[]): string {
  return shortDigestOf(JSON.stringify([layoutJson(layout), ...seen]));
}

function sceneOf(
  { key, shownAs }: SceneFolder,
  pkg: FolderPackage,
  judged: JudgedManifest,
  manifest: PreviewManifest,
): PreviewReadScene {
  const { layout } = pkg;
  const tracks = tracksOf(pkg, judged);
  return {
    key,
    folder: shownAs,
    manifest: { ...manifest, faults: addSoundErrors(manifest.faults, tracks, judged) },
    name: layout.scene.name,
    tempoBpm: layout.session.tempoBpm,
    beatsPerBar: beatsPerBar(layout.session),
    tracks,
    warnings: layout.warnings,
    golden: { status: "reading", problems: [] },
    findings: null,
    revision: revisionOf(pkg, []),
  };
}

function tracksOf(
  { layout, local, headers }: FolderPackage,
  judged: JudgedManifest,
): readonly PreviewTrack[] {
  const files = new Map(local.manifest.items.map(({ id, file }) => [id, file]));
  return layout.tracks.map((planned) => {
    const file = files.get(planned.soundId);
    const read = headers.get(planned.soundId);
    if (file === undefined || read === undefined) throw new Error("A sound was not read.");
    return trackOf(planned, { file, ...soundFields(judged, planned.soundId) }, read);
  });
}

function trackOf(
  planned: PlannedSound<number | null>,
  sound: Pick<PreviewTrack, "file" | "fields" | "line">,
  read: ReadSound,
): PreviewTrack {
  const track = trackJson(planned);
  if ("error" in track) return { ...track, ...sound };
  if ("error" in read) throw new Error("A sound that can't be read was laid out.");
  const { frames, sampleRateHz, channels, fileBytes: bytes } = read;
  const revision = shortDigestOf(read.fingerprint);
  const color = track.color_index === null ? null : formatColor(track.color_index);
  return { ...track, color, ...sound, bytes, revision, frames, sampleRateHz, channels };
}
