import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import { isDismissal } from "../../core/protocol/package-status.ts";
import { type InboxEntry, listInbox } from "./inbox.ts";
import { type LocalPackage, readLocalPackage } from "./local-package.ts";
import { isNewTo, type PackageRecord, resultsToShow } from "./package-record.ts";
import { isPackageId } from "../../core/protocol/package-id.ts";
import { type PackageSource, relayPackage } from "./package-source.ts";
import type { SavedPackages } from "./saved-packages.ts";
import type { SoundsFolder } from "../disk/sounds-folder.ts";
import type { RelayConnection } from "../relay/relay-connection.ts";
import { RelayUnreachableError } from "../relay/relay-errors.ts";
import type { FolderPackages, InboxPackage, UsableInboxPackage } from "../state/importer-state.ts";
import type { StateStore } from "../state/state-store.ts";

export interface FoundPackage {
  readonly packageId: string;
  readonly title: string;
  readonly source: PackageSource;
}

export interface PackageFinderDeps {
  readonly relay: Pick<RelayConnection, "findPackage" | "portTo">;
  readonly sounds: Pick<SoundsFolder, "inbox">;
  readonly saved: Pick<SavedPackages, "list" | "find" | "findAt">;
  /** The records of packages' runs. */
  readonly journals: { read(packageId: string): Promise<PackageRecord> };
  readonly store: Pick<StateStore, "state">;
}

/** Returns whether nobody has decided about a package, or a dismissal was undone (rule R12). */
function isWaiting({ status, results }: Pick<ImportablePackage, "status" | "results">): boolean {
  return status === "waiting" || isDismissal(results);
}

/** Finds packages by id or path. */
export class PackageFinder {
  readonly #deps: PackageFinderDeps;

  constructor(deps: PackageFinderDeps) {
    this.#deps = deps;
  }

  /**
   * Finds a package and parses its manifest.
   * @param source the id of a package at the relay or in the inbox, or a folder's path
   * @throws {Error} with a sentence when there is no such package, or the whole package is unusable
   */
  async find(source: string): Promise<FoundPackage> {
    const found = await this.#findSource(source);
    return { packageId: found.packageId, title: found.manifest.title, source: found };
  }

  /**
   * Finds a package that a list names. The id is never taken for a folder's path (rule I7).
   * @throws {Error} like `find`
   */
  async findListed(packageId: string): Promise<FoundPackage> {
    if (!isPackageId(packageId)) throw new Error("There is no such package.");
    return this.find(packageId);
  }

  /** Reads the inbox folder and the sounds folder (rules R5, F10). */
  async readFolders(): Promise<FolderPackages> {
    const { entries, saved } = await this.#listFolders();
    const [local, found] = await Promise.all([
      Promise.all(entries.map((entry) => this.#describe(entry))),
      Promise.all(saved.map((one) => this.#describeUsable(one))),
    ]);
    return { local, saved: found };
  }

  /** Lists the ids of the packages that can be imported from the sounds folder. */
  async listSavedIds(): Promise<readonly string[]> {
    return (await this.#listFolders()).saved.map(({ packageId }) => packageId);
  }

  /**
   * Filters the ids of packages that are new to a host, first committed first, without dismissed and saved ones.
   * Excludes an imported package whose report is pending, although its status is still `waiting`; includes one of which
   * the relay knows only that it was dismissed.
   */
  async listNew(
    found: {
      readonly packages: readonly ImportablePackage[];
      readonly local: readonly InboxPackage[];
    },
    hostName: string,
  ): Promise<readonly string[]> {
    const waiting = found.packages.filter(isWaiting).reverse();
    const local = found.local.filter((one) => "package_id" in one);
    const ids = [...waiting, ...local]
      .map(({ package_id }) => package_id)
      .filter((id) => !this.#deps.store.state.dismissed.has(id));
    const areNew = await Promise.all(ids.map((id) => this.#isNew(id, hostName)));
    return ids.filter((_, index) => areNew[index] === true);
  }

  async #describe(entry: InboxEntry): Promise<InboxPackage> {
    const { folder } = entry;
    if ("error" in entry) return { folder, error: entry.error };
    return this.#describeUsable(entry.localPackage);
  }

  async #describeUsable(found: LocalPackage): Promise<UsableInboxPackage> {
    const { folder, packageId, manifest } = found;
    const hostName = this.#deps.store.state.host.name;
    const record = await this.#deps.journals.read(packageId);
    const known = resultsToShow(record, hostName);
    return {
      folder,
      package_id: packageId,
      manifest,
      imported: !isNewTo(record, hostName),
      ...(known !== undefined && { results: Object.fromEntries(known) }),
    };
  }

  async #isNew(packageId: string, hostName: string): Promise<boolean> {
    return isNewTo(await this.#deps.journals.read(packageId), hostName);
  }

  async #findSource(source: string): Promise<PackageSource> {
    const { saved } = this.#deps;
    if (!isPackageId(source)) {
      const found = await saved.findAt(source);
      return found === undefined ? readLocalPackage(source) : this.#withReporter(found);
    }
    return source.startsWith("pkg_") ? this.#findSent(source) : this.#findLocal(source);
  }

  /** Finds a package at the relay. Where that doesn't have it, or doesn't answer, the saved one counts (rule F10). */
  async #findSent(packageId: string): Promise<PackageSource> {
    const { relay, saved, store } = this.#deps;
    if (store.state.connection.status === "offline") {
      const found = await saved.find(packageId);
      if (found?.problems.size === 0) return this.#withReporter(found);
    }
    try {
      const { listed, relay: port } = await relay.findPackage(packageId);
      return relayPackage(listed, port);
    } catch (error) {
      const found = await saved.find(packageId);
      if (found === undefined) throw error;
      return this.#withReporter(found, { answers: !(error instanceof RelayUnreachableError) });
    }
  }

  async #findLocal(packageId: string): Promise<PackageSource> {
    const { entries, saved } = await this.#listFolders();
    const local = entries.flatMap((entry) => ("localPackage" in entry ? [entry.localPackage] : []));
    const found = [...local, ...saved].find((one) => one.packageId === packageId);
    if (found === undefined) throw new Error(`The inbox has no package ${packageId}.`);
    return found;
  }

  /** Lists the inbox's folders, then the others that no importer made, and the saved packages. */
  async #listFolders() {
    const { inbox } = this.#deps.sounds;
    const { unmarked, saved } = await this.#deps.saved.list(inbox);
    return { entries: [...(await listInbox(inbox)), ...unmarked], saved };
  }

  /** @param relay.answers the report can be sent at once */
  async #withReporter(found: LocalPackage, relay = { answers: false }): Promise<PackageSource> {
    const { reportsTo } = await this.#deps.journals.read(found.packageId);
    if (reportsTo === undefined) return found;
    const port = relay.answers ? this.#deps.relay.portTo(reportsTo) : undefined;
    return { ...found, reportsTo: port ?? reportsTo };
  }
}
