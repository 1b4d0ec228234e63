import { refusal } from "../../../core/protocol/refusal.ts";
import {
  formatUploadComplete,
  formatUploadLimit,
  parseUploadComplete,
  parseUploadOffset,
  PARTIAL_UPLOAD_TYPE,
  UPLOAD_HEADERS,
  UPLOAD_INTEROP_VERSION,
} from "../../../core/protocol/upload-draft.ts";
import type { KnownApp } from "../../domain/pairing/known-tokens.ts";
import * as offsets from "../../domain/uploads/append-sound.ts";
import { type Appended, appendSound } from "../../domain/uploads/append-sound.ts";
import { receiveSound } from "../../domain/uploads/receive-sound.ts";
import type { Upload } from "../../domain/uploads/find-uploadable.ts";
import { type Answer, type Call, header, pathPart } from "../call.ts";
import { MIN_UPLOAD_BYTES } from "../../../core/quotas/budgets.ts";
import { askForBody, BodyReader } from "../read-body.ts";

// The app's calls that carry a sound: whole, or in parts (rule U10).

export async function upload(call: Call, app: KnownApp): Promise<Answer> {
  return { status: 200, body: await receiveSound(call.context, uploadOf(call, app)) };
}

export async function readOffset(call: Call, app: KnownApp): Promise<Answer> {
  speakDraft(call);
  const { packageId, file } = targetOf(call);
  const found = await offsets.readOffset(call.context, { app, packageId, file });
  const { offset, isComplete, bytes, leftMs } = found;
  tellOffset(call, offset, isComplete);
  call.reply
    .header(UPLOAD_HEADERS.length, bytes)
    .header(UPLOAD_HEADERS.limit, formatUploadLimit(bytes, Math.floor(leftMs / 1000)))
    .header("cache-control", "no-store");
  return { status: 204 };
}

export async function append(call: Call, app: KnownApp): Promise<Answer> {
  speakDraft(call);
  const { offset, answer } = await appendPart(call, app);
  tellOffset(call, offset, answer !== undefined);
  return answer === undefined ? { status: 204 } : { status: 200, body: answer };
}

/** @throws {Refusal} 415 UPLOAD_TYPE_WRONG, 400 UPLOAD_HEADERS_WRONG, and those of `appendSound` */
async function appendPart(call: Call, app: KnownApp): Promise<Appended> {
  if (typeOf(call) !== PARTIAL_UPLOAD_TYPE) throw refusal("UPLOAD_TYPE_WRONG");
  const offset = parseUploadOffset(header(call, UPLOAD_HEADERS.offset));
  const isLast = parseUploadComplete(header(call, UPLOAD_HEADERS.complete));
  if (offset === undefined || isLast === undefined) throw refusal("UPLOAD_HEADERS_WRONG");
  return appendSound(call.context, { ...uploadOf(call, app), offset, isLast });
}

/** Returns the raw `Content-Type` without its parameters. Every other call ignores it (rule M10). */
function typeOf({ request }: Call): string | undefined {
  const [type] = request.raw.headersDistinct["content-type"] ?? [];
  return type?.split(";")[0]?.trim().toLowerCase();
}

/** @throws {Refusal} 400 UPLOAD_VERSION_UNKNOWN if the caller speaks another version of the draft */
function speakDraft(call: Call): void {
  call.reply.header(UPLOAD_HEADERS.interop, UPLOAD_INTEROP_VERSION);
  if (header(call, UPLOAD_HEADERS.interop) === String(UPLOAD_INTEROP_VERSION)) return;
  throw refusal("UPLOAD_VERSION_UNKNOWN");
}

function tellOffset({ reply }: Call, offset: number, isComplete: boolean): void {
  reply
    .header(UPLOAD_HEADERS.offset, offset)
    .header(UPLOAD_HEADERS.complete, formatUploadComplete(isComplete));
}

function targetOf(call: Call): Pick<Upload, "packageId" | "file"> {
  return { packageId: pathPart(call, "id"), file: pathPart(call, "file") };
}

function uploadOf(call: Call, app: KnownApp): Upload {
  const { packageId, file } = targetOf(call);
  const contentLength = header(call, "content-length");
  return {
    app,
    caller: call.caller,
    packageId,
    file,
    contentLength: contentLength === undefined ? undefined : Number(contentLength),
    body: (ended) => uploadPieces(call, file, ended),
  };
}

/**
 * Reads the bytes of an upload as they arrive: at least `MIN_UPLOAD_BYTES`, or the rest, within the idle limit. The
 * limit runs only while the relay waits for bytes, never while it is busy storing them.
 * @param ended ends the upload, even while the sender is silent; its reason is thrown
 * @throws {Refusal} 408 UPLOAD_STALLED after the idle limit (rule U5)
 * @throws {ConnectionLost} when the sender disconnects
 */
async function* uploadPieces(
  call: Call,
  file: string,
  ended: AbortSignal,
): AsyncIterable<Uint8Array> {
  const { request, idleMs, timers, context } = call;
  askForBody(call);
  const reader = new BodyReader(request.raw, timers, ended);
  let leftMs = idleMs;
  let bytes = 0;
  for (;;) {
    const asked = timers.now();
    const piece = await reader.next(leftMs);
    if (piece === "stalled") throw refusal("UPLOAD_STALLED", { file });
    if (piece === null) return;
    leftMs -= timers.now() - asked;
    bytes += piece.byteLength;
    if (bytes >= MIN_UPLOAD_BYTES) {
      leftMs = idleMs;
      bytes = 0;
    }
    context.meter.soundBytes("in", piece.byteLength);
    yield piece;
  }
}
