import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseRelayUrl } from "../relay-url.ts";
import type { TokenStore } from "../token-store.ts";

/** Keeps the tokens of several relays in one JSON file that only its owner may read (0600). */
export class FileTokenStore implements TokenStore {
  readonly #file: string;
  readonly #relayUrl: string;

  /** The token kept under this relay's base address. The file and its folder are made when needed. */
  constructor(file: string, relayUrl: string) {
    this.#file = file;
    this.#relayUrl = parseRelayUrl(relayUrl);
  }

  async load(): Promise<string | undefined> {
    return (await this.#read()).get(this.#relayUrl);
  }

  async save(token: string): Promise<void> {
    const tokens = await this.#read();
    await this.#write(tokens.set(this.#relayUrl, token));
  }

  async forget(token: string): Promise<void> {
    const tokens = await this.#read();
    if (tokens.get(this.#relayUrl) !== token) return;
    tokens.delete(this.#relayUrl);
    await this.#write(tokens);
  }

  async #read(): Promise<Map<string, string>> {
    const text = await readFile(this.#file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "{}";
      throw error;
    });
    try {
      const tokens: Readonly<Record<string, unknown>> = JSON.parse(text);
      return new Map(Object.entries(tokens).map(([relayUrl, token]) => [relayUrl, String(token)]));
    } catch (cause) {
      throw new Error(`${this.#file} is damaged. Delete it and pair again.`, { cause });
    }
  }

  async #write(tokens: ReadonlyMap<string, string>): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const partial = `${this.#file}.${process.pid}.part`;
    await writeFile(partial, `${JSON.stringify(Object.fromEntries(tokens), null, 2)}\n`, {
      mode: 0o600,
    });
    await rename(partial, this.#file);
  }
}
