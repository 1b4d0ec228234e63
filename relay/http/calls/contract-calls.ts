import { createHash } from "node:crypto";
import type { Answer, Route } from "../call.ts";
import { docsPage } from "../contract/docs-page/docs-page.ts";
import { DOCS_STYLE } from "../contract/docs-page/docs-style.ts";
import { buildDocument } from "../contract/openapi/build-document.ts";
import type { DescribedRoute } from "../contract/openapi/operation.ts";
import { socket } from "../contract/openapi/importer-operations.ts";
import { SOCKET_PATH } from "../socket.ts";

// The contract, served by the relay that keeps it: made from the list of routes when it is first asked for.

type Routes = () => readonly Route[];

/** The socket is upgraded beside the list of routes. */
const SOCKET: DescribedRoute = {
  door: "socket",
  method: "GET",
  path: SOCKET_PATH,
  operation: socket,
};

/** The document for these routes and the socket. */
function contractOf(routes: readonly Route[]) {
  return buildDocument([...routes, SOCKET]);
}

/** Answers `/openapi.json`. */
export function serveDocument(routes: Routes): () => Promise<Answer> {
  const json = once(() => JSON.stringify(contractOf(routes())));
  return async () => ({ status: 200, json: json() });
}

/** Answers `/docs`: one page that loads nothing, under a policy that lets it load nothing. */
export function serveDocs(routes: Routes): () => Promise<Answer> {
  const html = once(() => docsPage(contractOf(routes())));
  return async () => ({
    status: 200,
    text: html(),
    contentType: "text/html; charset=utf-8",
    headers: DOCS_HEADERS,
  });
}

const STYLE_HASH = createHash("sha256").update(DOCS_STYLE).digest("base64");
const DOCS_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
