import { createHash } from "node:crypto";
import { type Answer, ANSWERED, type Call, type Route } from "../call.ts";
import { docsPage } from "../contract/docs-page/docs-page.ts";
import { DOCS_STYLE } from "../contract/docs-page/docs-style.ts";
import { VIEWER_PAGE, VIEWER_POLICY } from "../contract/docs-viewer/viewer-page.ts";
import { llmsText } from "../contract/llms-text.ts";
import { buildDocument } from "../contract/openapi/build-document.ts";
import type { DescribedRoute } from "../contract/openapi/operation.ts";
import { socket } from "../contract/openapi/importer-operations.ts";
import { onceMade, prepareText, sendText } from "../served-text.ts";
import { SOCKET_PATH } from "../socket.ts";

// Serves the relay's own contract. It is built from the routes on the first request.

type Routes = () => readonly Route[];

/** The socket upgrade is not one of the routes. */
const SOCKET: DescribedRoute = {
  auth: "socket",
  method: "GET",
  path: SOCKET_PATH,
  operation: socket,
};

/** The contract of the relay that serves these routes. */
export function contractOf(routes: readonly Route[]) {
  return buildDocument([...routes, SOCKET]);
}

/** Answers `/openapi.json`, compressed where that is asked for (rule O1). */
export function serveDocument(routes: Routes): (call: Call) => Promise<typeof ANSWERED> {
  const document = onceMade(() => prepareText(JSON.stringify(contractOf(routes())), JSON_HEADERS));
  return async ({ request, reply }) => {
    sendText(request, reply, await document());
    return ANSWERED;
  };
}

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

/** Answers `/docs`: the viewer (rule O7), or the page without script in a relay that has no viewer. */
export function serveDocs(routes: Routes): (call: Call) => Promise<Answer> {
  const plain = once(() => docsPage(contractOf(routes()), { root: "" }));
  return async ({ pages: { hasViewer } }) =>
    hasViewer ? page(VIEWER_PAGE, VIEWER_POLICY) : page(plain(), PLAIN_POLICY);
}

/** Answers `/docs/plain`: one page that loads nothing, with a policy that forbids loading anything (rule O5). */
export function servePlainDocs(routes: Routes): () => Promise<Answer> {
  const html = once(() => docsPage(contractOf(routes()), { root: "../" }));
  return async () => page(html(), PLAIN_POLICY);
}

/** Answers `/llms.txt` (rule O8). */
export function serveLlmsText(routes: Routes): (call: Call) => Promise<Answer> {
  const withPages = once(() => llmsText(contractOf(routes()), { hasPages: true }));
  const without = once(() => llmsText(contractOf(routes()), { hasPages: false }));
  return async ({ pages: { hasClient } }) => ({
    status: 200,
    text: hasClient ? withPages() : without(),
    contentType: "text/plain; charset=utf-8",
  });
}

const STYLE_HASH = createHash("sha256").update(DOCS_STYLE).digest("base64");
const PLAIN_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function page(html: string, policy: string): Answer {
  return {
    status: 200,
    text: html,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
