/** Inline scripts and styles. */
const INLINE = /<(script|style)\b[^>]*>(.*?)<\/\1>/gs;

/**
 * Content-Security-Policy of a single-file page: allows only its inline scripts and styles, by digest,
 * and requests to its own server.
 * @param sha256Base64 returns the SHA-256 of the text's UTF-8 bytes, in Base64
 */
export function contentPolicyFor(html: string, sha256Base64: (text: string) => string): string {
  const digests = (tag: string) =>
    [...html.matchAll(INLINE)]
      .filter(([, element]) => element === tag)
      .map(([, , text = ""]) => `'sha256-${sha256Base64(text)}'`);
  return [
    "default-src 'none'",
    ["script-src", ...digests("script")].join(" "),
    ["style-src", ...digests("style")].join(" "),
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
