import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  answerJson,
  type ControlCall,
  ControlError,
  errorBody,
  type Route,
} from "./control-call.ts";

/** The header in which a call shows the secret of the lock file. */
export const SECRET_HEADER = "x-soundferry-secret";

/** A control server that listens. */
export interface ControlServer {
  readonly port: number;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
  /** Takes no more calls, and resolves when the running ones are answered. */
  close(): Promise<void>;
}

/**
 * Serves a running importer's routes on 127.0.0.1 to the same user's other programs (rule R3). A
 * web page can't reach it: a call must show the secret, name this very host, and not come from
 * another origin.
 * @param port 0 takes a free one
 * @throws {ControlError} when the port can't be had
 */
export async function serveControl(
  routes: readonly Route[],
  { port, secret }: { readonly port: number; readonly secret: string },
): Promise<ControlServer> {
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const answered = answer(routes, secret, request, response).finally(() => {
      running.delete(answered);
    });
    running.add(answered);
  });
  const listening = await listen(server, port);
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
    letIn(request, secret);
    const { route, parts } = findRoute(routes, request);
    await route.handle({ ...call, parts });
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    answerJson(call, error instanceof ControlError ? error.status : 500, errorBody(error));
  }
}

/** @throws {ControlError} 403 to whoever is not one of the user's own programs */
function letIn({ headers, socket }: IncomingMessage, secret: string): void {
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  // A name that was made to point here leads a page past its browser's walls, but it shows in Host.
  if (!own.includes(headers.host ?? "")) throw new ControlError(403, "Unknown host.");
  const { origin } = headers;
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`)) {
    throw new ControlError(403, "Web pages may not call this address.");
  }
  const shown = headers[SECRET_HEADER];
  if (typeof shown !== "string" || !isSame(shown, secret)) {
    throw new ControlError(403, "The secret of this importer is missing.");
  }
}

/** Takes the same time wherever two texts differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function findRoute(
  routes: readonly Route[],
  { method, url = "" }: IncomingMessage,
): { readonly route: Route; readonly parts: readonly string[] } {
  const path = url.split("?", 1)[0] ?? "";
  for (const route of routes) {
    const parts = route.method === method ? matchPath(route.path, path) : undefined;
    if (parts !== undefined) return { route, parts };
  }
  throw new ControlError(404, "There is nothing at this address.");
}

function matchPath(pattern: string, path: string): readonly string[] | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const parts: string[] = [];
  for (const [index, part] of given.entries()) {
    if (wanted[index]?.startsWith(":")) parts.push(decode(part));
    else if (wanted[index] !== part) return undefined;
  }
  return parts;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ControlError(400, "This address is malformed.");
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isTaken = "code" in error && error.code === "EADDRINUSE";
      const sentence = isTaken
        ? `Port ${port} is taken by another program. Set SOUNDFERRY_PANEL_PORT to another one, or to 0.`
        : `Port ${port} can't be listened on: ${error.message}`;
      reject(new ControlError(500, sentence));
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
