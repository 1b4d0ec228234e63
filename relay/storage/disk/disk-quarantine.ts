import { join } from "node:path";
import { packageOfKey, type QuarantinedSound } from "../../domain/ports.ts";
import { type SoundFiles, unless, unlessMissing } from "./sound-files.ts";
import { keyOfFinished, type SoundPath, soundPath } from "./sound-path.ts";
import { moveFile, settleFolders } from "./sound-folders.ts";
import { throwAny, tryEach } from "./try-each.ts";

/** A folder in `sounds/`, whose disk renames can't leave. No key begins with a dot. */
const QUARANTINE_FOLDER = ".quarantine";
/** The name of a folder of the relay: a time in milliseconds that a number represents exactly. */
const TIME = /^\d{1,15}$/;

/**
 * Quarantined sounds, as files `.quarantine/<relay time in ms>/<package id>/<random>` in the folder of all sounds.
 * They are moved there and back by renames, so a crash leaves each in one of the two places, or in both.
 */
export class DiskQuarantine {
  readonly #files: SoundFiles;
  readonly #sounds: string;
  readonly #root: string;

  /** Prepares the quarantine. @param sounds the folder of all sounds */
  constructor(files: SoundFiles, sounds: string) {
    this.#files = files;
    this.#sounds = sounds;
    this.#root = join(sounds, QUARANTINE_FOLDER);
  }

  async take(keys: readonly string[], since: number): Promise<void> {
    const aside = join(this.#root, String(since));
    await this.#move(
      keys.map((key) => ({ from: soundPath(this.#sounds, key), to: soundPath(aside, key) })),
    );
  }

  async putBack(keys: readonly string[]): Promise<void> {
    const found = await this.#find(keys);
    await this.#move(found.map((from) => ({ from, to: soundPath(this.#sounds, from.key) })));
  }

  async delete(keys: readonly string[]): Promise<void> {
    const aside = await this.#find(keys);
    const errors = await tryEach(aside, async ({ finished }) => {
      await unlessMissing(() => this.#files.unlink(finished));
    });
    const folders = new Set(aside.map(({ folder }) => folder));
    const unsettled = await settleFolders(this.#files, this.#sounds, folders);
    throwAny([...errors, ...unsettled], "Some quarantined sounds could not be deleted.");
  }

  async *list(only?: string): AsyncIterable<QuarantinedSound> {
    for (const time of await this.#times()) {
      const root = join(this.#root, time);
      for (const packageId of only === undefined ? await this.#names(root) : [only]) {
        for (const name of await this.#names(join(root, packageId))) {
          const key = keyOfFinished(packageId, name);
          const stat = await unlessMissing(() => this.#files.stat(join(root, packageId, name)));
          if (key === undefined || !stat?.isFile()) continue;
          yield { key, bytes: stat.size, since: Number(time) };
        }
      }
    }
  }

  /** Removes empty folders, including the quarantine's own. */
  async tidy(): Promise<void> {
    const folders = new Set<string>();
    for (const time of await this.#times()) {
      const root = join(this.#root, time);
      folders.add(root);
      for (const packageId of await this.#names(root)) folders.add(join(root, packageId));
    }
    if (folders.size === 0) return;
    const errors = await settleFolders(this.#files, this.#sounds, folders);
    throwAny(errors, "Some folders of the quarantine could not be removed.");
  }

  /** Moves files. The new names are durable before the old ones are removed for good, so no power cut loses a sound. */
  async #move(moves: readonly Move[]): Promise<void> {
    const moved: Move[] = [];
    const failures = await tryEach(moves, async (move) => {
      if (await moveFile(this.#files, move.from.finished, move.to.finished)) moved.push(move);
    });
    const settle = (end: keyof Move) => {
      const folders = new Set(moved.map((move) => move[end].folder));
      return settleFolders(this.#files, this.#sounds, folders);
    };
    const errors = [...failures, ...(await settle("to"))];
    if (errors.length === 0) errors.push(...(await settle("from")));
    throwAny(errors, "Some sounds could not be moved.");
  }

  /** Returns the paths at which these sounds may be. */
  async #find(keys: readonly string[]): Promise<readonly SoundPath[]> {
    const found: SoundPath[] = [];
    for (const time of await this.#times()) {
      const root = join(this.#root, time);
      const packageIds = new Set(await this.#names(root));
      const paths = keys.map((key) => soundPath(root, key));
      found.push(...paths.filter(({ key }) => packageIds.has(packageOfKey(key))));
    }
    return found;
  }

  /** Returns the times at which sounds were quarantined, oldest first. */
  async #times(): Promise<readonly string[]> {
    const times = (await this.#names(this.#root)).filter((name) => TIME.test(name));
    return times.toSorted((one, other) => Number(one) - Number(other));
  }

  /** Lists a folder, which others may remove meanwhile, or which may be a file of the operating system. */
  async #names(folder: string): Promise<readonly string[]> {
    let names: readonly string[] = [];
    await unless(["ENOENT", "ENOTDIR"], async () => {
      names = await this.#files.readdir(folder);
    });
    return names;
  }
}

interface Move {
  readonly from: SoundPath;
  readonly to: SoundPath;
}
