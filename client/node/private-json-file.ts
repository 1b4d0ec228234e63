import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A JSON object or list in a file that only its owner may read (0600). Creates the folder when needed. */
export class PrivateJsonFile {
  readonly #file: string;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * undefined if there is no file yet.
   * @throws {Error} with a sentence if it is damaged
   */
  async read(): Promise<object | undefined> {
    const text = await readFile(this.#file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return text === undefined ? undefined : this.#parse(text);
  }

  /** Replaces the value with what `change` returns, after earlier updates; undefined leaves it unchanged. */
  async update(change: (stored: object | undefined) => object | undefined): Promise<void> {
    const write = this.#lastWrite.then(async () => {
      const changed = change(await this.read());
      if (changed !== undefined) await this.#replace(changed);
    });
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  #parse(text: string): object {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null) return value;
      throw new TypeError("neither an object nor a list");
    } catch (cause) {
      throw new Error(`${this.#file} is damaged. Delete it and pair again.`, { cause });
    }
  }

  async #replace(value: unknown): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const partial = `${this.#file}.${randomUUID()}.part`;
    await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await rename(partial, this.#file);
  }
}
