import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Checks, CrashedStores } from "./world.ts";

/** A relay's folder, looked into from another process. */
export class SqliteStores implements CrashedStores {
  readonly #folder: string;

  /** @param folder the relay's data folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async check(checks: Checks, promisedSounds: number): Promise<void> {
    using database = this.#open();
    const doomed = database.prepare("SELECT key, state FROM sound_keys");
    await checks.becomes("What the kill left is swept", async () => doomed.all().length, 0);
    const list = () => readdir(join(this.#folder, "sounds"), { recursive: true });
    const parts = (await list()).filter((file) => file.endsWith(".part"));
    checks.same("No unfinished file is left", parts, []);
    // An upload that was finished, but not recorded, goes into the quarantine with a sweep (rule J2).
    const stored = async () =>
      (await list()).filter((file) => !file.startsWith(".quarantine") && file.includes("snd_"))
        .length;
    await checks.becomes("As many files as sounds", stored, promisedSounds);
  }

  async checkWhole(checks: Checks): Promise<void> {
    using database = this.#open();
    const found = database.prepare("PRAGMA integrity_check").all();
    checks.same("The database is whole", { ...found[0] }, { integrity_check: "ok" });
    const orphans = database.prepare("PRAGMA foreign_key_check").all().length;
    checks.same("Every row belongs to one", orphans, 0);
  }

  #open(): DatabaseSync {
    return new DatabaseSync(join(this.#folder, "relay.sqlite"), { readOnly: true });
  }
}
