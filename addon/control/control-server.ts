import { createHash, timingSafeEqual } from "node:crypto";
import type {
  IncomingMessage,
  Server,
  ServerResponse,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from "node:http";
import { MAX_HEADER_BYTES } from "../../core/limits.ts";
import { withoutPaths } from "../../core/text/sentence-of.ts";
import { nodeHttp } from "../../program/node-http.ts";
import { answerJson, beginAnswer, errorBody } from "./control-answer.ts";
import { type ControlCall, ControlError, type Route } from "./control-call.ts";
import { answerMalformed } from "./answer-malformed.ts";
import { QuestionGoneError } from "../relay/relay-errors.ts";
import { RunRefusal } from "../../core/importer/import-errors.ts";

/** A listening control server. */
export interface ControlServer {
  readonly port: number;
  /** Resolves when no call is active. */
  idle(): Promise<void>;
  /** Accepts no more calls; resolves when the active ones are answered. */
  close(): Promise<void>;
}

export interface ControlServerOptions {
  /** Port to listen on; 0 picks a free one. */
  readonly port: number;
  /** True to fall back to a free port when `port` is in use. */
  readonly orAnyPort?: boolean;
  /** Sentence on how to choose another port; names `SOUNDFERRY_PANEL_PORT` by default. */
  readonly portAdvice?: string;
  readonly secret: string;
}

const PANEL_PORT_ADVICE = "Set SOUNDFERRY_PANEL_PORT to another one, or to 0.";

/**
 * Serves routes on 127.0.0.1 to the same user's programs (rule R3) and to pages with the secret (rule
 * N1). Closing the server breaks off answers that are still being written after `handle` has resolved.
 * @throws {ControlError} when it can't listen on the port
 */
export async function serveControl(
  routes: readonly Route[],
  options: ControlServerOptions,
): Promise<ControlServer> {
  const { secret } = options;
  const running = new Set<Promise<void>>();
  const server = nodeHttp.createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const answered = answer(routes, secret, request, response).finally(() => {
      running.delete(answered);
    });
    running.add(answered);
  });
  answerMalformed(server);
  const listening = await listen(server, options);
  const idle = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    port: listening,
    idle,
    close: async () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      await idle();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  routes: readonly Route[],
  secret: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call: ControlCall = { request, response, parts: [] };
  try {
    const preflight = preflightHeaders(request);
    if (preflight !== undefined) {
      beginAnswer(call, 204, preflight);
      response.end();
      return;
    }
    const path = pathOf(request);
    const route = routes.find((one) => one.method === request.method && matches(one.path, path));
    const readable = authorizeCall(request, { secret, isOpen: route?.isOpen ?? false });
    response.setHeaders(new Map(Object.entries(readable)));
    if (route === undefined) throw new ControlError(404, "There is nothing at this address.");
    await route.handle({ ...call, parts: pathParams(route.path, path) });
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    answerError(call, error);
  }
}

/** Answers with an error's sentence, without local paths: a page may read it (rule N2). */
function answerError(call: ControlCall, error: unknown): void {
  const body = errorBody(error);
  const isAsked =
    error instanceof ControlError ||
    error instanceof RunRefusal ||
    error instanceof QuestionGoneError;
  const status = isAsked ? error.status : 500;
  answerJson(call, status, { ...body, error: withoutPaths(body.error) });
}

function pathOf({ url = "" }: IncomingMessage): readonly string[] {
  return (url.split("?", 1)[0] ?? "").split("/");
}

function matches(pattern: string, path: readonly string[]): boolean {
  const wanted = pattern.split("/");
  const isSame = (part: string, index: number) =>
    wanted[index] === part || wanted[index]?.startsWith(":") === true;
  return wanted.length === path.length && path.every(isSame);
}

/** Returns the decoded path parameters. @throws {ControlError} 400 for a malformed parameter */
function pathParams(pattern: string, path: readonly string[]): readonly string[] {
  const wanted = pattern.split("/");
  return path.filter((_, index) => wanted[index]?.startsWith(":")).map(decode);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ControlError(400, "This address is malformed.");
  }
}

type PortOptions = Omit<ControlServerOptions, "secret">;

function listen(server: Server, options: PortOptions): Promise<number> {
  const { port, orAnyPort = false, portAdvice = PANEL_PORT_ADVICE } = options;
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isTaken = "code" in error && error.code === "EADDRINUSE";
      if (isTaken && orAnyPort) {
        resolve(listen(server, { port: 0 }));
        return;
      }
      const sentence = isTaken
        ? `Port ${port} is in use by another program. ${portAdvice}`
        : `Can't listen on port ${port}: ${error.message}`;
      reject(new ControlError(500, sentence));
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** The header of a call's secret, which is new at each start. */
export const SECRET_HEADER = "x-soundferry-secret";

/** The origin of a `data:` page, such as the one in Live's dialog. */
const NO_ORIGIN = "null";

/** Headers that let the page in Live's dialog read the answer, after it has sent the secret. */
const READABLE_WITHOUT_ORIGIN = { "access-control-allow-origin": NO_ORIGIN, vary: "Origin" };

interface AuthorizeCallOptions {
  readonly secret: string;
  /** True if the call needs no secret: the page alone contains nothing private. */
  readonly isOpen: boolean;
}

/**
 * Authorizes a call, against CSRF and DNS rebinding (rule N1).
 * @returns the CORS headers for the answer
 * @throws {ControlError} 403 unless the caller is a program of the user's or a page that is served here
 */
function authorizeCall(
  request: IncomingMessage,
  { secret, isOpen }: AuthorizeCallOptions,
): Readonly<Record<string, string>> {
  const { headers } = request;
  const own = ownHosts(request);
  const { origin } = headers;
  const isOwn = origin === undefined || own.some((host) => origin === `http://${host}`);
  if (!isOwn && origin !== NO_ORIGIN) {
    throw new ControlError(403, "Web pages can't call this address.");
  }
  if (isOpen) return {};
  if (!showsSecret(headers, secret)) {
    throw new ControlError(403, "The one-time key is missing or wrong.");
  }
  return isOwn ? {} : READABLE_WITHOUT_ORIGIN;
}

/**
 * Returns the answer's headers for a CORS preflight of the page in Live's dialog, or undefined for other
 * calls. A preflight can't send the secret, and its answer reveals nothing.
 * @throws {ControlError} 403 when it names another host
 */
function preflightHeaders(request: IncomingMessage): OutgoingHttpHeaders | undefined {
  const { method, headers } = request;
  if (method !== "OPTIONS" || headers.origin !== NO_ORIGIN) return undefined;
  ownHosts(request);
  return {
    ...READABLE_WITHOUT_ORIGIN,
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": `${SECRET_HEADER}, content-type`,
    ...(headers["access-control-request-private-network"] === "true" && {
      "access-control-allow-private-network": "true",
    }),
  };
}

/** Returns this server's names. `Host` must be one of them: under DNS rebinding it is another one. */
function ownHosts({ headers, socket }: IncomingMessage): readonly string[] {
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (!own.includes(headers.host ?? "")) throw new ControlError(403, "Unknown host.");
  return own;
}

function showsSecret(headers: IncomingHttpHeaders, secret: string): boolean {
  const shown = headers[SECRET_HEADER];
  return typeof shown === "string" && isSame(shown, secret);
}

/** Compares two texts in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
