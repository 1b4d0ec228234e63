import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { isJsonObject } from "../../core/text/json-object.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import { flushFolder, isMissing, readTextIfAny, writeFileAtomically } from "../disk/atomic-file.ts";
import { idFileName } from "../disk/id-file-name.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { type RelayPort, statusOfError } from "./relay-port.ts";

type ReportTarget = Pick<RelayPort, "relayUrl" | "report">;

/**
 * Stores reports until they are delivered (rule R2): one flushed file per package, with its latest
 * results. A report goes only to the relay that the package came from.
 */
export class Outbox {
  readonly #folder: string;
  readonly #files = pLimit(1);
  readonly #deliveries = pLimit(1);

  /** @param folder created on first use */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves once the results survive a power cut. */
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

  /** Lists the ids of packages whose report is pending. */
  async packageIds(relay: Pick<RelayPort, "relayUrl">): Promise<readonly string[]> {
    const names = await listFolder(this.#folder);
    const entries = await Promise.all(
      names.filter((name) => name.endsWith(".json")).map((name) => this.#read(name, relay)),
    );
    return entries.flatMap((entry) => (entry === undefined ? [] : [entry.packageId]));
  }

  /**
   * Sends a package's pending report, if any. Removes it on success and on a 404, when the relay no
   * longer has the package (rule S9); after other errors it stays.
   * @throws {Error} from `report`, except a 404
   */
  deliver(packageId: string, relay: ReportTarget): Promise<void> {
    return this.#deliveries(async () => {
      const entry = await this.#read(`${idFileName(packageId)}.json`, relay);
      if (entry === undefined) return;
      try {
        await relay.report(packageId, entry.results);
      } catch (error) {
        if (statusOfError(error) !== 404) throw error;
      }
      await this.#files(async () => {
        // Keep newer results that were put meanwhile.
        const path = this.#pathOf(packageId);
        if ((await readTextIfAny(path)) === entry.text) await rm(path, { force: true });
      });
    });
  }

  /** Returns a package's pending report, if any. */
  async find(
    packageId: string,
    relay: Pick<RelayPort, "relayUrl">,
  ): Promise<SoundResults | undefined> {
    return (await this.#read(`${idFileName(packageId)}.json`, relay))?.results;
  }

  /** Removes a package's pending report if it is as wanted; waits for a delivery under way. */
  withdraw(
    packageId: string,
    relay: Pick<RelayPort, "relayUrl">,
    isWanted: (results: SoundResults) => boolean,
  ): Promise<void> {
    return this.#deliveries(() =>
      this.#files(async () => {
        const results = await this.find(packageId, relay);
        if (results !== undefined && isWanted(results)) await rm(this.#pathOf(packageId));
      }),
    );
  }

  /** Delivers every pending report, each independently; returns how many stay pending. */
  async flush(relay: ReportTarget): Promise<number> {
    let pending = 0;
    for (const packageId of await this.packageIds(relay)) {
      try {
        await this.deliver(packageId, relay);
      } catch {
        // Its file stays for the next flush.
        pending += 1;
      }
    }
    return pending;
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

/** A shallow check: `put` wrote the file, and the relay validates the results. */
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
