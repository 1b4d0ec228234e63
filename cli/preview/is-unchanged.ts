import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import { areSame } from "./file-marks.ts";
import type { PreviewedFolder } from "./read-preview-scene.ts";

/**
 * Checks, without reading a file, whether reading a folder again would give the same scene (rule V1). A scene with
 * something that couldn't be read isn't trusted.
 */
export async function isUnchanged(read: PreviewedFolder): Promise<boolean> {
  if (!("pkg" in read)) return false;
  const { pkg, manifest, readAt, audio, goldenMarks } = read;
  const files = new Map<string, string | undefined>([[MANIFEST_FILE, manifest.fingerprint]]);
  for (const { id, file } of pkg.local.manifest.items) {
    const header = pkg.headers.get(id);
    if (header === undefined || "error" in header) return false;
    files.set(file, header.fingerprint);
  }
  const { folder } = pkg.local;
  if (!(await areSame(folder, { at: readAt, files }))) return false;
  // The golden is read once its sounds are.
  if (audio === undefined) return true;
  const isUsable = audio.problems.length === 0 && read.scene.golden.status !== "unreadable";
  return isUsable && goldenMarks !== undefined && areSame(folder, goldenMarks);
}
