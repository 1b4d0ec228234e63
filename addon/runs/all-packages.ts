import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { Host } from "../hosts/host.ts";
import type { InboxSync } from "../packages/inbox.ts";
import type { FoundPackage, PackageFinder } from "../packages/package-finder.ts";
import { onlySaved } from "../packages/saved-packages.ts";
import { NEW_BECAUSE_NOTES } from "../relay/choose-identity.ts";
import type { RelayConnection } from "../relay/relay-connection.ts";
import { RelayError, RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import type { StateStore } from "../state/state-store.ts";
import type { ImportRuns } from "./import-runs.ts";
import type { ImportAllOptions, ImportAllOutcome, PackagesToImport } from "./importer-calls.ts";
import type { OwnHost } from "./own-host.ts";

export interface AllPackagesDeps {
  readonly store: StateStore;
  readonly relay: Pick<RelayConnection, "readPackages">;
  readonly inbox: Pick<InboxSync, "read">;
  readonly host: Pick<OwnHost, "look" | "open">;
  readonly finder: Pick<PackageFinder, "findListed" | "listNew">;
  readonly runs: Pick<ImportRuns, "run" | "runIfNew" | "stopAll" | "isRunning">;
}

/** The runs that “Import all” began. */
export interface BegunImports {
  /** Number of runs that are queued or active now. */
  readonly packages: number;
  /** Packages that could not even be opened, with the reasons. */
  readonly failures: ImportAllOutcome["failures"];
}

/** Lists the packages of relay and inbox, and imports all that are new to a host. */
export class AllPackages {
  readonly #deps: AllPackagesDeps;
  readonly #onSettled: () => void;

  /** @param onSettled called after each run */
  constructor(deps: AllPackagesDeps, onSettled: () => void) {
    this.#deps = deps;
    this.#onSettled = onSettled;
  }

  async read(): Promise<PackagesToImport> {
    await this.#deps.host.look();
    return this.#read();
  }

  /** Lists the ids of known packages that are new to the current own host, first committed first. */
  async listNew(): Promise<readonly string[]> {
    const { host } = await this.#deps.host.look();
    return this.#deps.finder.listNew(this.#deps.store.state, host.name);
  }

  /** Imports a package unless the current own host has it. */
  async importNew(packageId: string): Promise<ImportOutcome | undefined> {
    return this.#importNew(packageId, await this.#deps.host.open(undefined), {});
  }

  /** Imports everything that is new to the host, one at a time. */
  async importAll(options: ImportAllOptions): Promise<ImportAllOutcome> {
    const { finder, inbox, store } = this.#deps;
    const host = await this.#deps.host.open(options.host);
    return importAll({
      relay: store.state.connection.relayUrl ?? "the relay",
      listPackages: async ({ withRelay }) =>
        withRelay ? this.#read() : { packages: [], local: await inbox.read() },
      listNew: (found) => finder.listNew(found, host.name),
      importOne: (packageId) => this.#importNew(packageId, host, options),
      signal: options.signal,
    });
  }

  /**
   * Queues a run for everything that is new to the current own host, and resolves when all are in the state.
   * @throws {Error} with a sentence when there is nothing because the relay can't be reached
   */
  async begin(): Promise<BegunImports> {
    const { finder, runs } = this.#deps;
    const host = await this.#deps.host.open(undefined);
    const listed = await this.#read();
    const found: FoundPackage[] = [];
    const failures: ImportAllOutcome["failures"][number][] = [];
    for (const source of await finder.listNew(listed, host.name)) {
      try {
        found.push(await finder.findListed(source));
      } catch (error) {
        failures.push({ source, error: sentenceOf(error) });
      }
    }
    if (found.length === 0 && listed.relay_error !== undefined) throw new Error(listed.relay_error);
    for (const one of found) {
      // A run with any choice of sounds is joined.
      if (runs.isRunning(one.packageId)) continue;
      runs.run(one, host, { isOfAll: true }).then(this.#onSettled, this.#onSettled);
    }
    return { packages: found.length, failures };
  }

  /**
   * Ends what `begin` began: queued runs, whose packages are new again, and the active one, which is cancelled. Returns
   * false if nothing is left.
   */
  stop(): boolean {
    return this.#deps.runs.stopAll();
  }

  async #importNew(packageId: string, host: Host, options: ImportAllOptions) {
    const { finder, runs } = this.#deps;
    try {
      return await runs.runIfNew(await finder.findListed(packageId), host, options);
    } finally {
      this.#onSettled();
    }
  }

  async #read(): Promise<PackagesToImport> {
    const { relay, inbox, store } = this.#deps;
    const local = await inbox.read();
    const { troubles, ...listed } = await readIfReachable(relay);
    const { dismissed, connection } = store.state;
    const { newBecause } = connection;
    const saved = onlySaved({ ...listed, local, saved: store.state.saved });
    const ids = [...listed.packages, ...local, ...saved].flatMap((one) =>
      "package_id" in one && dismissed.has(one.package_id) ? [one.package_id] : [],
    );
    const isNoted = newBecause !== null && listed.relay_error === undefined;
    const notes = [...(isNoted ? [NEW_BECAUSE_NOTES[newBecause]] : []), ...troubles];
    return {
      ...listed,
      local,
      ...(saved.length > 0 && { saved }),
      ...(ids.length > 0 && { dismissed: ids }),
      ...(notes.length > 0 && { relay_note: notes.join(" ") }),
    };
  }
}

interface RelayList extends Pick<PackagesToImport, "packages" | "relay_error"> {
  /** Why not all of the relay's list is here (rule I7). */
  readonly troubles: readonly string[];
}

async function readIfReachable(relay: AllPackagesDeps["relay"]): Promise<RelayList> {
  try {
    const { packages, trouble } = await relay.readPackages();
    return { packages, troubles: trouble === undefined ? [] : [trouble] };
  } catch (error) {
    if (!(error instanceof RelayError || error instanceof RelayUnreachableError)) throw error;
    return { packages: [], relay_error: error.message, troubles: [] };
  }
}

interface ImportAllDeps {
  /** The `source` under which a relay error is reported. */
  readonly relay: string;
  /** Lists the packages; without the relay's once it was unreachable. */
  readonly listPackages: (how: { readonly withRelay: boolean }) => Promise<PackagesToImport>;
  /** Filters the ids that are new to the host. */
  readonly listNew: (found: PackagesToImport) => Promise<readonly string[]>;
  /** Returns undefined where another run has imported the package meanwhile. */
  readonly importOne: (packageId: string) => Promise<ImportOutcome | undefined>;
  /** Stops the import; packages not yet imported don't count as failures. */
  readonly signal: AbortSignal | undefined;
}

/** Imports every package that is new to the host, one at a time, each once. */
export async function importAll(deps: ImportAllDeps): Promise<ImportAllOutcome> {
  const { relay, signal } = deps;
  const packages: ImportOutcome[] = [];
  const failures = new Map<string, string>();
  const done = new Set<string>();
  let note: string | undefined;
  for (;;) {
    // List again before each run: another run may have imported one meanwhile.
    const found = await deps.listPackages({ withRelay: !failures.has(relay) });
    for (const one of found.local) if ("error" in one) failures.set(one.folder, one.error);
    if (found.relay_error !== undefined) failures.set(relay, found.relay_error);
    note = found.relay_note;
    const next = (await deps.listNew(found)).find((id) => !done.has(id));
    if (next === undefined) break;
    done.add(next);
    try {
      const outcome = await deps.importOne(next);
      if (outcome !== undefined) packages.push(outcome);
    } catch (error) {
      if (signal?.aborted) throw error;
      failures.set(next, sentenceOf(error));
    }
  }
  if (note !== undefined) failures.set(relay, note);
  return { packages, failures: [...failures].map(([source, error]) => ({ source, error })) };
}
