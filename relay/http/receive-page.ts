import type { FastifyInstance, FastifyRequest } from "fastify";
import { type RelayOperator, withOperator } from "../../core/messages/operator-strip.ts";
import { contentPolicyFor, STRETCH_PATH } from "../../core/protocol/content-policy.ts";
import { RECEIVE_PATH } from "../../core/protocol/receive-path.ts";
import { RECEIVE_WORKER_PATH, RECEIVE_WORKER_POLICY } from "../../core/protocol/receive-worker.ts";
import { readStretchModule } from "../../program/stretch-module.ts";
import { addReadOnly, digestOf, onceMade, prepareText, sendText } from "./served-text.ts";

/** The page at `/receive` and its script. Each is loaded once, on the first visit. */
export interface ReceivePage {
  /** The page, as HTML. */
  readonly page: () => Promise<string>;
  /** The script of its Workers. */
  readonly worker: () => Promise<string>;
}

/** The caching of files with the version in their name, which never change: a year. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Serves the page that makes a browser a computer (rule RC20). */
export function addReceivePage(
  app: FastifyInstance,
  { page, worker }: ReceivePage,
  operator: RelayOperator,
): void {
  const html = onceMade(async () => withOperator(await page(), operator));
  const served = onceMade(async () =>
    prepareText(await html(), {
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    }),
  );
  addReadOnly(app, RECEIVE_PATH, async (request, reply) => {
    const { headers, ...text } = await served();
    const policy = { "content-security-policy": policyOf(await html(), request) };
    return sendText(request, reply, { ...text, headers: { ...headers, ...policy } });
  });
  addScript(app, RECEIVE_WORKER_PATH, worker, {
    "cache-control": IMMUTABLE,
    "content-security-policy": RECEIVE_WORKER_POLICY,
  });
  addScript(app, STRETCH_PATH, async () => new TextDecoder().decode(await readStretchModule()), {
    // Every loop that is rendered loads it again.
    "cache-control": "private, max-age=3600",
  });
}

/** The policy names the stretching module by its exact address, which has the host that was called. */
function policyOf(html: string, { host, protocol }: FastifyRequest): string {
  // A host with other characters could end the policy's source.
  const isPlain = /^[\w.:[\]-]+$/.test(host);
  return contentPolicyFor(html, (text) => digestOf(text, "base64"), {
    ...(isPlain && { workletUrl: `${protocol}://${host}${STRETCH_PATH}` }),
    hasWorkers: true,
  });
}

/** Serves a script that no page of another origin loads. */
function addScript(
  app: FastifyInstance,
  path: string,
  load: () => Promise<string>,
  headers: Readonly<Record<string, string>>,
): void {
  const script = onceMade(async () =>
    prepareText(await load(), {
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      ...headers,
    }),
  );
  addReadOnly(app, path, async (request, reply) => sendText(request, reply, await script()));
}
