import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createConnection } from "node:net";
import { WebSocket } from "ws";
import type { WireAnswer } from "./contract-watch.ts";

/** An answer of `fetch`, read to its end. */
export async function readAnswer(answer: Response): Promise<WireAnswer> {
  return {
    status: answer.status,
    headers: new Map(answer.headers),
    text: await answer.text(),
  };
}

/** Sends raw bytes and reads until the relay closes the connection. */
export function rawCall(url: string, bytes: string): Promise<WireAnswer> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = createConnection(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (piece) => (text += String(piece)));
    socket.on("close", () => resolve(parseAnswer(text))).on("error", reject);
  });
}

/** Requests a WebSocket, and closes one that opens. */
export async function upgradeCall(
  url: string,
  headers: Record<string, string>,
): Promise<WireAnswer> {
  const socket = new WebSocket(url.replace("http", "ws"), { headers });
  socket.on("error", () => undefined);
  const answer: IncomingMessage = await Promise.race([
    once(socket, "unexpected-response").then(([, response]) => response),
    once(socket, "upgrade").then(([response]) => response),
  ]);
  let text = "";
  if (answer.statusCode !== 101) for await (const piece of answer) text += String(piece);
  socket.terminate();
  return {
    status: answer.statusCode ?? 0,
    headers: new Map(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    text,
  };
}

function parseAnswer(text: string): WireAnswer {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [line = "", ...headers] = head.split("\r\n");
  return {
    status: Number(line.split(" ")[1]),
    headers: new Map(
      headers.map((header) => {
        const at = header.indexOf(":");
        return [header.slice(0, at).toLowerCase(), header.slice(at + 1).trim()];
      }),
    ),
    text: body,
  };
}
