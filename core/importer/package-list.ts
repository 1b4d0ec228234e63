import { MAX_RESULTS_BYTES } from "../limits.ts";
import type { ImportablePackage, PackagesAnswer } from "../protocol/importer-api.ts";
import type { SoundResults } from "../protocol/package-status.ts";
import { countOf } from "../text/count-of.ts";
import { isImportable, type PackagesPage } from "../importer/relay-answers.ts";
import { isOwnRefusal } from "../importer/relay-errors.ts";

const READS_AT_ONCE = 4;
const REPORTED: ReadonlySet<string> = new Set(["imported", "partial", "failed"]);

/** Number of packages that are shown; a relay keeps 200 that wait for a computer, and some of the last week. */
export const MAX_LISTED_PACKAGES = 2000;
/** UTF-16 units of a package's JSON without its results; the largest that a relay accepts has a fifth of it. */
const MAX_PACKAGE_UNITS = 262_144;
/** UTF-16 units of JSON of the whole list. */
const MAX_LIST_UNITS = 16 * 1024 ** 2;
/** Time after which no further page or result is read. */
const MAX_LIST_MS = 120_000;
/** Number of pages without a package: all of a page's packages may have been withdrawn meanwhile. */
const MAX_EMPTY_PAGES = 10;

export interface PackageListDeps {
  /** Reads the page after a cursor; empty for the first one. */
  readonly readPage: (after: string) => Promise<PackagesPage>;
  /** Reads one package with its results. */
  readonly readPackage: (packageId: string) => Promise<ImportablePackage>;
  /** Host and port, for sentences. */
  readonly host: string;
  /** Returns milliseconds on a clock that is never set back. */
  readonly now: () => number;
}

/** A relay's packages, as far as they were read. */
export interface PackagesRead extends Pick<PackagesAnswer, "packages"> {
  /** A sentence for each limit that the relay's list exceeded (rule I7). */
  readonly trouble?: string;
}

interface Known {
  readonly version: number | undefined;
  readonly results: SoundResults | undefined;
}

/** The list of a relay's packages: one call has only a page, and no results (rule I5). It ends, whatever the relay sends (rule I7). */
export class PackageList {
  readonly #deps: PackageListDeps;
  /** Known results by package id; read again once the package has changed. */
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(deps: PackageListDeps) {
    this.#deps = deps;
  }

  /** Returns the packages with their results, newest first. A relay that doesn't page sends everything at once. */
  async read(): Promise<PackagesRead> {
    const reading = new Reading(this.#deps);
    const listed = await reading.pages();
    const known = await this.#readResults(listed, reading);
    const packages = listed.map((one): ImportablePackage => {
      const results = known.get(one.package_id)?.results;
      return results === undefined ? one : Object.assign({}, one, { results });
    });
    const { trouble } = reading;
    return { packages, ...(trouble !== undefined && { trouble }) };
  }

  /** Reads the results that the list lacks. Those that were read before a failure aren't read again. */
  async #readResults(
    listed: readonly ImportablePackage[],
    reading: Reading,
  ): Promise<ReadonlyMap<string, Known>> {
    const known = new Map<string, Known>();
    const rest = listed.filter(lacksResults);
    const readOn = async (): Promise<void> => {
      for (let one = rest.shift(); one !== undefined; one = rest.shift()) {
        const found = this.#stillKnown(one) ?? (await this.#readOne(one, reading));
        if (found !== undefined && reading.hasRoomFor(found.results ?? null)) {
          known.set(one.package_id, found);
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
      this.#known = known;
    } catch (error) {
      rest.length = 0;
      const before = listed.flatMap(({ package_id: id }): [string, Known][] => {
        const one = known.get(id) ?? this.#known.get(id);
        return one === undefined ? [] : [[id, one]];
      });
      this.#known = new Map(before);
      throw error;
    }
    return known;
  }

  /** Returns the known results unless the package has changed; during a run, only its lease changes. */
  #stillKnown({ package_id: id, version, taken }: ImportablePackage): Known | undefined {
    const known = this.#known.get(id);
    return taken || known?.version === version ? known : undefined;
  }

  /** Reads one package's results; undefined once the list has taken too long. */
  async #readOne(
    { package_id: id, version }: ImportablePackage,
    reading: Reading,
  ): Promise<Known | undefined> {
    if (reading.isOver()) return undefined;
    try {
      const { results } = await this.#deps.readPackage(id);
      return { version, results };
    } catch (error) {
      // The package has gone since it was listed.
      if (isOwnRefusal(error) && [404, 409].includes(error.status)) {
        return { version, results: undefined };
      }
      throw error;
    }
  }
}

/** One reading of a list, with what it may still take (rule I7). */
class Reading {
  readonly #deps: PackageListDeps;
  readonly #endsAtMs: number;
  readonly #packages = new Map<string, ImportablePackage>();
  #entries = 0;
  #units = 0;
  #unusable = 0;
  #cutBecause: string | undefined;

  constructor(deps: PackageListDeps) {
    this.#deps = deps;
    this.#endsAtMs = deps.now() + MAX_LIST_MS;
  }

  /** A sentence for each limit that was exceeded; undefined for a list that is whole. */
  get trouble(): string | undefined {
    const { host } = this.#deps;
    const sentences = [
      this.#cutBecause,
      this.#unusable > 0
        ? `The relay at ${host} lists ${countOf(this.#unusable, "package")} that can't be used. Tell its operator.`
        : undefined,
    ].filter((sentence) => sentence !== undefined);
    return sentences.length === 0 ? undefined : sentences.join(" ");
  }

  /** Reads page after page, up to a limit. */
  async pages(): Promise<readonly ImportablePackage[]> {
    const { readPage, host } = this.#deps;
    const seen = new Set<string>();
    let emptyPages = 0;
    let after: string | null | undefined = "";
    while (typeof after === "string" && !this.isOver()) {
      const page: PackagesPage = await readPage(after);
      if (page.packages.length === 0) emptyPages += 1;
      for (const one of page.packages) this.#add(one);
      seen.add(after);
      after = page.next;
      if (typeof after === "string" && (seen.has(after) || emptyPages > MAX_EMPTY_PAGES)) {
        this.#cut(`The list of packages at ${host} has no end. Tell its operator.`);
      }
      if (this.#cutBecause !== undefined) break;
    }
    return [...this.#packages.values()].toSorted(newestFirst);
  }

  /** Returns whether no more may be read because of the time. */
  isOver(): boolean {
    if (this.#deps.now() < this.#endsAtMs) return false;
    this.#cut(`The relay at ${this.#deps.host} is too slow. Not everything of its list is shown.`);
    return true;
  }

  /** Counts a value against the size of the list; returns false for one without room. */
  hasRoomFor(value: unknown): boolean {
    const units = JSON.stringify(value).length;
    if (this.#units + units > MAX_LIST_UNITS) {
      this.#cut(`The list of packages at ${this.#deps.host} is too large. Not all of it is shown.`);
      return false;
    }
    this.#units += units;
    return true;
  }

  #add(value: unknown): void {
    if (this.#cutBecause !== undefined) return;
    this.#entries += 1;
    if (this.#entries > MAX_LISTED_PACKAGES) {
      const { host } = this.#deps;
      this.#cut(
        `${host} lists more than ${MAX_LISTED_PACKAGES} packages. The others aren't shown.`,
      );
    } else if (!isImportable(value) || !isSmall(value)) this.#unusable += 1;
    else if (!this.#packages.has(value.package_id) && this.hasRoomFor(value)) {
      this.#packages.set(value.package_id, value);
    }
  }

  #cut(sentence: string): void {
    this.#cutBecause ??= sentence;
  }
}

/** Checks the size of what a package adds to the importer's memory and to the panel. */
function isSmall({ results, ...one }: ImportablePackage): boolean {
  return (
    JSON.stringify(one).length <= MAX_PACKAGE_UNITS &&
    (results === undefined || JSON.stringify(results).length <= MAX_RESULTS_BYTES)
  );
}

/** Returns whether a package's results must be read; a relay that doesn't page lists them. */
function lacksResults({ status, results }: ImportablePackage): boolean {
  return results === undefined && REPORTED.has(status);
}

function newestFirst(one: ImportablePackage, other: ImportablePackage): number {
  return Date.parse(other.committed_at) - Date.parse(one.committed_at);
}
