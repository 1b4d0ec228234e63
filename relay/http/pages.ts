import type { FastifyInstance } from "fastify";
import { contentPolicyFor } from "../../core/protocol/content-policy.ts";
import { addClientFiles, type ClientFiles } from "./client-files.ts";
import { addDocsViewer, type ViewerFiles } from "./docs-viewer.ts";
import { addReadOnly, digestOf, onceMade, prepareText, sendText } from "./served-text.ts";

/** The relay's pages. Each is loaded once, on the first visit. */
export interface RelayPages {
  /** The page at `/`, as HTML. */
  readonly home: () => Promise<string>;
  /** What pages of other origins import, such as `client.js`. */
  readonly clientFiles?: () => Promise<ClientFiles>;
  /** The viewer of `/docs`; without it, that is the page without script. */
  readonly docsViewer?: () => Promise<ViewerFiles>;
}

/** Serves the page and the client to everyone (rule G1). */
export function addPages(
  app: FastifyInstance,
  { home, clientFiles, docsViewer }: RelayPages,
): void {
  const page = onceMade(async () => {
    const html = await home();
    return prepareText(html, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentPolicyFor(html, (text) => digestOf(text, "base64")),
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    });
  });
  addReadOnly(app, "/", async (request, reply) => sendText(request, reply, await page()));
  addClientFiles(app, clientFiles ?? (async () => new Map()));
  if (docsViewer !== undefined) addDocsViewer(app, docsViewer);
}
