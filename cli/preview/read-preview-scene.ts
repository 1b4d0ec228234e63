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
  manifestFileOf,
  shortDigestOf,
} from "../layout/manifest/manifest-file.ts";
import { type FileMarks, markGolden } from "./file-marks.ts";
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
  /** The time at which reading it began, by the system's clock in milliseconds. */
  readonly readAt: number;
  /** undefined until its sounds have been read. */
  readonly audio: PackageAudio | undefined;
  /** The golden's files as they were compared; absent before, and where they can't be looked at. */
  readonly goldenMarks?: FileMarks | undefined;
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
  { firstRevisionOf = ({ revision }) => revision, recall }: ReadSceneOptions = {},
): Promise<PreviewedFolder> {
  const readAt = Date.now();
  const read: { manifest?: ManifestFile; judged?: JudgedManifest; shown?: PreviewManifest } = {};
  const onManifest = (bytes: Buffer, fingerprint: string): void => {
    const manifest = manifestFileOf(found.folder, bytes, fingerprint);
    const judged = judgeManifest(manifest.text);
    const shown = previewManifest(
      manifest,
      judged,
      manifest.revision !== firstRevisionOf(manifest),
    );
    Object.assign(read, { manifest, judged, shown });
  };
  try {
    const pkg = await readPackageFolder(found.folder, { onManifest });
    const { manifest, judged, shown } = read;
    if (manifest === undefined || judged === undefined || shown === undefined) {
      throw new Error("A package was read without its manifest.");
    }
    const scene = sceneOf(found, pkg, judged, shown);
    const one = { pkg, audio: undefined, manifest, scene, readAt };
    const known = await recall?.(pkg);
    return known === undefined ? one : await judgeAudio(one, known);
  } catch (error) {
    const { key, shownAs: folder } = found;
    const { manifest, shown = null } = read;
    return { scene: { key, folder, manifest: shown, error: sentenceOf(error) }, manifest };
  }
}

/** Compares a scene with its golden, once its sounds have been read. */
export async function judgeAudio(
  read: ReadFolder,
  { audio, findings }: KnownPackage,
): Promise<ReadFolder> {
  const { pkg, scene } = read;
  const goldenMarks = await markGolden(pkg.local.folder);
  const golden = await checkGolden(pkg, audio);
  const revision = revisionOf(pkg, [audio.json, golden]);
  return { ...read, audio, goldenMarks, scene: { ...scene, golden, findings, revision } };
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
