import { readFileSync } from "node:fs";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { isMissing, replaceFile } from "../disk/atomic-file.ts";
import type { ImporterState, FinishedRun, RunResult } from "./importer-state.ts";
import type { StateStore } from "./state-store.ts";

/** Returns what a part's file holds; undefined where there is none, or it isn't JSON. */
function readKept(path: string): unknown {
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
function keepPart<Name extends keyof ImporterState>(
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

/** Stored dismissals; beyond that, the oldest are forgotten: relays have deleted their packages by then. */
const MAX_DISMISSALS = 2000;

/** Stores which packages a person dismissed (rule R12) in a JSON file. */
export class Dismissals {
  readonly #path: string;

  /** @param path in an existing folder; an invalid file counts as empty */
  constructor(path: string) {
    this.#path = path;
  }

  /** Returns package ids, oldest first. */
  read(): ReadonlySet<string> {
    const stored = readKept(this.#path);
    const ids = isJsonObject(stored) ? stored["dismissed"] : undefined;
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []);
  }

  /** Writes the file after each change. */
  follow(store: StateStore): void {
    keepPart(store, "dismissed", {
      path: this.#path,
      contentOf: (dismissed) => ({ dismissed: [...dismissed].slice(-MAX_DISMISSALS) }),
    });
  }
}

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
