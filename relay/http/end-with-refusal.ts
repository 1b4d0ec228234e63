import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Refusal } from "../../core/protocol/refusal.ts";
import { errorHeaders, errorJson } from "./answer-refusal.ts";

/** Who doesn't close the connection by then is disconnected: Node has no time limit for these. */
const CLOSING_MS = 2000;

/** Answers on the raw connection, where there is no response object, and ends it. */
export function endWithRefusal(
  connection: Duplex,
  refused: Refusal,
  more: Readonly<Record<string, string>>,
): void {
  const body = errorJson(refused);
  const headers = {
    ...errorHeaders(refused),
    "x-content-type-options": "nosniff",
    // It may answer a claim (rule P11).
    "cache-control": "no-store",
    ...more,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status] ?? ""}\r\n`;
  connection.end(`${status}${lines.join("")}\r\n${body}`);
  setTimeout(() => connection.destroy(), CLOSING_MS).unref();
}
