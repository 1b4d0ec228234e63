import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../disk/atomic-file.ts";
import { foreignSentence } from "./install-script.ts";
import { lookAtScript, scriptPathIn } from "./look-at-script.ts";
import { RECEIPT_FILE } from "./receipt.ts";
import { inSentences, ScriptError } from "./script-error.ts";
import type { ScriptFiles } from "./script-files.ts";
import { clearStaging } from "./staging.ts";

export interface Removal {
  readonly path: string;
  /** False if there was nothing to remove. */
  readonly isRemoved: boolean;
  /** Names of other people's files, which stay with their folder. */
  readonly kept: readonly string[];
}

/**
 * Removes the files that `installScript` put into the User Library, also after they were changed, and what
 * Python compiled of them. If it stops in the middle, the next call finishes it.
 * @throws {ScriptError} with a sentence
 */
export function uninstallScript(library: string, files: ScriptFiles): Promise<Removal> {
  return inSentences(async () => {
    const path = scriptPathIn(library);
    await clearStaging(path);
    const { state, ours, others } = await lookAtScript(library, { files, folders: [] });
    if (state === "missing") return { path, isRemoved: false, kept: [] };
    if (state === "foreign") throw new ScriptError(foreignSentence(path));
    // The receipt goes last: without it, the rest would look like somebody else's.
    const inOrder = [...ours.filter((name) => name !== RECEIPT_FILE), RECEIPT_FILE];
    for (const name of inOrder) await rm(join(path, name), { force: true });
    for (const folder of new Set(inOrder.map((name) => dirname(join(path, name))))) {
      if (folder !== path) await removeIfEmpty(folder);
    }
    await removeIfEmpty(path);
    return { path, isRemoved: true, kept: others };
  });
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (!isMissing(error) && code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}
