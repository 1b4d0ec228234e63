/** Inline scripts and styles. */
const INLINE = /<(script|style)\b[^>]*>(.*?)<\/\1>/gs;

export interface ContentPolicyOptions {
  /** The exact address of a worklet's script, which may compile WebAssembly; none by default. */
  readonly workletUrl?: string;
  /** True for a page that starts Workers from scripts of its own server. */
  readonly hasWorkers?: boolean;
  /** True for a page with a manifest and icons, which can be installed. */
  readonly isApp?: boolean;
}

/**
 * Builds the Content-Security-Policy of a single-file page, which allows only its inline scripts and styles, by digest,
 * and requests to its own server.
 * @param sha256Base64 returns the SHA-256 of the text's UTF-8 bytes, in Base64
 */
export function contentPolicyFor(
  html: string,
  sha256Base64: (text: string) => string,
  { workletUrl, hasWorkers = false, isApp = false }: ContentPolicyOptions = {},
): string {
  const worklet = workletUrl === undefined ? [] : ["'wasm-unsafe-eval'", workletUrl];
  const digests = (tag: string) =>
    [...html.matchAll(INLINE)]
      .filter(([, element]) => element === tag)
      .map(([, , text = ""]) => `'sha256-${sha256Base64(text)}'`);
  return [
    "default-src 'none'",
    ["script-src", ...digests("script"), ...worklet].join(" "),
    ["style-src", ...digests("style")].join(" "),
    ...(hasWorkers ? ["worker-src 'self'"] : []),
    "connect-src 'self'",
    ...(isApp ? ["manifest-src 'self'", "img-src 'self' data:"] : ["img-src data:"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of answers that are no pages, for anyone who opens one in a browser. */
export const NOTHING_LOADS = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Path of the stretching module on the servers of panel and preview; the only script besides the page's (rule N10). */
export const STRETCH_PATH = "/stretch.js";
