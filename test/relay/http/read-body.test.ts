import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { BodyReader } from "../../../relay/http/read-body.ts";
import { urlOf } from "../../../relay/http/http-server.ts";
import { NODE_TIMERS } from "../../../relay/node.ts";

const CHUNKS = 10_000;
/** A body of many chunks of one byte, as a sender may frame it. */
const BODY = `${Array.from({ length: CHUNKS }, (_, at) => `1\r\n${at % 10}\r\n`).join("")}0\r\n\r\n`;
const SENT = Buffer.from(Array.from({ length: CHUNKS }, (_, at) => String(at % 10)).join(""));

/** Receives that body, and reads it as the function does. */
async function receive<Read>(read: (request: IncomingMessage) => Promise<Read>): Promise<Read> {
  await using server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sender = connect(Number(new URL(urlOf(server, "http")).port), "127.0.0.1");
  sender.write(`PUT / HTTP/1.1\r\nHost: relay\r\nTransfer-Encoding: chunked\r\n\r\n${BODY}`);
  const [request] = (await once(server, "request")) as [IncomingMessage];
  try {
    return await read(request);
  } finally {
    sender.destroy();
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer[]> {
  using reader = new BodyReader(request, NODE_TIMERS);
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = await reader.next(10_000);
    if (piece === "stalled") return expect.unreachable();
    if (piece === null) return pieces;
    pieces.push(piece);
  }
}

test("[U11] a reader leaves what it has not returned to the next one", async () => {
  const [first, rest] = await receive(async (request) => {
    let piece: Buffer | null | "stalled";
    {
      using reader = new BodyReader(request, NODE_TIMERS);
      piece = await reader.next(10_000);
      // Now the rest arrives, and nobody waits for it.
      await new Promise(setImmediate);
    }
    return [piece, await readAll(request)] as const;
  });
  expect(Buffer.isBuffer(first) && Buffer.concat([first, ...rest])).toEqual(SENT);
});
