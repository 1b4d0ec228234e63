import { ClientError } from "./client-error.ts";

/** What is used of a browser's `localStorage`. */
export type LocalStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Acts on this page's `localStorage`; what it keeps, every script of the page's origin can read.
 * @throws {ClientError} `STORAGE_FORBIDDEN` where the browser keeps nothing for this page
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
