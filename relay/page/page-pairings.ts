import { localAppId } from "../../client/local-app-id.ts";
import { LocalStoragePairings } from "../../client/local-storage-pairings.ts";
import { MemoryPairings, Pairings } from "../../client/pairings.ts";
import { randomId } from "../../client/random-id.ts";
import { VERSION } from "../../core/version.ts";

/** The app name that the computers show. */
const APP_NAME = "Soundferry page";

/** The page's pairings. Where the browser stores nothing, they last until the page is closed. */
export function openPairings(): Pairings {
  const clientName = `soundferry-page/${VERSION} (${APP_NAME})`;
  try {
    const app = { name: APP_NAME, id: localAppId() };
    return new Pairings(new LocalStoragePairings(), { app, clientName });
  } catch {
    const app = { name: APP_NAME, id: randomId() };
    return new Pairings(new MemoryPairings(), { app, clientName });
  }
}
