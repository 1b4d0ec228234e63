import { FILE_HEADERS_ONLY, formatPatch as formatParsed, structuredPatch } from "diff";

/** Two states of one file; null where there is none. */
export interface FileChange {
  /** Relative to where the patch is applied, with `/`. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * Formats changes as one unified diff that `git apply` takes, in the folder that the paths are relative to or, with
 * `--directory`, in another one (rule V17). Unchanged files are left out.
 */
export function formatPatch(changes: readonly FileChange[]): string {
  return changes.map(formatChange).join("");
}

function formatChange({ path, before, after }: FileChange): string {
  if (before === after) return "";
  const from = before === null ? "/dev/null" : `a/${path}`;
  const patch = structuredPatch(from, `b/${path}`, before ?? "", after, "", "", { context: 3 });
  return formatParsed(patch, FILE_HEADERS_ONLY);
}
