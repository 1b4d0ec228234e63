import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { COOKIE_PAGE_HEADERS, cookiePage } from "../../core/messages/cookie-page.ts";
import { formatRawAnswer } from "../../core/protocol/raw-answer.ts";

interface MalformedError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/**
 * Answers requests that Node can't read; for a browser with too many cookies in words (rule E7). After a connection's
 * first call no answer is sent: two would interleave.
 */
export function answerMalformed(server: Server): void {
  const called = new WeakSet<Duplex>();
  server.on("request", ({ socket }) => called.add(socket));
  server.on("clientError", ({ code, rawPacket }: MalformedError, connection) => {
    if (connection.writableEnded) return;
    const canAnswer = code !== "ECONNRESET" && connection.writable && !called.has(connection);
    if (canAnswer) connection.end(formatMalformed(code === "HPE_HEADER_OVERFLOW", rawPacket));
    else connection.destroy();
  });
}

function formatMalformed(isTooLarge: boolean, rawPacket: Buffer | undefined): string {
  const status = isTooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const page = isTooLarge ? cookiePage(String(rawPacket)) : undefined;
  const body = page ?? JSON.stringify({ error: "That request could not be read." });
  const headers = {
    "content-type": "application/json",
    ...(page && COOKIE_PAGE_HEADERS),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-length": Buffer.byteLength(body),
  };
  return formatRawAnswer(status, headers, body);
}
