import type { IncomingMessage } from "node:http";

/** A target that is normalized already, as nearly all are. */
const NORMAL = /^(?:\/|(?:\/[\w.~-]+)+)(?:\?[^#]*)?$/;
/** The scheme and host of a target in absolute form (RFC 9112 §3.2.2). */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;
/** Encoded characters that mean the same when they are plain (RFC 3986 §2.3). A slash is none of them. */
const NEEDLESSLY_ENCODED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/**
 * Gives a request the one spelling of its address that guards, limits, routes and the log know (rule E5), and its host
 * by the target in absolute form. Call it before all of them; a second call changes nothing. Returns the address.
 */
export function normalizeTarget(request: IncomingMessage): string {
  const { url = "" } = request;
  if (NORMAL.test(url)) return url;
  const [origin = "", host] = ORIGIN.exec(url) ?? [];
  if (host !== undefined) request.headers.host = host;
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(url.slice(origin.length)) ?? [];
  return (request.url = normalizedPath(path) + query);
}

function normalizedPath(path: string): string {
  return (
    path
      // First, so that what is decoded can't complete another escape.
      .replaceAll(/%(?![\da-f]{2})/gi, "%25")
      .replaceAll(NEEDLESSLY_ENCODED, decodeURIComponent)
      .replaceAll(/\/{2,}/g, "/")
      .replace(/(?<=.)\/$/, "") || "/"
  );
}
