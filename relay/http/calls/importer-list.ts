import { PAGING_API } from "../../../core/protocol/importer-api.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { SMALL_ANSWER_BYTES } from "../../../core/quotas/budgets.ts";
import { importablePage, type Listed } from "../../domain/list-importable.ts";
import type { Held } from "../../domain/admission/budget.ts";
import type { DeviceRecord } from "../../domain/ports.ts";
import { importerApiOf } from "../auth/authorize.ts";
import { type Answer, ANSWERED, type Call, queryPart } from "../call.ts";
import { takeOver } from "../take-over.ts";
import { writePieces } from "../write-pieces.ts";

/**
 * The importer's list (rules I1, I5). An importer that speaks of pages gets one. Any other gets everything, if that fits
 * into one page: it would take the first page for the whole list.
 * @throws {Refusal} 426 IMPORTER_TOO_OLD, 422 CURSOR_WRONG
 */
export async function packages(
  call: Call,
  device: DeviceRecord,
): Promise<Answer | typeof ANSWERED> {
  const api = importerApiOf(call.request.headers);
  const after = queryPart(call, "after");
  const page = importablePage(call.context, device.deviceId, after ?? "");
  if (after !== undefined || api === PAGING_API) return sendPage(call, page);
  if (api !== undefined) throw pagesNotSpoken();
  return wholeList(page);
}

type Page = ReturnType<typeof importablePage>;
type Read = IteratorResult<Listed, string | null>;

/** Sends package by package, as fast as the other side reads. Only one of them is in memory, and held (rule L6). */
async function sendPage(call: Call, page: Page): Promise<typeof ANSWERED> {
  // What is refused is refused before the answer begins.
  const first = await page.next();
  const { raw: unread } = call.reply;
  const { admission } = call.context;
  using held = admission.take("answers", call.caller, unreadBytes(first), () => unread.destroy());
  call.reply.code(200).header("content-type", "application/json; charset=utf-8");
  const raw = takeOver(call.reply);
  raw.setTimeout(call.idleMs);
  try {
    const pieces = jsonPieces(page, first, held);
    await writePieces(raw, pieces, { connection: call.request.raw.socket });
  } catch (error) {
    raw.destroy();
    throw error;
  }
  return ANSWERED;
}

async function* jsonPieces(page: Page, first: Read, held: Held): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = '{"packages":[';
  let next: string | null = null;
  let heldBytes = unreadBytes(first);
  for (let read = first; ; read = await page.next()) {
    if (read.done === true) {
      next = read.value;
      break;
    }
    const bytes = unreadBytes(read);
    // What there is no room for now is in the next page, which can be refused.
    if (bytes > heldBytes && !grows(held, bytes - heldBytes)) break;
    heldBytes = Math.max(heldBytes, bytes);
    held.moved();
    yield encoder.encode(before + read.value.json);
    before = ",";
    next = read.value.cursor;
  }
  const opening = before === "," ? "" : before;
  yield encoder.encode(`${opening}],"next":${JSON.stringify(next)}}`);
}

/** Small ones don't count. */
function unreadBytes(read: Read): number {
  const bytes = read.done === true ? 0 : Buffer.byteLength(read.value.json);
  return bytes <= SMALL_ANSWER_BYTES ? 0 : bytes;
}

function grows(held: Held, by: number): boolean {
  try {
    held.grow(by);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** A page is small enough to be kept until it is known whether it is the only one. */
async function wholeList(page: Page): Promise<Answer> {
  const packages: string[] = [];
  let read = await page.next();
  for (; read.done !== true; read = await page.next()) packages.push(read.value.json);
  if (read.value !== null) throw pagesNotSpoken();
  return { status: 200, json: `{"packages":[${packages.join(",")}],"next":null}` };
}

function pagesNotSpoken(): Refusal {
  return refusal("IMPORTER_TOO_OLD", {}, { body: { importer_api: [PAGING_API] } });
}
