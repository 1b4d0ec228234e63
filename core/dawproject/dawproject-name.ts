import { fileNameFor } from "../text/file-name.ts";

/** The ending of a file that other DAWs open. */
export const PROJECT_ENDING = ".dawproject";
/** The last ending of a file's name while it is written. */
export const UNFINISHED = ".new";

/** Returns the name of a folder's DAWproject file; its temporary name also fits the file name limit. */
export function dawprojectName(
  folderName: string,
  { withArrangement = false }: { readonly withArrangement?: boolean } = {},
): string {
  const ending = `${withArrangement ? " (arrangement)" : ""}${PROJECT_ENDING}${UNFINISHED}`;
  return fileNameFor(folderName, ending, () => false).slice(0, -UNFINISHED.length);
}
