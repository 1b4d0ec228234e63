import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { toDiskError } from "../disk/disk-error.ts";
import { isMissing, replaceFile } from "../disk/atomic-file.ts";
import type { FinishedRun, ImporterState, RunResult } from "./importer-state.ts";
import type { StateStore } from "./state-store.ts";

/** Number of stored dismissals; beyond that, the oldest are forgotten: relays have deleted their packages by then. */
const MAX_DISMISSALS = 2000;

interface Format<Part> {
  readonly parse: (stored: JsonObject) => Part;
  readonly contentOf: (part: Part) => JsonObject;
}

/** A part of the state that is stored in a JSON file. */
export class KeptPart<Name extends keyof ImporterState> {
  readonly #name: Name;
  readonly #path: string;
  readonly #format: Format<ImporterState[Name]>;

  /** @param path in an existing folder; an invalid file counts as empty */
  constructor(name: Name, path: string, format: Format<ImporterState[Name]>) {
    this.#name = name;
    this.#path = path;
    this.#format = format;
  }

  read(): ImporterState[Name] {
    const stored = parseJson(this.#readText());
    return this.#format.parse(isJsonObject(stored) ? stored : {});
  }

  /** Writes the file after each change of the part. */
  follow(store: StateStore): void {
    const name = this.#name;
    let kept = store.state[name];
    store.subscribe((state) => {
      if (state[name] === kept) return;
      kept = state[name];
      try {
        replaceFile(this.#path, JSON.stringify(this.#format.contentOf(kept)));
      } catch (error) {
        store.change({ diskTrouble: sentenceOf(toDiskError(error)) });
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

/** Stores which packages a person dismissed (rule R12), oldest first. */
export function keptDismissals(path: string): KeptPart<"dismissed"> {
  return new KeptPart("dismissed", path, {
    parse: ({ dismissed: ids }) =>
      new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []),
    contentOf: (dismissed) => ({ dismissed: [...dismissed].slice(-MAX_DISMISSALS) }),
  });
}

/** Stores the last finished runs, newest first, for people to see after a restart. */
export function keptFinishedRuns(path: string): KeptPart<"finished"> {
  return new KeptPart("finished", path, {
    parse: ({ finished }) =>
      Array.isArray(finished) && finished.every((run) => isFinishedRun(run)) ? finished : [],
    contentOf: (finished) => ({ finished }),
  });
}

/** Checks a run only roughly: `follow` writes the file atomically. */
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
