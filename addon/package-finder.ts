import type { ImportablePackage } from "../core/protocol/importer-api.ts";
import type { Journals } from "./import/journal.ts";
import { type InboxEntry, listInbox } from "./import/inbox.ts";
import { readLocalPackage } from "./import/local-package.ts";
import type { PackageSource } from "./import/package-source.ts";
import { type InboxPackage, isPackageId } from "./importer-calls.ts";
import type { RelaySwitch } from "./relay-switch.ts";

/** A package that can be imported. */
export interface FoundPackage {
  readonly packageId: string;
  readonly title: string;
  readonly source: PackageSource;
}

/** Finds packages by what a person calls them. */
export class PackageFinder {
  readonly #relays: RelaySwitch;
  readonly #journals: Journals;
  readonly #inboxFolder: string;

  constructor(relays: RelaySwitch, journals: Journals, inboxFolder: string) {
    this.#relays = relays;
    this.#journals = journals;
    this.#inboxFolder = inboxFolder;
  }

  /**
   * @param source the id of a package at the relay or in the inbox, or a folder's path
   * @throws {Error} with a sentence when there is no such package, or nothing of it can be used
   */
  async find(source: string): Promise<FoundPackage> {
    const found = await this.#findSource(source);
    return { packageId: found.packageId, title: found.manifest.title, source: found };
  }

  /** The inbox as it is now (rule R5). */
  async readInbox(): Promise<readonly InboxPackage[]> {
    return Promise.all((await listInbox(this.#inboxFolder)).map((entry) => this.#describe(entry)));
  }

  /**
   * Ids of the packages that were never imported, the one that was committed first before the others.
   * One whose report the relay does not have yet still waits there, but is not among them.
   */
  async listNew(found: {
    readonly packages: readonly ImportablePackage[];
    readonly local: readonly InboxPackage[];
  }): Promise<readonly string[]> {
    const ids = found.packages.filter(({ status }) => status === "waiting");
    const waiting = await Promise.all(
      ids.map(async ({ package_id }) => {
        const { wasImported } = await this.#journals.read(package_id);
        return wasImported ? [] : [package_id];
      }),
    );
    const local = found.local.map((one) =>
      "error" in one || one.imported ? [] : [one.package_id],
    );
    return [...waiting.reverse(), ...local].flat();
  }

  async #describe(entry: InboxEntry): Promise<InboxPackage> {
    const { folder } = entry;
    if ("error" in entry) return { folder, error: entry.error };
    const { packageId, manifest } = entry.localPackage;
    const { wasImported } = await this.#journals.read(packageId);
    return { folder, package_id: packageId, manifest, imported: wasImported };
  }

  #findSource(source: string): Promise<PackageSource> {
    if (!isPackageId(source)) return readLocalPackage(source);
    return source.startsWith("pkg_")
      ? this.#relays.current.findPackage(source)
      : this.#findInInbox(source);
  }

  async #findInInbox(packageId: string): Promise<PackageSource> {
    for (const entry of await listInbox(this.#inboxFolder)) {
      if ("localPackage" in entry && entry.localPackage.packageId === packageId) {
        return entry.localPackage;
      }
    }
    throw new Error(`The inbox has no package ${packageId}.`);
  }
}
