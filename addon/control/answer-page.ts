import { createHash } from "node:crypto";
import { contentPolicyFor, STRETCH_PATH } from "../../core/protocol/content-policy.ts";
import { beginAnswer } from "./control-answer.ts";
import { type ControlCall } from "./control-call.ts";

export interface PageOptions {
  /** It may load the stretching module from its server (rule N10); false by default. */
  readonly canStretch?: boolean;
}

/** Answers with a page that can load from and call only its own server (rule N1). */
export function answerPage(
  call: ControlCall,
  html: string,
  { canStretch = false }: PageOptions = {},
): void {
  // Its own name, which was checked.
  const workletUrl = `http://${call.request.headers.host ?? ""}${STRETCH_PATH}`;
  beginAnswer(call, 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicyFor(
      html,
      sha256Base64,
      canStretch ? { workletUrl } : {},
    ),
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
