import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";
import { parseJson } from "../../../../core/text/parse-json.ts";
import { readTextIfAny, writeFileAtomically } from "../../../disk/atomic-file.ts";
import { formatLive, type LiveVersion } from "./live-version.ts";

/** The things of which a Live takes only so many in a Set. */
export type LimitedThing = "tracks" | "scenes";

/**
 * The limits of Live's editions, learned from Live's own refusals and kept for an edition and version (rule H23). A
 * file that can't be read or written costs nothing but the knowledge.
 */
export class LiveLimits {
  readonly #path: string | undefined;
  #known: Promise<JsonObject> | undefined;

  /** @param path of the file that keeps them; undefined to keep them in memory */
  constructor(path?: string) {
    this.#path = path;
  }

  /** Returns the most that a Live takes in a Set; undefined until it has refused more. */
  async read(live: LiveVersion, what: LimitedThing): Promise<number | undefined> {
    const limits = (await this.#read())[formatLive(live)];
    const limit = isJsonObject(limits) ? limits[what] : undefined;
    return typeof limit === "number" ? limit : undefined;
  }

  /** Keeps that a Live refused one more than `count`. */
  async note(live: LiveVersion, what: LimitedThing, count: number): Promise<void> {
    if ((await this.read(live, what)) === count) return;
    const known = await this.#read();
    const before = known[formatLive(live)];
    const limits = { ...(isJsonObject(before) && before), [what]: count };
    const all = { ...known, [formatLive(live)]: limits };
    this.#known = Promise.resolve(all);
    if (this.#path === undefined) return;
    await writeFileAtomically(this.#path, JSON.stringify(all)).catch(() => undefined);
  }

  #read(): Promise<JsonObject> {
    this.#known ??= this.#readFile();
    return this.#known;
  }

  async #readFile(): Promise<JsonObject> {
    if (this.#path === undefined) return {};
    const value = parseJson((await readTextIfAny(this.#path).catch(() => undefined)) ?? "");
    return isJsonObject(value) ? value : {};
  }
}

/** Checks whether a refusal names a thing whose limit can be kept. */
export function isLimited(what: string): what is LimitedThing {
  return what === "tracks" || what === "scenes";
}
