import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { Host } from "../hosts/host.ts";
import type { HostRegistry } from "../hosts/host-registry.ts";
import type { InboxSync } from "../packages/inbox.ts";
import type { FoundPackage, PackageFinder } from "../packages/package-finder.ts";
import { NEW_BECAUSE_NOTES } from "../relay/choose-identity.ts";
import { RelayError, RelayUnreachableError } from "../relay/relay-errors.ts";
import type { RelayConnection } from "../relay/relay-connection.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Dismisser } from "./dismisser.ts";
import { importAll, type ImportAllOutcome, type PackagesToImport } from "./import-all.ts";
import type { ImportAllOptions, ImportOptions } from "./import-options.ts";
import type { ImportRuns } from "./import-runs.ts";
import type { OwnHost } from "./own-host.ts";
import { RunRefusal } from "./import-errors.ts";

export interface AskedImportsDeps {
  readonly store: StateStore;
  readonly relay: Pick<RelayConnection, "readPackages">;
  readonly inbox: Pick<InboxSync, "read">;
  readonly host: OwnHost;
  readonly hosts: HostRegistry;
  readonly finder: PackageFinder;
  readonly runs: ImportRuns;
  readonly dismisser: Pick<Dismisser, "forget">;
}

/** What “Import all” began. */
export interface BegunImports {
  /** How many runs are queued or active now. */
  readonly packages: number;
  /** Packages that could not even be opened, with the reasons. */
  readonly failures: ImportAllOutcome["failures"];
}

/** Imports packages in every way in which they can be asked for, and lists them. */
export class AskedImports {
  readonly #deps: AskedImportsDeps;
  readonly #onSettled: () => void;

  /** @param onSettled called after each run */
  constructor(deps: AskedImportsDeps, onSettled: () => void) {
    this.#deps = deps;
    this.#onSettled = onSettled;
  }

  /** Lists the packages of relay and inbox. */
  async packages(): Promise<PackagesToImport> {
    await this.#deps.host.look();
    return this.#readPackages();
  }

  /** Lists the ids of known packages that are new to the current own host, first committed first. */
  async listNew(): Promise<readonly string[]> {
    const { host } = await this.#deps.host.look();
    return this.#deps.finder.listNew(this.#deps.store.state, host.name);
  }

  /** Imports one package and resolves with its outcome. */
  async import(source: string, options: ImportOptions): Promise<ImportOutcome> {
    const { outcome } = await this.#ask(source, options);
    try {
      return await outcome;
    } finally {
      this.#onSettled();
    }
  }

  /** Starts an import in the background; resolves when its run is in the state. */
  async begin(source: string, options: Omit<ImportOptions, "signal">): Promise<void> {
    const { outcome } = await this.#ask(source, options);
    outcome.then(this.#onSettled, this.#onSettled);
  }

  /** Imports a package unless the current own host has it. */
  async importNew(packageId: string): Promise<ImportOutcome | undefined> {
    return this.#importNew(packageId, await this.#open(undefined), {});
  }

  /** Imports everything that is new to the host, one at a time. */
  async importAll(options: ImportAllOptions): Promise<ImportAllOutcome> {
    const { finder, inbox, store } = this.#deps;
    const host = await this.#open(options.host);
    return importAll({
      relay: store.state.connection.relayUrl ?? "the relay",
      listPackages: async ({ withRelay }) =>
        withRelay ? this.#readPackages() : { packages: [], local: await inbox.read() },
      listNew: (found) => finder.listNew(found, host.name),
      importOne: (packageId) => this.#importNew(packageId, host, options),
      signal: options.signal,
    });
  }

  /**
   * Queues a run for everything that is new to the current own host, and resolves when all are in the state.
   * @throws {Error} with a sentence when there is nothing because the relay can't be reached
   */
  async beginAll(): Promise<BegunImports> {
    const { finder, runs } = this.#deps;
    const host = await this.#open(undefined);
    const listed = await this.#readPackages();
    const found: FoundPackage[] = [];
    const failures: ImportAllOutcome["failures"][number][] = [];
    for (const source of await finder.listNew(listed, host.name)) {
      try {
        found.push(await finder.find(source));
      } catch (error) {
        failures.push({ source, error: sentenceOf(error) });
      }
    }
    if (found.length === 0 && listed.relay_error !== undefined) throw new Error(listed.relay_error);
    for (const one of found) {
      // A run with any choice of sounds is joined.
      if (runs.isRunning(one.packageId)) continue;
      runs.run(one, host, {}).then(this.#onSettled, this.#onSettled);
    }
    return { packages: found.length, failures };
  }

  /**
   * Finds the package and its host, and queues the run; a package that was dismissed no longer is.
   * @throws {Error} with a sentence when that can't be done as asked
   */
  async #ask(
    source: string,
    options: ImportOptions,
  ): Promise<{ readonly outcome: Promise<ImportOutcome> }> {
    const { finder, runs, dismisser } = this.#deps;
    const host = await this.#open(options.host);
    if (options.reuseTracks === true && host.can.reusesTracks !== true) {
      throw new RunRefusal("TRACKS_NOT_REUSED", "This host can't import on the same tracks.");
    }
    const found = await finder.find(source);
    const outcome = runs.run(found, host, options);
    // The caller gets the rejection.
    outcome.catch(() => undefined);
    await dismisser.forget(found);
    return { outcome };
  }

  /**
   * Chooses the host of an import, which keeps it to its end (rule R9).
   * @param name undefined for the current one of the own hosts
   */
  #open(name: string | undefined): Promise<Host> {
    const { host, hosts } = this.#deps;
    return name === undefined ? host.open() : hosts.open(name);
  }

  async #importNew(packageId: string, host: Host, options: ImportAllOptions) {
    const { finder, runs } = this.#deps;
    try {
      return await runs.runIfNew(await finder.find(packageId), host, options);
    } finally {
      this.#onSettled();
    }
  }

  async #readPackages(): Promise<PackagesToImport> {
    const { relay, inbox, store } = this.#deps;
    const local = await inbox.read();
    const listed = await readIfReachable(relay);
    const { dismissed, connection } = store.state;
    const { newBecause } = connection;
    const ids = [...listed.packages, ...local].flatMap((one) =>
      "package_id" in one && dismissed.has(one.package_id) ? [one.package_id] : [],
    );
    const isNoted = newBecause !== null && listed.relay_error === undefined;
    return {
      ...listed,
      local,
      ...(ids.length > 0 && { dismissed: ids }),
      ...(isNoted && { relay_note: NEW_BECAUSE_NOTES[newBecause] }),
    };
  }
}

async function readIfReachable(
  relay: AskedImportsDeps["relay"],
): Promise<Pick<PackagesToImport, "packages" | "relay_error">> {
  try {
    const { packages } = await relay.readPackages();
    return { packages };
  } catch (error) {
    if (!(error instanceof RelayError || error instanceof RelayUnreachableError)) throw error;
    return { packages: [], relay_error: error.message };
  }
}
