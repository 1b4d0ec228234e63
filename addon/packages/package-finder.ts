import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import { isDismissal } from "../../core/protocol/package-status.ts";
import { type InboxEntry, listInbox } from "./inbox.ts";
import { readLocalPackage } from "./local-package.ts";
import { isNewTo, type PackageRecord, resultsToShow } from "./package-record.ts";
import { isPackageId, type PackageSource, relayPackage } from "./package-source.ts";
import type { SoundsFolder } from "../disk/sounds-folder.ts";
import type { RelayConnection } from "../relay/relay-connection.ts";
import type { InboxPackage } from "../state/importer-state.ts";
import type { StateStore } from "../state/state-store.ts";

export interface FoundPackage {
  readonly packageId: string;
  readonly title: string;
  readonly source: PackageSource;
}

export interface PackageFinderDeps {
  readonly relay: Pick<RelayConnection, "findPackage">;
  readonly sounds: Pick<SoundsFolder, "inbox">;
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

  /** Reads the inbox folder (rule R5). */
  async readInbox(): Promise<readonly InboxPackage[]> {
    const entries = await listInbox(this.#deps.sounds.inbox);
    return Promise.all(entries.map((entry) => this.#describe(entry)));
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
    const { packageId, manifest } = entry.localPackage;
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
    if (!isPackageId(source)) return readLocalPackage(source);
    if (!source.startsWith("pkg_")) return this.#findInInbox(source);
    const { listed, relay } = await this.#deps.relay.findPackage(source);
    return relayPackage(listed, relay);
  }

  async #findInInbox(packageId: string): Promise<PackageSource> {
    for (const entry of await listInbox(this.#deps.sounds.inbox)) {
      if ("localPackage" in entry && entry.localPackage.packageId === packageId) {
        return entry.localPackage;
      }
    }
    throw new Error(`The inbox has no package ${packageId}.`);
  }
}
