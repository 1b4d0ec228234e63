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

/**
 * Returns a function that opens the page's pairings under a sender's name. Where the browser stores nothing, they last
 * until the page is closed.
 */
export function pairingsOfPage(): (sender: string) => Pairings {
  const clientName = `soundferry-page/${VERSION} (${PAGE})`;
  const { store, id } = openStore();
  return (sender) => {
    const name = sender.trim() === "" ? defaultSender() : sender;
    return new Pairings(store, { app: { name, id }, clientName });
  };
}

function openStore() {
  try {
    const id = localAppId();
    return { store: new LocalStoragePairings(), id };
  } catch {
    return { store: new MemoryPairings(), id: randomId() };
  }
}
