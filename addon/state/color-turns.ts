import { dirname } from "node:path";
import pLimit from "p-limit";
import {
  formatTurns,
  parseTurns,
  type StoredTurns,
  takeTurns,
  type TurnsByPackage,
} from "../../core/layout/color-turns.ts";
import { needsColorTurn } from "../../core/layout/plan-layout.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { toDiskError } from "../disk/disk-error.ts";
import { makeDurableFolder, readTextIfAny, writeFileAtomically } from "../disk/atomic-file.ts";

/** A package that the importer knows of. */
export interface KnownPackage {
  readonly package_id: string;
  readonly manifest: Pick<Manifest, "items">;
}

/**
 * The rotation of package colors (rule T4). A package takes its turn when the importer first learns of it, and keeps
 * it across restarts. The process must own the data folder (rule R3): the file is read once.
 */
export class ColorTurns {
  readonly #path: string;
  readonly #runExclusive = pLimit(1);
  /** The packages of the last list from each place, which keep their turns. */
  readonly #listed = new Map<string, ReadonlySet<string>>();
  #stored: StoredTurns | undefined;
  #isSaved = true;

  /** @param path of the JSON file, created on first use. An invalid file restarts at turn 0: only colors are lost. */
  constructor(path: string) {
    this.#path = path;
  }

  /** A snapshot of the turns; empty before the first call. */
  get known(): TurnsByPackage {
    return this.#stored?.turns ?? new Map();
  }

  /**
   * Gives a turn to each package of a list that needs one and has none, in the order of the list.
   * @param place where the list comes from; replaces its last list
   * @returns null, or a sentence if the turns couldn't be stored. They count until the importer ends, and
   *   the next call tries again.
   */
  async learn(place: "relay" | "inbox", list: readonly KnownPackage[]): Promise<string | null> {
    const ids = list
      .filter(({ manifest }) => needsColorTurn(manifest))
      .map((one) => one.package_id);
    this.#listed.set(place, new Set(ids));
    try {
      await this.#runExclusive(() => this.#take(ids));
      return null;
    } catch (error) {
      return sentenceOf(toDiskError(error));
    }
  }

  /** Returns what `turnOf` would return, without taking a turn. */
  async peek(packageId: string): Promise<number> {
    const { turns, next } = await this.#runExclusive(() => this.#load());
    return turns.get(packageId) ?? next;
  }

  /** Returns the package's turn, counted from 0; a package without one takes the next. */
  turnOf(packageId: string): Promise<number> {
    return this.#runExclusive(async () => {
      const { turns, next } = await this.#take([packageId]);
      return turns.get(packageId) ?? next;
    });
  }

  async #load(): Promise<StoredTurns> {
    return (this.#stored ??= parseTurns((await readTextIfAny(this.#path)) ?? ""));
  }

  async #take(packageIds: readonly string[]): Promise<StoredTurns> {
    const stored = await this.#load();
    const taken = takeTurns(stored, packageIds, (id) => this.#isListed(id));
    if (taken !== stored) {
      this.#stored = taken;
      this.#isSaved = false;
    }
    if (!this.#isSaved) await this.#save(taken);
    return taken;
  }

  #isListed(packageId: string): boolean {
    return [...this.#listed.values()].some((ids) => ids.has(packageId));
  }

  async #save(turns: StoredTurns): Promise<void> {
    await makeDurableFolder(dirname(this.#path));
    await writeFileAtomically(this.#path, formatTurns(turns));
    this.#isSaved = true;
  }
}
