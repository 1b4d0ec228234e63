import type { FastifyReply, FastifyRequest } from "fastify";
import { type RelayOperator, withOperator } from "../../core/messages/operator-strip.ts";
import { contentPolicyFor, STRETCH_PATH } from "../../core/protocol/content-policy.ts";
import { RECEIVE_WORKER_PATH, RECEIVE_WORKER_POLICY } from "../../core/protocol/receive-worker.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import { readStretchModule } from "../../program/stretch-module.ts";
import type { ReceivePage } from "./pages.ts";
import { digestOf, onceMade, prepareText, sendText, type ServedText } from "./served-text.ts";

/** The caching of files with the version in their name, which never change: a year. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Answers a call for the page, or for one of its scripts. */
type SendReceive = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves the page that makes a browser a computer (rule RC20). */
export function serveReceive({ page, worker }: ReceivePage, operator: RelayOperator): SendReceive {
  const workerScript = scriptOf(worker, {
    "cache-control": IMMUTABLE,
    "content-security-policy": RECEIVE_WORKER_POLICY,
  });
  const stretch = scriptOf(async () => new TextDecoder().decode(await readStretchModule()), {
    // Every loop that is rendered loads it again.
    "cache-control": "private, max-age=3600",
  });
  const html = htmlOf(async () => withOperator(await page(), operator));
  return async (request, reply) => {
    const [path] = request.url.split("?", 1);
    if (path === STRETCH_PATH) return sendText(request, reply, await stretch());
    if (path === RECEIVE_WORKER_PATH) return sendText(request, reply, await workerScript());
    if (path !== "/receive") throw refusal("PATH_UNKNOWN");
    return sendText(request, reply, await html(request));
  };
}

/** A script for pages of its own origin. */
function scriptOf(
  load: () => Promise<string>,
  headers: Readonly<Record<string, string>>,
): () => Promise<ServedText> {
  return onceMade(async () =>
    prepareText(await load(), {
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      ...headers,
    }),
  );
}

/** The page. Its policy names the stretching module by its exact address, which has the host that was called. */
function htmlOf(
  load: () => Promise<string>,
): (request: Pick<FastifyRequest, "host" | "protocol">) => Promise<ServedText> {
  const made = onceMade(async () => {
    const html = await load();
    const served = await prepareText(html, {
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    const policy = contentPolicyFor(html, (text) => digestOf(text, "base64"), {
      workletUrl: STRETCH_PATH,
      hasWorkers: true,
    });
    return { served, policy };
  });
  return async ({ host, protocol }) => {
    const { served, policy: anywhere } = await made();
    // A host with other characters could end the policy's source.
    const isPlain = /^[\w.:[\]-]+$/.test(host);
    const address = isPlain ? `${protocol}://${host}${STRETCH_PATH}` : "";
    const policy = anywhere.replace(STRETCH_PATH, address);
    return { ...served, headers: { ...served.headers, "content-security-policy": policy } };
  };
}
