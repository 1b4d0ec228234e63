import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isJsonObject } from "../../core/text/json-object.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import { flushFolder, isMissing, readTextIfAny, writeFileAtomically } from "../disk/atomic-file.ts";
import { idFileName } from "../disk/id-file-name.ts";
import { createMutex } from "../concurrency/mutex.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { type RelayPort, statusOfError } from "./relay-port.ts";

/** The relay that results are sent to. */
type Reported = Pick<RelayPort, "relayUrl" | "report">;

/**
 * Results that relays do not have yet (rule R2): one flushed file a package, the newest results
 * only. Each is sent only to the relay that the package came from.
 */
export class Outbox {
  readonly #folder: string;
  readonly #files = createMutex();
  readonly #deliveries = createMutex();

  /** @param folder made on first use */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves when the results survive a power cut. */
  async put(
    packageId: string,
    results: SoundResults,
    { relayUrl }: Pick<RelayPort, "relayUrl">,
  ): Promise<void> {
    await this.#files(async () => {
      const made = await mkdir(this.#folder, { recursive: true });
      if (made !== undefined) await flushFolder(dirname(made));
      const text = JSON.stringify({ package_id: packageId, relay: relayUrl, results });
      await writeFileAtomically(this.#pathOf(packageId), text);
    });
  }

  /** Ids of the packages whose results a relay does not have yet. */
  async packageIds(relay: Pick<RelayPort, "relayUrl">): Promise<readonly string[]> {
    const names = await listFolder(this.#folder);
    const entries = await Promise.all(
      names.filter((name) => name.endsWith(".json")).map((name) => this.#read(name, relay)),
    );
    return entries.flatMap((entry) => (entry === undefined ? [] : [entry.packageId]));
  }

  /**
   * Sends the relay one package's results, if there are any here, and forgets them when it has them
   * or no longer has the package (404, rule S9). Whatever else goes wrong, they stay.
   * @throws {Error} what `report` rejects with, unless it is a 404
   */
  deliver(packageId: string, relay: Reported): Promise<void> {
    return this.#deliveries(async () => {
      const entry = await this.#read(`${idFileName(packageId)}.json`, relay);
      if (entry === undefined) return;
      try {
        await relay.report(packageId, entry.results);
      } catch (error) {
        if (statusOfError(error) !== 404) throw error;
      }
      await this.#files(async () => {
        // Results that were put meanwhile are newer and stay.
        const path = this.#pathOf(packageId);
        if ((await readTextIfAny(path)) === entry.text) await rm(path, { force: true });
      });
    });
  }

  /**
   * Sends the relay everything that waits for it. A package that fails holds up no other.
   * @returns how many reports still wait
   */
  async flush(relay: Reported): Promise<number> {
    let waiting = 0;
    for (const packageId of await this.packageIds(relay)) {
      try {
        await this.deliver(packageId, relay);
      } catch {
        // It stays in its file, and the next flush tries again.
        waiting += 1;
      }
    }
    return waiting;
  }

  #pathOf(packageId: string): string {
    return join(this.#folder, `${idFileName(packageId)}.json`);
  }

  async #read(name: string, { relayUrl }: Pick<RelayPort, "relayUrl">): Promise<Entry | undefined> {
    const text = await readTextIfAny(join(this.#folder, name));
    const entry = text === undefined ? undefined : parseEntry(text);
    return entry?.relayUrl === relayUrl ? entry : undefined;
  }
}

interface Entry {
  readonly text: string;
  readonly packageId: string;
  readonly relayUrl: string;
  readonly results: SoundResults;
}

function parseEntry(text: string): Entry | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { package_id: packageId, relay: relayUrl, results } = value;
  if (typeof packageId !== "string" || typeof relayUrl !== "string") return undefined;
  return isResults(results) ? { text, packageId, relayUrl, results } : undefined;
}

/** Looks no deeper: the file is written by `put`, and the relay validates what it gets. */
function isResults(value: unknown): value is SoundResults {
  return isJsonObject(value) && Object.values(value).every((result) => isJsonObject(result));
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
