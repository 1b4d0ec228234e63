import pLimit from "p-limit";
import type { ImportablePackage, PackagesAnswer } from "../../core/protocol/importer-api.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import { isOwnRefusal, notSoundferry } from "./relay-errors.ts";

const READS_AT_ONCE = 4;
const REPORTED: ReadonlySet<string> = new Set(["imported", "partial", "failed"]);

export interface PackageListDeps {
  /** Reads the page after a cursor; empty for the first one. */
  readonly readPage: (after: string) => Promise<PackagesAnswer>;
  /** Reads one package with its results. */
  readonly readPackage: (packageId: string) => Promise<ImportablePackage>;
  /** Host and port, for sentences. */
  readonly host: string;
}

interface Known {
  readonly version: number | undefined;
  readonly results: SoundResults | undefined;
}

/** The whole list of a relay's packages: one call has only a page, and no results (rule I5). */
export class PackageList {
  readonly #deps: PackageListDeps;
  /** Known results by package id; read again once the package has changed. */
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(deps: PackageListDeps) {
    this.#deps = deps;
  }

  /** Returns all packages with their results, newest first. A relay that doesn't page sends everything at once. */
  async read(): Promise<PackagesAnswer> {
    const listed = await this.#readPages();
    const known = await this.#readResults(listed);
    const packages = listed.map((one): ImportablePackage => {
      const results = known.get(one.package_id)?.results;
      return results === undefined ? one : Object.assign({}, one, { results });
    });
    return { packages };
  }

  async #readPages(): Promise<readonly ImportablePackage[]> {
    const packages: ImportablePackage[] = [];
    const seen = new Set<string>();
    let after: string | null | undefined = "";
    while (typeof after === "string") {
      // An endless list would never be shown.
      if (seen.has(after)) throw notSoundferry(this.#deps.host);
      seen.add(after);
      const page: PackagesAnswer = await this.#deps.readPage(after);
      packages.push(...page.packages);
      after = page.next;
    }
    return packages.toSorted(newestFirst);
  }

  /** Reads the results that the list lacks. Those that were read before a failure aren't read again. */
  async #readResults(listed: readonly ImportablePackage[]): Promise<ReadonlyMap<string, Known>> {
    const known = new Map<string, Known>();
    const limit = pLimit(READS_AT_ONCE);
    try {
      await limit.map(listed.filter(lacksResults), async (one) => {
        known.set(one.package_id, this.#stillKnown(one) ?? (await this.#readOne(one)));
      });
      this.#known = known;
    } catch (error) {
      limit.clearQueue();
      this.#known = new Map([...this.#known, ...known]);
      throw error;
    }
    return known;
  }

  /** Returns the known results unless the package has changed; during a run, only its lease changes. */
  #stillKnown({ package_id: id, version, taken }: ImportablePackage): Known | undefined {
    const known = this.#known.get(id);
    return taken || known?.version === version ? known : undefined;
  }

  async #readOne({ package_id: id, version }: ImportablePackage): Promise<Known> {
    try {
      return { version, results: (await this.#deps.readPackage(id)).results };
    } catch (error) {
      // The package has gone since it was listed.
      if (isOwnRefusal(error) && [404, 409].includes(error.status)) {
        return { version, results: undefined };
      }
      throw error;
    }
  }
}

/** Returns whether a package's results must be read; a relay that doesn't page lists them. */
function lacksResults({ status, results }: ImportablePackage): boolean {
  return results === undefined && REPORTED.has(status);
}

function newestFirst(one: ImportablePackage, other: ImportablePackage): number {
  return Date.parse(other.committed_at) - Date.parse(one.committed_at);
}
