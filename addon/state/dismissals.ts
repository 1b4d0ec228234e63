import { isJsonObject } from "../../core/text/json-object.ts";
import { keepPart, readKept } from "./kept-part.ts";
import type { StateStore } from "./state-store.ts";

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
