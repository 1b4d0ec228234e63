import type { PackageHead, PackageRecords } from "../ports.ts";

/** Most packages that wait to be noted. A package beyond is noted when it is listed again. */
const MAX_WAITING = 10_000;

/**
 * The packages that their importers listed for the first time since the last sweep (rule AD12). A list writes nothing:
 * the next sweep notes them together, and each package once.
 */
export class ListedPackages {
  readonly #waiting = new Map<string, number>();

  /** @param at relay time */
  note({ packageId, isSeen }: Pick<PackageHead, "packageId" | "isSeen">, at: number): void {
    if (isSeen || this.#waiting.has(packageId) || this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(packageId, at);
  }

  /** Stores what waits. If that fails, it waits for the next call. */
  async store(packages: Pick<PackageRecords, "noteListed">): Promise<void> {
    if (this.#waiting.size === 0) return;
    const storing = new Map(this.#waiting);
    await packages.noteListed(storing);
    for (const packageId of storing.keys()) this.#waiting.delete(packageId);
  }
}
