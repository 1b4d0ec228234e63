import { createHash } from "node:crypto";
import { contentPolicyFor } from "../../core/page/content-policy.ts";
import { beginAnswer } from "./control-answer.ts";
import { type ControlCall } from "./control-call.ts";

/** Answers with a page that can load from and call only its own server (rule N1). */
export function answerPage(call: ControlCall, html: string): void {
  beginAnswer(call, 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicyFor(html, sha256Base64),
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  call.response.end(html);
}

function sha256Base64(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
