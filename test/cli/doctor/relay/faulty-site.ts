import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";

/** What is wrong with the proxy of a site. */
export interface SiteFault {
  /** Refuses longer bodies with a page of its own. */
  readonly maxBodyBytes?: number;
  /** Keeps a body until all of it is there. */
  readonly buffersBodies?: boolean;
  /** Gives up on a relay that is silent for so long, once it holds a long-poll. */
  readonly idleMs?: number;
  /** Cuts a WebSocket that is silent for so long, once a package waits. */
  readonly socketIdleMs?: number;
  /** `plain`: passes an upgrade on as a call. `mute`: upgrades, and passes nothing on. */
  readonly upgrades?: "plain" | "mute";
  /** What becomes of `X-Forwarded-For`. By default the client's address is added to it. */
  readonly forwards?: "whatever the client says" | "nothing";
  readonly strips?: readonly string[];
  /** Adds a header's value a second time. */
  readonly doubles?: string;
  /** Replaces refusals by pages. */
  readonly ownErrorPages?: boolean;
  readonly compresses?: boolean;
  readonly ignoresRange?: boolean;
  readonly redirectsTo?: string;
  /** Answers a GET of its own accord. */
  readonly answers?: { readonly path: string; readonly status: number; readonly text: string };
  /** Refuses these calls, such as `DELETE /importer/me`. */
  readonly refuses?: string;
  /** Changes what it passes on of a JSON answer. */
  readonly changes?: { readonly path: string; readonly body: object };
}

/** The address that the proxy has for the relay: another one than its clients'. */
export const PROXY_ADDRESS = "127.0.3.1";
/** A Mac has only one loopback address. */
export const hasProxyAddress = process.platform !== "darwin";

export interface Site extends AsyncDisposable {
  readonly url: string;
}

/**
 * A proxy before a relay. Without a fault it does what a good one does.
 * @param onCall gets each call before it is passed on, such as `POST /packages`
 */
export async function startSite(
  relayUrl: string,
  fault: SiteFault = {},
  onCall: (call: string) => void = () => {},
): Promise<Site> {
  const server = createServer((incoming, outgoing) => {
    onCall(`${incoming.method} ${incoming.url}`);
    if (!answersAlone(fault, incoming, outgoing)) {
      void passOn({ relayUrl, fault, incoming, outgoing }).catch(() => outgoing.destroy());
    }
  });
  server.on("upgrade", (incoming, socket, head) => {
    if (fault.upgrades === "plain") {
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const { port, hostname } = new URL(relayUrl);
    const onward = connect({ port: Number(port), host: hostname, localAddress: PROXY_ADDRESS });
    const headers = Object.entries(onwardHeaders(fault, incoming));
    onward.write(`GET ${incoming.url} HTTP/1.1\r\n`);
    onward.write(headers.map(([name, value]) => `${name}: ${String(value)}\r\n`).join(""));
    onward.write("connection: Upgrade\r\nupgrade: websocket\r\n\r\n");
    onward.write(head);
    if (fault.upgrades === "mute") {
      onward.once("data", (handshake: Buffer) => {
        socket.write(handshake.subarray(0, handshake.indexOf("\r\n\r\n") + 4));
        onward.resume();
        socket.resume();
      });
    } else onward.pipe(socket).pipe(onward);
    const { socketIdleMs } = fault;
    onward.on("data", (bytes: Buffer) => {
      if (socketIdleMs === undefined || !bytes.includes("packages.changed")) return;
      onward.setTimeout(socketIdleMs, () => onward.destroy());
    });
    onward.on("error", () => {}).on("close", () => socket.destroy());
    // A connection that nobody reads on stays half open.
    socket.on("error", () => {}).on("end", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answersAlone(
  { maxBodyBytes = Infinity, redirectsTo, answers, refuses }: SiteFault,
  { headers, method, url = "" }: IncomingMessage,
  outgoing: ServerResponse,
): boolean {
  if (redirectsTo !== undefined) {
    outgoing.writeHead(301, { location: redirectsTo + url }).end();
    return true;
  }
  if (refuses === `${method} ${url}`) {
    outgoing.writeHead(403).end();
    return true;
  }
  if (answers !== undefined && answers.path === url && method === "GET") {
    outgoing.writeHead(answers.status).end(answers.text);
    return true;
  }
  if (Number(headers["content-length"] ?? 0) <= maxBodyBytes) return false;
  outgoing.writeHead(413, { connection: "close" }).end("<h1>413 Request Entity Too Large</h1>");
  return true;
}

interface Passing {
  readonly relayUrl: string;
  readonly fault: SiteFault;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function passOn({ relayUrl, fault, incoming, outgoing }: Passing): Promise<void> {
  const { method, url = "" } = incoming;
  const held = fault.buffersBodies === true ? await readWhole(incoming) : undefined;
  const headers = onwardHeaders(fault, incoming);
  const onward = request(relayUrl + url, { method, headers, localAddress: PROXY_ADDRESS });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  if (fault.idleMs !== undefined && url.includes("?wait=")) {
    onward.setTimeout(fault.idleMs, () => outgoing.writeHead(504).end("<h1>504</h1>"));
  }
  if (held === undefined) {
    onward.flushHeaders();
    incoming.on("error", () => onward.destroy());
    incoming.pipe(onward);
  } else onward.end(held);
  onward.on("response", (answer) => void passBack(fault, answer, { incoming, outgoing }));
}

async function passBack(
  fault: SiteFault,
  answer: IncomingMessage,
  { incoming, outgoing }: Pick<Passing, "incoming" | "outgoing">,
): Promise<void> {
  answer.on("error", () => outgoing.destroy());
  const { statusCode: status = 0, headers } = answer;
  for (const name of fault.strips ?? []) delete headers[name];
  if (fault.doubles !== undefined) {
    headers[fault.doubles] = `${String(headers[fault.doubles])}, ${String(headers[fault.doubles])}`;
  }
  if (fault.ownErrorPages === true && status >= 400) {
    delete headers["content-length"];
    outgoing.writeHead(status, { ...headers, "content-type": "text/html" }).end("<h1>Sorry</h1>");
    return;
  }
  const { changes } = fault;
  if (changes !== undefined && changes.path === incoming.url && status === 200) {
    delete headers["content-length"];
    outgoing.writeHead(200, headers).end(JSON.stringify(changes.body));
    return;
  }
  if (fault.compresses === true && headers["content-type"] === "audio/wav" && status === 200) {
    delete headers["content-length"];
    const bytes = gzipSync(await readWhole(answer));
    outgoing.writeHead(200, { ...headers, "content-encoding": "gzip" }).end(bytes);
    return;
  }
  outgoing.writeHead(status, headers);
  answer.pipe(outgoing);
}

function onwardHeaders(
  { forwards, ignoresRange }: SiteFault,
  { headers, socket }: IncomingMessage,
): Record<string, string | string[] | undefined> {
  const { range, "x-forwarded-for": said, connection: _, upgrade: __, ...others } = headers;
  const client = socket.remoteAddress ?? "";
  const added = said === undefined ? client : `${String(said)}, ${client}`;
  const way = forwards === "whatever the client says" ? (said ?? client) : added;
  return {
    ...others,
    ...(range !== undefined && ignoresRange !== true && { range }),
    ...(forwards === "nothing" ? { via: "1.1 site" } : { "x-forwarded-for": way }),
  };
}

async function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
