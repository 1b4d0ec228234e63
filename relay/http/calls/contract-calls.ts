import { operatorText } from "../../../core/messages/operator-strip.ts";
import { type Answer, ANSWERED, type Call, type Route } from "../call.ts";
import { DOCS_STYLE, docsPage } from "../contract/docs-page/docs-page.ts";
import { llmsText } from "../contract/llms-text.ts";
import type { ContractDocument } from "../contract/openapi/document.ts";
import { buildDocument } from "../contract/openapi/build-document.ts";
import { socket } from "../contract/openapi/importer-operations.ts";
import type { DescribedRoute } from "../contract/openapi/operation.ts";
import { digestOf, onceMade, prepareText, sendText, type ServedText } from "../served-text.ts";
import { SOCKET_PATH } from "../socket.ts";

/** The socket upgrade, which is not one of the routes. */
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

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

/** The calls that serve the relay's own contract. Each text is made on its first request. */
export function contractCalls(routes: () => readonly Route[]) {
  // Relays in one process may have several operators.
  const documents = new Map<string | undefined, () => Promise<ServedText>>();
  const documentOf = (contact: string | undefined) => {
    const made = documents.get(contact) ?? onceMade(() => documentWith(contact));
    documents.set(contact, made);
    return made();
  };
  const documentWith = (contact: string | undefined) =>
    prepareText(JSON.stringify(withContact(contractOf(routes()), contact)), JSON_HEADERS);
  const docs = onceMade(async () => page(docsPage(contractOf(routes()))));
  const llmsOf = (hasPages: boolean) =>
    onceMade(async () => llmsText(contractOf(routes()), { hasPages }));
  const [llmsWithPages, llmsWithout] = [llmsOf(true), llmsOf(false)];
  return {
    /** Answers `/openapi.json`, compressed where that is asked for (rule O1). */
    openapi: async ({ request, reply, operator }: Call): Promise<typeof ANSWERED> => {
      sendText(request, reply, await documentOf(operator.contact));
      return ANSWERED;
    },
    /** Answers `/docs`: one page that loads nothing, with a policy that forbids loading anything (rule O5). */
    docs,
    /** Answers `/llms.txt` (rule O8). */
    llms: async ({ hasPages, operator }: Call): Promise<Answer> => ({
      status: 200,
      text: (await (hasPages ? llmsWithPages() : llmsWithout())) + operatorText(operator),
      contentType: "text/plain; charset=utf-8",
    }),
  };
}

function withContact(document: ContractDocument, href: string | undefined): ContractDocument {
  if (href === undefined) return document;
  const [, email] = /^mailto:(.+)$/.exec(href) ?? [];
  const contact = email === undefined ? { url: href } : { email };
  return { ...document, info: { ...document.info, contact } };
}

const STYLE_HASH = digestOf(DOCS_STYLE, "base64");
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function page(html: string): Answer {
  return {
    status: 200,
    text: html,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  };
}
