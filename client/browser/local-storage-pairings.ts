import { withLocalStorage } from "./local-storage.ts";
import type { Pairing, PairingStore } from "../pairing/pairings.ts";
import { readPairings } from "../pairing/read-pairings.ts";

/** Stores pairings in a browser's `localStorage`, for all pages of one origin. */
export class LocalStoragePairings implements PairingStore {
  readonly #key: string;

  constructor(key = "soundferry.pairings") {
    this.#key = key;
  }

  async load(): Promise<readonly Pairing[]> {
    return withLocalStorage((storage) => parsePairings(storage.getItem(this.#key)));
  }

  async update(change: (stored: readonly Pairing[]) => readonly Pairing[]): Promise<void> {
    withLocalStorage((storage) => {
      const stored = parsePairings(storage.getItem(this.#key));
      storage.setItem(this.#key, JSON.stringify(change(stored)));
    });
  }
}

/** Damaged text counts as no pairings: the user pairs again. */
function parsePairings(text: string | null): readonly Pairing[] {
  try {
    return readPairings(JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}
