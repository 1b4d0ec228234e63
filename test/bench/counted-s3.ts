import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { urlOf } from "./processes/url-of.ts";

/** Requests to an S3 server by method, with `LIST` for the GETs that list, and the bytes of their bodies. */
export interface S3Counts {
  readonly requests: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A proxy in front of an S3 server that counts what passes. */
export interface CountedS3 extends AsyncDisposable {
  readonly url: string;
  counts(): S3Counts;
}

export async function startCountedS3(endpoint: string): Promise<CountedS3> {
  const target = new URL(endpoint);
  const requests: Record<string, number> = {};
  let bytesIn = 0;
  let bytesOut = 0;
  const pass = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = "", url: path, headers } = incoming;
    const kind = method === "GET" && isList(path) ? "LIST" : method;
    requests[kind] = (requests[kind] ?? 0) + 1;
    incoming.on("data", (piece: Buffer) => (bytesIn += piece.length));
    const { hostname, port } = target;
    const onward = request({ hostname, port, method, path, headers, agent: false });
    const answered = once(onward, "response") as Promise<[IncomingMessage]>;
    const [[got]] = await Promise.all([answered, pipeline(incoming, onward)]);
    got.on("data", (piece: Buffer) => (bytesOut += piece.length));
    answer.writeHead(got.statusCode ?? 502, got.headers);
    await pipeline(got, answer);
  };
  const server = createServer((incoming, answer) => {
    // The caller of a call that broke sees it break, and tries again.
    pass(incoming, answer).catch(() => answer.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server),
    counts: () => ({ requests: { ...requests }, bytesIn, bytesOut }),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Objects, or unfinished uploads. */
function isList(path = ""): boolean {
  return /[?&](list-type=|uploads\b)/.test(path);
}
