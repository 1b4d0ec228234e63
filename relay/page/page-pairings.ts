import { localAppId } from "../../client/local-app-id.ts";
import { LocalStoragePairings } from "../../client/local-storage-pairings.ts";
import { type Pairing, Pairings, type PairingStore } from "../../client/pairings.ts";
import { VERSION } from "../../core/version.ts";

/** What the computers show as the app that is paired. */
const APP_NAME = "Soundferry page";

/** The page's pairings: kept by the browser, or as long as the page is open where it keeps nothing. */
export function openPairings(): Pairings {
  const clientName = `soundferry-page/${VERSION} (${APP_NAME})`;
  try {
    const app = { name: APP_NAME, id: localAppId() };
    return new Pairings(new LocalStoragePairings(), { app, clientName });
  } catch {
    const id = Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-");
    return new Pairings(new MemoryPairings(), { app: { name: APP_NAME, id }, clientName });
  }
}

class MemoryPairings implements PairingStore {
  #kept: readonly Pairing[] = [];

  async load(): Promise<readonly Pairing[]> {
    return this.#kept;
  }

  async update(change: (kept: readonly Pairing[]) => readonly Pairing[]): Promise<void> {
    this.#kept = change(this.#kept);
  }
}
