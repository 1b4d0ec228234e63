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
import { type Answer, type Call, contentType, FORM_TYPE, header, pathPart } from "../call.ts";
import { explainRefusal, FirstBytes } from "../wrapped-upload.ts";
import { MIN_UPLOAD_BYTES } from "../../../core/quotas/budgets.ts";
import { askForBody, BodyReader } from "../read-body.ts";

// The app's calls that carry a sound: whole, or in parts (rule U10).

export async function upload(call: Call, app: KnownApp): Promise<Answer> {
  const receive = (whole: Upload) => receiveSound(call.context, whole);
  return { status: 200, body: await receiveUpload(call, app, { offset: 0, receive }) };
}

export async function readOffset(call: Call, app: KnownApp): Promise<Answer> {
  speakDraft(call);
  const { packageId, file } = targetOf(call);
  const found = await offsets.readOffset(call.context, { app, packageId, file });
  const { offset, isComplete, bytes, leftMs } = found;
  tellOffset(call, offset, isComplete);
  call.reply
    .header(UPLOAD_HEADERS.length, bytes)
    .header(UPLOAD_HEADERS.limit, formatUploadLimit(bytes, Math.floor(leftMs / 1000)));
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
  const type = contentType(call);
  if (type === FORM_TYPE) throw refusal("FILE_IN_FORM");
  if (type !== PARTIAL_UPLOAD_TYPE) throw refusal("UPLOAD_TYPE_WRONG");
  const offset = parseUploadOffset(header(call, UPLOAD_HEADERS.offset));
  const isLast = parseUploadComplete(header(call, UPLOAD_HEADERS.complete));
  if (offset === undefined || isLast === undefined) throw refusal("UPLOAD_HEADERS_WRONG");
  const receive = (part: Upload) => appendSound(call.context, { ...part, offset, isLast });
  return receiveUpload(call, app, { offset, receive });
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

/** Receives what a call carries. If its bytes are refused, the refusal names what they are wrapped in (rule U11). */
async function receiveUpload<Received>(
  call: Call,
  app: KnownApp,
  {
    offset,
    receive,
  }: { readonly offset: number; readonly receive: (upload: Upload) => Promise<Received> },
): Promise<Received> {
  const target = targetOf(call);
  const contentLength = header(call, "content-length");
  const first = new FirstBytes();
  const carried = {
    ...target,
    app,
    caller: call.caller,
    contentLength: contentLength === undefined ? undefined : Number(contentLength),
    body: (ended: AbortSignal) => uploadPieces(call, { file: target.file, first }, ended),
  };
  try {
    return await receive(carried);
  } catch (error) {
    throw await explainRefusal(error, call, { file: target.file, offset, first });
  }
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
  { file, first }: { readonly file: string; readonly first: FirstBytes },
  ended: AbortSignal,
): AsyncIterable<Uint8Array> {
  const { request, idleMs, timers, context } = call;
  askForBody(call);
  using reader = new BodyReader(request.raw, timers, ended);
  let leftMs = idleMs;
  let bytes = 0;
  for (;;) {
    const asked = timers.now();
    const piece = await reader.next(leftMs);
    if (piece === "stalled") throw refusal("UPLOAD_STALLED", { file });
    if (piece === null) return;
    leftMs -= timers.now() - asked;
    first.note(piece);
    bytes += piece.byteLength;
    if (bytes >= MIN_UPLOAD_BYTES) {
      leftMs = idleMs;
      bytes = 0;
    }
    context.meter.soundBytes("in", piece.byteLength);
    yield piece;
  }
}
