import type { Socket } from "node:net";
import { type Refusal, refusal } from "../../core/protocol/refusal.ts";
import { CORS_HEADERS } from "./cors.ts";
import { endWithRefusal } from "./end-with-refusal.ts";

/**
 * Answers what Node could not parse as HTTP, if that is still possible (rule E1). If an earlier answer on the
 * connection is still pending, only closes the connection, since two answers would interleave.
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
  endWithRefusal(socket, refusalOf(error.code), { ...CORS_HEADERS, "x-request-id": requestId });
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
