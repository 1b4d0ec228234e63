import { isJsonObject } from "../../core/text/json-object.ts";
import type { FinishedRun, RunResult } from "./importer-state.ts";
import { keepPart, readKept } from "./kept-part.ts";
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
    const stored = readKept(this.#path);
    if (!isJsonObject(stored) || !Array.isArray(stored["finished"])) return [];
    return stored["finished"].every((run) => isFinishedRun(run)) ? stored["finished"] : [];
  }

  /** Writes the file whenever a run finishes. */
  follow(store: StateStore): void {
    keepPart(store, "finished", { path: this.#path, contentOf: (finished) => ({ finished }) });
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
