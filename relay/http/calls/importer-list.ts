import { PAGING_API } from "../../../core/protocol/importer-api.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { importablePage } from "../../domain/list-importable.ts";
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

/** Sends package by package, as fast as the other side reads. */
async function sendPage(call: Call, page: Page): Promise<typeof ANSWERED> {
  // What is refused is refused before the answer begins.
  const first = await page.next();
  call.reply.code(200).header("content-type", "application/json; charset=utf-8");
  const raw = takeOver(call.reply);
  raw.setTimeout(call.idleMs);
  try {
    await writePieces(raw, jsonPieces(first, page), { connection: call.request.raw.socket });
  } catch (error) {
    raw.destroy();
    throw error;
  }
  return ANSWERED;
}

async function* jsonPieces(
  first: IteratorResult<string, string | null>,
  page: Page,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = '{"packages":[';
  let read = first;
  for (; read.done !== true; read = await page.next()) {
    yield encoder.encode(before + read.value);
    before = ",";
  }
  const opening = first.done === true ? before : "";
  yield encoder.encode(`${opening}],"next":${JSON.stringify(read.value)}}`);
}

/** A page is small enough to be kept until it is known whether it is the only one. */
async function wholeList(page: Page): Promise<Answer> {
  const packages: string[] = [];
  let read = await page.next();
  for (; read.done !== true; read = await page.next()) packages.push(read.value);
  if (read.value !== null) throw pagesNotSpoken();
  return { status: 200, json: `{"packages":[${packages.join(",")}],"next":null}` };
}

function pagesNotSpoken(): Refusal {
  return refusal("IMPORTER_TOO_OLD", {}, { body: { importer_api: [PAGING_API] } });
}
