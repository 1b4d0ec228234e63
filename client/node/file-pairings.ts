import type { Pairing, PairingStore } from "../pairing/pairings.ts";
import { readPairings } from "../pairing/read-pairings.ts";
import { PrivateJsonFile } from "./private-json-file.ts";

/** Stores pairings in a JSON file that only its owner may read (0600). */
export class FilePairings implements PairingStore {
  readonly #file: PrivateJsonFile;

  /** Creates the file and its folder when needed. */
  constructor(file: string) {
    this.#file = new PrivateJsonFile(file);
  }

  async load(): Promise<readonly Pairing[]> {
    return readPairings(await this.#file.read());
  }

  async update(change: (stored: readonly Pairing[]) => readonly Pairing[]): Promise<void> {
    await this.#file.update((stored) => change(readPairings(stored)));
  }
}
