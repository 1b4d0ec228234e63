/** Scripts and styles that stand in the page itself. */
const INLINE = /<(script|style)\b[^>]*>(.*?)<\/\1>/gs;

/**
 * The content policy of a page that is one file: only what stands in it as it is served may run there, and
 * it may call nothing but its own server.
 * @param sha256Base64 SHA-256 of a text's UTF-8 bytes, in Base64
 */
export function contentPolicyFor(html: string, sha256Base64: (text: string) => string): string {
  const digests = (wanted: string) =>
    [...html.matchAll(INLINE)]
      .filter(([, element]) => element === wanted)
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
