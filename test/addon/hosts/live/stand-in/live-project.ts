import { copyFileSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { basename, extname, isAbsolute, join } from "node:path";
import type { LiveHabits } from "./live-habits.ts";

/** The folder of a Set, where Live keeps the samples that were brought into it. */
export class LiveProject {
  readonly #samples: string;
  readonly #habits: LiveHabits;

  constructor(folder: string, habits: LiveHabits) {
    this.#samples = join(folder, "Samples", "Imported");
    this.#habits = habits;
  }

  /** Names of the samples in it, in order. */
  get files(): readonly string[] {
    return existsSync(this.#samples) ? readdirSync(this.#samples).sort() : [];
  }

  /**
   * Copies a file into the project, under a name that is free there.
   * @returns the copy's path
   * @throws {Error} where Live would refuse
   */
  take(path: string): string {
    if (!this.#habits.isSaved) throw new Error("The Set was never saved.");
    if (!isAbsolute(path)) throw new Error("The path is not absolute.");
    if (realpathSync(path) !== path) throw new Error("The path is a link.");
    mkdirSync(this.#samples, { recursive: true });
    const copy = this.#freePath(basename(path));
    copyFileSync(path, copy);
    return copy;
  }

  #freePath(name: string): string {
    const extension = extname(name);
    const stem = name.slice(0, name.length - extension.length);
    for (let number = 1; ; number += 1) {
      const path = join(this.#samples, number === 1 ? name : `${stem}-${number}${extension}`);
      if (!existsSync(path)) return path;
    }
  }
}
