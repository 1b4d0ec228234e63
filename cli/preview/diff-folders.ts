import { dirname, join, relative, sep } from "node:path";
import { FILE_HEADERS_ONLY, formatPatch as formatParsed, structuredPatch } from "diff";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import type { PreviewDiff } from "../../core/protocol/preview-api.ts";
import { isInside } from "../layout/is-inside.ts";
import { type GoldenChange, planGolden } from "../layout/golden.ts";
import type { ManifestFile } from "../layout/manifest/manifest-file.ts";
import type { PreviewedFolder } from "./read-preview-scene.ts";

/** A folder whose changes are exported. */
export interface FolderToDiff {
  /** Absolute. */
  readonly folder: string;
  readonly previewed: PreviewedFolder;
  /** Its manifest when the preview first read it. */
  readonly first: ManifestFile | undefined;
}

/**
 * The changes of package folders as unified diffs (rule V17).
 * @param startFolder where to apply them, if it contains all of the folders
 */
export async function diffFolders(
  folders: readonly FolderToDiff[],
  startFolder: string,
): Promise<PreviewDiff> {
  const applyIn = commonFolder(
    folders.map(({ folder }) => folder),
    startFolder,
  );
  const pathOf = (folder: string, name: string): string =>
    relative(applyIn, join(folder, name)).replaceAll(sep, "/");
  const manifests = folders.flatMap(({ folder, previewed: { manifest }, first }): FileChange[] => {
    if (first === undefined || manifest === undefined) return [];
    // The bytes of another encoding would be lost.
    if (!first.isUtf8 || !manifest.isUtf8) return [];
    const [before, after] = [first.mark + first.text, manifest.mark + manifest.text];
    return [{ path: pathOf(folder, MANIFEST_FILE), before, after }];
  });
  const unread = folders.filter(
    ({ previewed }) => "pkg" in previewed && previewed.audio === undefined,
  ).length;
  const layouts: FileChange[] = [];
  for (const { folder, previewed } of folders) {
    for (const { name, before, after } of await goldenChanges(previewed)) {
      layouts.push({ path: pathOf(folder, name), before, after });
    }
  }
  return { applyIn, manifest: formatPatch(manifests), layout: formatPatch(layouts), unread };
}

async function goldenChanges(previewed: PreviewedFolder): Promise<readonly GoldenChange[]> {
  if (!("pkg" in previewed) || previewed.scene.golden.status === "same") return [];
  const { pkg, audio } = previewed;
  return audio === undefined ? [] : planGolden(pkg, audio);
}

function commonFolder(folders: readonly string[], startFolder: string): string {
  if (folders.every((folder) => isInside(startFolder, folder))) return startFolder;
  let [common = startFolder] = folders;
  while (!folders.every((folder) => isInside(common, folder)) && common !== dirname(common)) {
    common = dirname(common);
  }
  return common;
}

/** Two states of one file; null where there is none. */
interface FileChange {
  /** The path relative to where the patch is applied, with `/`. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * Formats changes as one unified diff that `git apply` takes, in the folder that the paths are relative to or, with
 * `--directory`, in another one (rule V17). Unchanged files are left out.
 */
function formatPatch(changes: readonly FileChange[]): string {
  return changes.map(formatChange).join("");
}

function formatChange({ path, before, after }: FileChange): string {
  if (before === after) return "";
  const from = before === null ? "/dev/null" : `a/${path}`;
  const patch = structuredPatch(from, `b/${path}`, before ?? "", after, "", "", { context: 3 });
  return formatParsed(patch, FILE_HEADERS_ONLY);
}
