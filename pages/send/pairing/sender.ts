import { LocalStoragePairings, localAppId } from "../../../client/pairing/local-storage.ts";
import { MemoryPairings, Pairings } from "../../../client/pairing/pairings.ts";
import { randomId } from "../../../client/wire/random-id.ts";
import { VERSION } from "../../../core/version.ts";
import { readStored, storeSetting } from "../../kit/stored-setting.ts";
import { describeBrowser } from "../../kit/describe-browser.ts";

const KEY = "soundferry.sender";
const PAGE = "Soundferry page";

/** Returns the name under which this browser pairs and sends: the typed one, otherwise browser and system. */
export function readSender(): string {
  return readStored(KEY) ?? defaultSender();
}

/** Stores a typed name if the browser allows it; an empty one is the default again. */
export function storeSender(name: string): void {
  storeSetting(KEY, name.trim() === "" ? null : name);
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
