import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { type Finding, ok, wrong } from "../finding.ts";
import type { OwnComputer } from "./own-computer.ts";
import type { OwnPackage } from "./own-computer.ts";
import type { Visit } from "./visit.ts";

const RANGE_START = 100;
const RANGE_END = 199;

interface Downloaded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Checks that a sound arrives as it is, with all that a resumed download relies on (rule I2). */
export async function checkDownload(
  visit: Visit,
  computer: OwnComputer,
  sent: OwnPackage,
): Promise<readonly Finding[]> {
  try {
    const whole = await download(visit, computer, sent);
    const range = `bytes=${RANGE_START}-${RANGE_END}`;
    const part = await download(visit, computer, sent, { range });
    const faults = [...faultsOfWhole(whole, sent), ...faultsOfPart(part)];
    if (faults.length === 0) {
      return [ok("download", "A sound arrives unchanged, also in parts.")];
    }
    const advice =
      "Have the proxy pass downloads on as they are: no compression, and no cache that ignores Range.";
    return [
      wrong(
        "download",
        `A sound doesn't arrive as the relay sends it: ${faults.join(", ")}.`,
        advice,
      ),
    ];
  } catch (error) {
    visit.signal.throwIfAborted();
    const advice = "Check the proxy's limits for answers, and the relay's log.";
    return [wrong("download", `A sound can't be downloaded: ${sentenceOf(error)}`, advice)];
  }
}

async function download(
  { http, signal }: Visit,
  { credential }: OwnComputer,
  { packageId, file }: OwnPackage,
  headers: Record<string, string> = {},
): Promise<Downloaded> {
  const call = {
    method: "GET",
    path: `/importer/packages/${encodeURIComponent(packageId)}/files/${file}`,
    to: credential,
    headers: { "accept-encoding": "gzip, br, zstd", ...headers },
  };
  const answer = await http.open(call, signal);
  const pieces: Buffer[] = [];
  for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
  const { statusCode: status = 0, headers: answered } = answer;
  return { status, headers: answered, bytes: Buffer.concat(pieces) };
}

function faultsOfWhole(
  { status, headers, bytes }: Downloaded,
  sent: OwnPackage,
): readonly string[] {
  if (status !== 200) return [`it is answered with ${status}`];
  if (headers["content-encoding"] !== undefined) {
    return [`it is compressed (${headers["content-encoding"]})`];
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return [
    ...(sha256 === sent.sha256 ? [] : ["its bytes differ"]),
    ...(headers["content-length"] === String(sent.bytes.byteLength) ? [] : ["no Content-Length"]),
    ...(headers.etag === `"${sent.sha256}"` ? [] : ["no ETag"]),
  ];
}

function faultsOfPart({ status, headers, bytes }: Downloaded): readonly string[] {
  const isPart =
    status === 206 &&
    headers["content-range"]?.startsWith(`bytes ${RANGE_START}-${RANGE_END}/`) === true &&
    bytes.byteLength === RANGE_END - RANGE_START + 1;
  return isPart ? [] : ["a Range is ignored"];
}
