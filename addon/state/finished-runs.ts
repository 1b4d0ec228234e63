import { readFileSync } from "node:fs";
import { isJsonObject } from "../../core/text/json-object.ts";
import { isMissing, replaceFile } from "../disk/atomic-file.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import type { FinishedRun, RunResult } from "./importer-state.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateStore } from "./state-store.ts";

/** The last runs that are over, in a JSON file that outlives a restart; only ever for people to look at. */
export class FinishedRuns {
  readonly #path: string;

  /** @param path in a folder that is there; one that can't be understood counts as empty */
  constructor(path: string) {
    this.#path = path;
  }

  /** Newest first. */
  read(): readonly FinishedRun[] {
    const kept = parseJson(this.#readText());
    if (!isJsonObject(kept) || !Array.isArray(kept["finished"])) return [];
    return kept["finished"].every((run) => isFinishedRun(run)) ? kept["finished"] : [];
  }

  /** Writes down what is over from now on, as the state has it. */
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

/** Looks no deeper than a reader could stumble: the file is written by `follow`, whole or not at all. */
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
