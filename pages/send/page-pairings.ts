import { localAppId, LocalStoragePairings } from "../../client/pairing/local-storage.ts";
import { MemoryPairings, Pairings } from "../../client/pairing/pairings.ts";
import { randomId } from "../../client/wire/random-id.ts";
import { PAGE_APP, pageAppName } from "../../core/protocol/page-app.ts";
import { VERSION } from "../../core/version.ts";
import { describeBrowser } from "./pairing/describe-browser.ts";

/** The page's pairings. Where the browser stores nothing, they last until the page is closed. */
export function openPairings(): Pairings {
  const clientName = `soundferry-page/${VERSION} (${PAGE_APP})`;
  const name = pageAppName(describeBrowser(navigator));
  try {
    const app = { name, id: localAppId() };
    return new Pairings(new LocalStoragePairings(), { app, clientName });
  } catch {
    const app = { name, id: randomId() };
    return new Pairings(new MemoryPairings(), { app, clientName });
  }
}
