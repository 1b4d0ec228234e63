import { PAGING_API } from "../../../core/protocol/importer-api.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { CONNECTION_BUFFER_BYTES, SMALL_ANSWER_BYTES } from "../../../core/quotas/budgets.ts";
import { importablePage, type Listed } from "../../domain/packages/list-importable.ts";
import type { Permit } from "../../domain/admission/budgets.ts";
import type { DeviceRecord } from "../../domain/ports.ts";
import { importerApiOf } from "../auth/authorize.ts";
import { type Answer, ANSWERED, type Call, queryPart } from "../call.ts";
import { isQueued, takeOver, writePieces } from "../send-answer.ts";

/**
 * Answers with the importer's list (rules I1, I5). An importer that knows pages gets one. Any other gets the whole list
 * if that fits into one page, because it would take a first page for the whole.
 * @throws {Refusal} 426 IMPORTER_TOO_OLD, 422 CURSOR_WRONG
 */
export async function packages(
  call: Call,
  device: DeviceRecord,
): Promise<Answer | typeof ANSWERED> {
  const api = importerApiOf(call.request.headers);
  const after = queryPart(call, "after");
  const page = inTurns(call, importablePage(call.context, device.deviceId, after ?? ""));
  if (after !== undefined || api === PAGING_API) return sendPage(call, page);
  if (api !== undefined) throw pagesNotSpoken();
  return wholeList(page);
}

type Read = IteratorResult<Listed, string | null>;
type Page = { readonly next: () => Promise<Read> };

/** Reads each package in its turn, so that a long list, or many at once, delay nobody else (rule L6). */
function inTurns({ context }: Call, page: ReturnType<typeof importablePage>): Page {
  return { next: () => context.admission.turns.take(() => page.next()) };
}

/**
 * Sends package by package, as fast as the other side reads. Only one package is in memory, and counts with the unsent
 * bytes of those before it (rule L6).
 */
async function sendPage(call: Call, page: Page): Promise<typeof ANSWERED> {
  // A refusal must come before the answer begins.
  const first = await page.next();
  const { raw: unread } = call.reply;
  const { admission } = call.context;
  const counted = unreadCounter(isQueued(unread));
  const firstBytes = counted(first);
  using held = admission.take("answers", call.caller, firstBytes, () => unread.destroy());
  call.reply.code(200).header("content-type", "application/json; charset=utf-8");
  const raw = takeOver(call.reply);
  raw.setTimeout(call.idleMs);
  try {
    const pieces = jsonPieces(page, first, { held, heldBytes: firstBytes, counted });
    await writePieces(raw, pieces, { connection: call.request.raw.socket });
  } catch (error) {
    raw.destroy();
    throw error;
  }
  return ANSWERED;
}

interface Holding {
  readonly held: Permit;
  heldBytes: number;
  readonly counted: (read: Read) => number;
}

async function* jsonPieces(page: Page, first: Read, holding: Holding): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = '{"packages":[';
  let next: string | null = null;
  for (let read = first; ; read = await page.next()) {
    if (read.done === true) {
      next = read.value;
      break;
    }
    // A package without room is left to the next page, which can be refused.
    if (read !== first && !hasRoom(holding, read)) break;
    holding.held.moved();
    yield encoder.encode(before + read.value.json);
    before = ",";
    next = read.value.cursor;
  }
  const opening = before === "," ? "" : before;
  yield encoder.encode(`${opening}],"next":${JSON.stringify(next)}}`);
}

/**
 * Returns a counter of the bytes that a reader may leave unread of a page. Small pages don't count, unless an earlier
 * answer is before them.
 */
function unreadCounter(isInRow: boolean): Holding["counted"] {
  let before = 0;
  return (read) => {
    const bytes = read.done === true ? 0 : Buffer.byteLength(read.value.json);
    const unread = Math.min(before, CONNECTION_BUFFER_BYTES) + bytes;
    before += bytes;
    return isInRow || unread > SMALL_ANSWER_BYTES ? unread : 0;
  };
}

function hasRoom(holding: Holding, read: Read): boolean {
  const bytes = holding.counted(read);
  if (bytes <= holding.heldBytes) return true;
  if (!grows(holding.held, bytes - holding.heldBytes)) return false;
  holding.heldBytes = bytes;
  return true;
}

function grows(held: Permit, by: number): boolean {
  try {
    held.grow(by);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Answers with the whole list. One page is small enough to keep until it is known to be the only one. */
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
