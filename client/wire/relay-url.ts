import { ClientError } from "./client-error.ts";

/**
 * Normalizes a relay's base address; the result has no trailing slash.
 * @throws {ClientError} if it is not http or https
 */
export function parseRelayUrl(text: string): string {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ClientError(`A relay's address begins with http:// or https://; "${text}" does not.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** undefined if it is not a URL. Some supported browsers lack `URL.canParse`. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
