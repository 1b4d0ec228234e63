import { readFileSync } from "node:fs";
import { parseJson } from "../../core/text/parse-json.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { isMissing, replaceFile } from "../disk/atomic-file.ts";
import type { ImporterState } from "./importer-state.ts";
import type { StateStore } from "./state-store.ts";

/** Returns what a part's file holds; undefined where there is none, or it isn't JSON. */
export function readKept(path: string): unknown {
  try {
    return parseJson(readFileSync(path, "utf8"));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes a part of the state to its file after each change of that part.
 * @param contentOf what the file holds of it, as JSON
 */
export function keepPart<Name extends keyof ImporterState>(
  store: StateStore,
  name: Name,
  { path, contentOf }: KeptPart<ImporterState[Name]>,
): void {
  let kept = store.state[name];
  store.subscribe((state) => {
    if (state[name] === kept) return;
    kept = state[name];
    try {
      replaceFile(path, JSON.stringify(contentOf(kept)));
    } catch (error) {
      store.change({ diskTrouble: sentenceOf(error) });
    }
  });
}

interface KeptPart<Part> {
  readonly path: string;
  readonly contentOf: (part: Part) => object;
}
