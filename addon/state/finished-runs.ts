import { readFileSync } from "node:fs";
import { isJsonObject } from "../../core/text/json-object.ts";
import { isMissing, replaceFile } from "../disk/atomic-file.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import type { FinishedRun, RunResult } from "./importer-state.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateStore } from "./state-store.ts";

/** Stores the last finished runs in a JSON file, for people to see after a restart. */
export class FinishedRuns {
  readonly #path: string;

  /** @param path in an existing folder; an invalid file counts as empty */
  constructor(path: string) {
    this.#path = path;
  }

  /** Newest first. */
  read(): readonly FinishedRun[] {
    const stored = parseJson(this.#readText());
    if (!isJsonObject(stored) || !Array.isArray(stored["finished"])) return [];
    return stored["finished"].every((run) => isFinishedRun(run)) ? stored["finished"] : [];
  }

  /** Writes the file whenever a run finishes. */
  follow(store: StateStore): void {
    let { finished } = store.state;
    store.subscribe((state) => {
      if (state.finished === finished) return;
      finished = state.finished;
      try {
        replaceFile(this.#path, JSON.stringify({ finished }));
      } catch (error) {
        store.change({ diskTrouble: sentenceOf(error) });
      }
    });
  }

  #readText(): string {
    try {
      return readFileSync(this.#path, "utf8");
    } catch (error) {
      if (isMissing(error)) return "";
      throw error;
    }
  }
}

/** A shallow check: `follow` writes the file atomically. */
function isFinishedRun(value: unknown): value is FinishedRun {
  if (!isJsonObject(value)) return false;
  const { packageId, title, at, result } = value;
  return [packageId, title, at].every((text) => typeof text === "string") && isResult(result);
}

function isResult(value: unknown): value is RunResult {
  if (!isJsonObject(value)) return false;
  const { outcome, error } = value;
  return isJsonObject(outcome) ? Array.isArray(outcome["tracks"]) : typeof error === "string";
}
