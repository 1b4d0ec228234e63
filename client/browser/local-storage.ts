import { ClientError } from "../wire/client-error.ts";

/** The part of a browser's `localStorage` used here. */
export type LocalStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Calls `act` with this page's `localStorage`. Every script of the page's origin can read what it stores.
 * @throws {ClientError} `STORAGE_FORBIDDEN` if the browser stores nothing for this page
 */
export function withLocalStorage<Result>(act: (storage: LocalStorage) => Result): Result {
  try {
    return act(localStorage);
  } catch (cause) {
    const sentence =
      "This browser doesn't store data for this page. Allow it in the browser's settings.";
    throw new ClientError(sentence, { code: "STORAGE_FORBIDDEN", cause });
  }
}
