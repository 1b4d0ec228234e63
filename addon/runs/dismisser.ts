import { dismissedResults, isDismissal } from "../../core/protocol/package-status.ts";
import { runSentence } from "../../core/protocol/run-sentences.ts";
import type { FoundPackage, PackageFinder } from "../packages/package-finder.ts";
import { reporterOf } from "../packages/package-source.ts";
import type { Outbox } from "../relay/outbox.ts";
import type { RelayConnection } from "../relay/relay-connection.ts";
import type { RelayPort } from "../relay/relay-port.ts";
import type { StateStore } from "../state/state-store.ts";
import type { ImportRuns } from "./import-runs.ts";
import type { Journals } from "./journal.ts";
import type { Dismissal } from "./importer-calls.ts";
import { RunRefusal } from "../../core/importer/import-errors.ts";

export interface DismisserDeps {
  readonly store: StateStore;
  readonly finder: Pick<PackageFinder, "find">;
  readonly relay: Pick<RelayConnection, "readPackages">;
  readonly runs: Pick<ImportRuns, "isRunning">;
  readonly journals: Pick<Journals, "read">;
  readonly outbox: Outbox;
}

/** Dismisses packages and undoes that (rule R12). */
export class Dismisser {
  readonly #deps: DismisserDeps;

  constructor(deps: DismisserDeps) {
    this.#deps = deps;
  }

  /**
   * Dismisses a package, and reports that to its app if nothing was reported yet.
   * @param source the id of a package at the relay or in the inbox, or a folder's path
   * @throws {RunRefusal} while it is being imported
   * @throws {Error} with a sentence when there is no such package
   */
  async dismiss(source: string): Promise<Dismissal> {
    const { store, outbox } = this.#deps;
    const found = await this.#findIdle(source);
    const { packageId, title } = found;
    const { relay, manifest } = found.source;
    const reportsTo = (await this.#isUnreported(found)) ? relay : undefined;
    if (reportsTo !== undefined) {
      const soundIds = manifest.items.map(({ id }) => id);
      await outbox.put(packageId, dismissedResults(soundIds), reportsTo);
    }
    // An import may have begun meanwhile.
    if (this.#deps.runs.isRunning(packageId)) {
      if (reportsTo !== undefined) await outbox.withdraw(packageId, reportsTo, isDismissal);
      throw importRuns(title);
    }
    store.markDismissed(packageId, true);
    const report = reportsTo === undefined ? null : await this.#deliver(packageId, reportsTo);
    return { package_id: packageId, title, dismissed: true, report };
  }

  /**
   * Shows a package again, as if it had not been dismissed; the report that its app can read stays until it is imported.
   * @throws {Error} with a sentence when there is no such package any more
   */
  async undo(source: string): Promise<Dismissal> {
    const found = await this.#find(source);
    await this.forget(found);
    return { package_id: found.packageId, title: found.title, dismissed: false, report: null };
  }

  /** Undoes the dismissal of a package that was already found, such as one to import. */
  async forget({ packageId, source }: FoundPackage): Promise<void> {
    const { store, outbox } = this.#deps;
    if (!store.state.dismissed.has(packageId)) return;
    store.markDismissed(packageId, false);
    const reportsTo = reporterOf(source);
    if (reportsTo !== undefined) await outbox.withdraw(packageId, reportsTo, isDismissal);
  }

  /** Finds an offered package: only those can be dismissed, so a folder must be in the inbox. */
  async #find(source: string): Promise<FoundPackage> {
    const { finder } = this.#deps;
    const found = await finder.find(source);
    return found.source.relay === undefined ? finder.find(found.packageId) : found;
  }

  async #findIdle(source: string): Promise<FoundPackage> {
    const { relay, runs } = this.#deps;
    const found = await this.#find(source);
    if (runs.isRunning(found.packageId)) throw importRuns(found.title);
    if (found.source.listed?.taken !== true) return found;
    // A lease ends without a notice.
    await relay.readPackages();
    const newest = await this.#find(source);
    if (newest.source.listed?.taken === true) throw importRuns(found.title);
    return newest;
  }

  /** Returns whether nothing was ever reported about a package, so that its app still waits. */
  async #isUnreported({ packageId, source }: FoundPackage): Promise<boolean> {
    const { journals, outbox } = this.#deps;
    const { relay, listed } = source;
    if (relay === undefined || listed === undefined || listed.results !== undefined) return false;
    if (listed.status !== "waiting") return false;
    const { importedInto } = await journals.read(packageId);
    return importedInto.size === 0 && (await outbox.find(packageId, relay)) === undefined;
  }

  async #deliver(packageId: string, relay: RelayPort): Promise<"sent" | "waits"> {
    const { outbox, store } = this.#deps;
    // It waits for the next connect.
    if (store.state.connection.status === "offline") return "waits";
    return (await outbox.tryDeliver(packageId, relay)) ? "sent" : "waits";
  }
}

function importRuns(title: string): RunRefusal {
  return new RunRefusal("IMPORT_RUNS", runSentence("IMPORT_RUNS", { title }));
}
