import { countOf } from "../../core/text/count-of.ts";

/** What to know of files that could not be deleted at once. */
export function formatWaiting(files: number): readonly string[] {
  if (files === 0) return [];
  return [
    `${countOf(files, "file")} can't be deleted now, such as while a backup is made. A relay deletes them within ` +
      "a minute after that; until then nobody can read them.",
  ];
}
