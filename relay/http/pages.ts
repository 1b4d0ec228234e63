import type { FastifyInstance } from "fastify";
import { contentPolicyFor } from "../../core/page/content-policy.ts";
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
  /** @deprecated Use `clientFiles`. The client at `/client.js`, one ES module. */
  readonly clientScript?: () => Promise<string>;
}

/** Serves the page and the client to everyone (rule G1). */
export function addPages(app: FastifyInstance, pages: RelayPages): void {
  const { home } = pages;
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
  addClientFiles(app, clientFilesOf(pages));
  if (pages.docsViewer !== undefined) addDocsViewer(app, pages.docsViewer);
}

function clientFilesOf({ clientFiles, clientScript }: RelayPages): () => Promise<ClientFiles> {
  if (clientFiles !== undefined) return clientFiles;
  if (clientScript === undefined) return async () => new Map();
  return async () => new Map([["client.js", await clientScript()]]);
}
