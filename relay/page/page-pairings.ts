import { localAppId } from "../../client/local-app-id.ts";
import { LocalStoragePairings } from "../../client/local-storage-pairings.ts";
import { MemoryPairings, Pairings } from "../../client/pairings.ts";
import { randomId } from "../../client/random-id.ts";
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
    const app = { name: APP_NAME, id: randomId() };
    return new Pairings(new MemoryPairings(), { app, clientName });
  }
}
