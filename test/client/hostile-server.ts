import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";

/** Far more than one answer may have, so that a client that reads on is seen. */
export const FLOOD_BYTES = 32 * 1024 ** 2;

const HEADERS = { [RELAY_MARK.name]: RELAY_MARK.value, "content-type": "application/json" };

/** A server whose answers are meant badly. */
export interface Hostile {
  readonly url: string;
  /** Number of bytes that the last answer has written. */
  readonly sentBytes: () => number;
}

type Answer = (
  response: ServerResponse,
  write: (text: string, onWritten?: () => void) => void,
  request: IncomingMessage,
) => void;

/** Starts a server that answers every request with `answer`. It ends with the test. */
export async function startHostile(answer: Answer): Promise<Hostile> {
  let sentBytes = 0;
  const server = createServer((request, response) => {
    request.resume();
    sentBytes = 0;
    const write = (text: string, onWritten?: () => void): void => {
      sentBytes += text.length;
      response.write(text, onWritten);
    };
    answer(response, write, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // A listening TCP server always has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, sentBytes: () => sentBytes };
}

/**
 * Answers with a mark and a body of `FLOOD_BYTES`, as far as the connection takes it.
 * @param more headers, such as those for pages of other origins; with them, a preflight is answered well
 */
export function endless(
  status: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Hostile> {
  return startHostile((response, write, { method }) => {
    if (method === "OPTIONS") return void response.writeHead(204, more).end();
    response.writeHead(status, { ...HEADERS, ...more });
    const piece = "[".repeat(64 * 1024);
    let leftBytes = FLOOD_BYTES;
    const pour = (): void => {
      while (leftBytes > 0 && !response.destroyed) {
        leftBytes -= piece.length;
        write(piece);
        if (response.writableNeedDrain) return void response.once("drain", pour);
      }
      response.end();
    };
    write('{"device_name":"Studio","error":"No.","code":"NO","deep":');
    pour();
  });
}

/** Answers with a mark and one byte at a time, and never ends. */
export function drip(): Promise<Hostile> {
  return startHostile((response, write) => {
    response.writeHead(200, HEADERS);
    const next = (): void => {
      if (!response.destroyed) write(" ", () => setImmediate(next));
    };
    next();
  });
}
