import { LocalStoragePairings, localAppId } from "../../../client/pairing/local-storage.ts";
import { MemoryPairings, Pairings } from "../../../client/pairing/pairings.ts";
import { randomId } from "../../../client/wire/random-id.ts";
import { VERSION } from "../../../core/version.ts";
import { describeBrowser } from "./describe-browser.ts";

const KEY = "soundferry.sender";
const PAGE = "Soundferry page";

/** Returns the name under which this browser pairs and sends: the typed one, otherwise browser and system. */
export function readSender(): string {
  try {
    return localStorage.getItem(KEY) ?? defaultSender();
  } catch {
    // A browser that stores nothing has the name of its kind.
    return defaultSender();
  }
}

/** Stores a typed name if the browser allows it; an empty one is the default again. */
export function storeSender(name: string): void {
  try {
    if (name.trim() === "") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, name);
  } catch {
    // The name lasts until the page is closed.
  }
}

/** Names the browser and its system, such as `Chrome on macOS`. */
export function defaultSender(): string {
  return describeBrowser(navigator) ?? PAGE;
}

/** Opens the page's pairings. Where the browser stores nothing, they last until the page is closed. */
export function openPairings() {
  const settings = { clientName: `soundferry-page/${VERSION} (${PAGE})` };
  try {
    const id = localAppId();
    return { id, pairings: new Pairings(new LocalStoragePairings(), settings) };
  } catch {
    return { id: randomId(), pairings: new Pairings(new MemoryPairings(), settings) };
  }
}
