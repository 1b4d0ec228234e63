import type { Socket } from "node:net";
import { type Refusal, refusal } from "../../core/refusal.ts";
import { errorHeaders, errorJson } from "./answer-refusal.ts";
import { CORS_HEADERS } from "./cors.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/**
 * Answers what Node could not read as HTTP, as far as it still can (rule E1). A connection whose
 * earlier answer is not out yet is only closed: two answers would be mixed up.
 */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { isAnswering, requestId }: { readonly isAnswering: boolean; readonly requestId: string },
): void {
  if (error.code === "ECONNRESET" || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const refused = refusalOf(error.code);
  const body = errorJson(refused);
  const headers = {
    ...errorHeaders(refused),
    ...CORS_HEADERS,
    "x-request-id": requestId,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refused.status} ${REASONS[refused.status] ?? ""}\r\n`;
  socket.end(`${status}${lines.join("")}\r\n${body}`);
}

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusal("HEADERS_TOO_LARGE");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusal("REQUEST_TOO_SLOW");
    case undefined:
    default:
      return refusal("REQUEST_MALFORMED");
  }
}
