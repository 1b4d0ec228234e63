import { Readable } from "node:stream";
import { refusal } from "../../core/protocol/refusal.ts";
import type { Download } from "../domain/packages/find-download.ts";
import type { Meter } from "../domain/meter.ts";
import { type Call, header } from "./call.ts";
import { takeOver, writePieces } from "./send-answer.ts";

interface Sending {
  /** Disconnects the reader when it aborts (rule J9). */
  readonly ended: AbortSignal;
  /** Called with the number of bytes that are about to be written. */
  readonly onPiece: (bytes: number) => void;
}

/**
 * Sends a file or one range of it. `ETag` is its SHA-256 and `Content-Length` is exact (rule I2). A request
 * for several ranges, or a range with an `If-Range` that does not match, gets the whole file. A reader that
 * takes nothing for the idle limit is disconnected, so that slow readers can't fill the memory. Resolves once the
 * connection has taken the last byte, or is gone.
 * @throws {Refusal} 416 RANGE_WRONG; the reason of `ended`, if it aborts before anything was sent
 */
export async function sendFile(
  call: Call,
  file: Download,
  { ended, onPiece }: Sending,
): Promise<void> {
  const etag = `"${file.sha256}"`;
  const ifRange = header(call, "if-range");
  const rangeHeader = ifRange === undefined || ifRange === etag ? header(call, "range") : undefined;
  const range = rangeOf(call, rangeHeader, file.sizeBytes);
  const { start, end } = range ?? { start: 0, end: file.sizeBytes - 1 };
  const isAsked = call.request.method !== "HEAD";
  const bytes = isAsked ? await file.read({ start, end }) : Readable.from([]);
  if (ended.aborted) {
    await closeUnread(bytes);
    throw ended.reason;
  }
  call.reply.code(range === undefined ? 200 : 206).headers({
    "content-type": "audio/wav",
    "content-length": end - start + 1,
    "accept-ranges": "bytes",
    etag,
    ...(range !== undefined && { "content-range": `bytes ${start}-${end}/${file.sizeBytes}` }),
  });
  const raw = takeOver(call.reply);
  ended.addEventListener("abort", () => raw.destroy(), { once: true });
  // Node ends a connection that is idle for this long, which closes the file too.
  raw.setTimeout(call.idleMs);
  try {
    const metering = metered(bytes, call.context.meter);
    await writePieces(raw, metering, { connection: call.request.raw.socket, onPiece });
  } catch (error) {
    raw.destroy();
    throw error;
  }
}

async function* metered(bytes: AsyncIterable<Uint8Array>, meter: Meter): AsyncIterable<Uint8Array> {
  for await (const piece of bytes) {
    const { byteLength } = piece;
    yield piece;
    meter.soundBytes("out", byteLength);
  }
}

/** Closes a file that nobody reads. A generator closes its file only if it has started. */
async function closeUnread(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = bytes[Symbol.asyncIterator]();
  await pieces.next();
  await pieces.return?.();
}

function rangeOf(call: Call, rangeHeader: string | undefined, sizeBytes: number) {
  try {
    return parseRange(rangeHeader, sizeBytes);
  } catch (error) {
    call.reply.header("content-range", `bytes */${sizeBytes}`);
    throw error;
  }
}

/** Parses a single range (RFC 9110 §14) to its first and last byte; undefined if the whole file should be sent. */
export function parseRange(
  text: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | undefined {
  const match = /^\s*bytes\s*=(?:\s*(\d+))?\s*-(?:\s*(\d+))?\s*$/i.exec(text ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  if (start >= sizeBytes) throw refusal("RANGE_WRONG", { size: sizeBytes });
  return { start, end };
}
