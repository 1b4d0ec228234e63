import { ClientError } from "./client-error.ts";

/**
 * Reads a relay's base address; gives the one spelling of it, without a slash at its end.
 * @throws {ClientError} when it is not http or https
 */
export function parseRelayUrl(text: string): string {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ClientError(`A relay's address begins with http:// or https://; "${text}" does not.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** undefined where it is none. `URL.canParse` is younger than some browsers that the client runs in. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
