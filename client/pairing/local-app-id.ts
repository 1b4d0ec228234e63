import { withLocalStorage } from "../browser/local-storage.ts";
import { randomId } from "../wire/random-id.ts";

/**
 * An `id` for `app` in a browser: created on first use and stored in `localStorage`.
 * @throws {ClientError} `STORAGE_FORBIDDEN`
 */
export function localAppId(key = "soundferry.app-id"): string {
  return withLocalStorage((storage) => {
    const appId = storage.getItem(key) ?? randomId();
    storage.setItem(key, appId);
    return appId;
  });
}
