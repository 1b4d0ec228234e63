import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";

/** A call on its way to the relay. */
export interface Asked {
  readonly method: string;
  path: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** The relay's answer on its way back. */
export interface Answered {
  status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Undefined if the body isn't JSON; this value is sent. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a break reaches into answers of every shape
  json: any;
}

/** How a proxy turns a good relay into one that breaks a rule. */
export interface Break {
  /** Changes the call; a returned answer is sent without calling the relay. */
  readonly ask?: (asked: Asked) => Answered | undefined;
  /** Changes the answer. */
  readonly answer?: (answered: Answered, asked: Asked) => void;
}

export interface BreakingProxy extends AsyncDisposable {
  readonly url: string;
}

/** A proxy that forwards everything to a relay except what it breaks. Sockets are forwarded unchanged. */
export async function startBreakingProxy(relayUrl: string, fault: Break): Promise<BreakingProxy> {
  const { hostname, port } = new URL(relayUrl);
  const server = createServer((incoming, outgoing) => {
    void passOn(incoming, outgoing);
  });
  const passOn = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "", url: path = "", headers } = incoming;
    const asked: Asked = { method, path, headers: { ...headers } };
    const instead = fault.ask?.(asked);
    if (instead !== undefined) {
      incoming.resume();
      sendJson(outgoing, instead);
      return;
    }
    const onward = request({ hostname, port, method, path: asked.path, headers: asked.headers });
    onward.on("error", () => outgoing.destroy());
    incoming.on("error", () => onward.destroy());
    incoming.on("close", () => {
      if (!incoming.complete) onward.destroy();
    });
    incoming.pipe(onward);
    if (headers["content-length"] !== undefined) onward.flushHeaders();
    const [reply] = (await once(onward, "response").catch(() => [])) as [IncomingMessage?];
    if (reply === undefined) return;
    const bytes = Buffer.concat(await Readable.from(reply).toArray());
    const answered = { status: reply.statusCode ?? 0, headers: reply.headers, json: parse(bytes) };
    fault.answer?.(answered, asked);
    if (answered.json !== undefined) sendJson(outgoing, answered);
    else outgoing.writeHead(answered.status, answered.headers).end(bytes);
  };
  server.on("clientError", (error: Error & { rawPacket?: Buffer }, socket) => {
    const onward = connect(Number(port), hostname, () => onward.write(error.rawPacket ?? ""));
    onward.on("error", () => socket.destroy());
    onward.pipe(socket);
  });
  server.on("upgrade", (incoming, socket, head) => {
    const onward = connect(Number(port), hostname, () => {
      const lines = Object.entries(incoming.headers).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      onward.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.on("close", () => onward.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendJson(outgoing: ServerResponse, { status, headers, json }: Answered): void {
  const body = status === 204 ? "" : JSON.stringify(json);
  const { "content-length": _, "transfer-encoding": __, ...rest } = headers;
  outgoing.writeHead(status, rest).end(body);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
