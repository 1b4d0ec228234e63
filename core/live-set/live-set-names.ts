import { fileNameFor } from "../text/file-name.ts";

/** The folder in a project by which Live recognizes it; it may be empty. */
export const PROJECT_INFO = "Ableton Project Info";
/** The folder of a project for audio from elsewhere. */
export const IMPORTED_SAMPLES = "Samples/Imported";

const PROJECT_ENDING = " Project";
/** The ending of an unfinished Set: as long as a project's, so that both have the same title. */
const UNFINISHED_ENDING = ".als.new";

/** Returns the names of a Set and of its project's folder, safe on every system (rule F1). */
export function liveSetNames(title: string): { readonly project: string; readonly set: string } {
  return {
    project: fileNameFor(title, PROJECT_ENDING, () => false),
    set: fileNameFor(title, UNFINISHED_ENDING, () => false).slice(0, -".new".length),
  };
}
