import { createHash } from "node:crypto";
import { beginAnswer } from "./control-answer.ts";
import { type ControlCall } from "./control-call.ts";

/** Scripts and styles that stand in the page itself. */
const INLINE = /<(script|style)\b[^>]*>(.*?)<\/\1>/gs;

/** Answers with the panel's page, which may load and call nothing but its own server (rule N1). */
export function answerPage(call: ControlCall, html: string): void {
  beginAnswer(call, 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicyFor(html),
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  call.response.end(html);
}

/** Only what stands in the page as it is served may run there. */
export function contentPolicyFor(html: string): string {
  const digests = (wanted: string) =>
    [...html.matchAll(INLINE)]
      .filter(([, element]) => element === wanted)
      .map(([, , text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
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
