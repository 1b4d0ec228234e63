import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import { FORM, wrappingOfWav, WRAPPING_BYTES } from "../../core/text/find-wrapping.ts";
import { type Call, contentType, FORM_TYPE } from "./call.ts";
import { BodyReader, contentEncoding } from "./read-body.ts";

/** The longest wait for the first bytes of a file that is refused already. */
const FIRST_BYTES_MS = 1000;

/** Refusals that a wrapping explains better. */
const EXPLAINED: ReadonlySet<string> = new Set([
  "SIZE_DIFFERS",
  "CHECKSUM_DIFFERS",
  "WAV_NOT_RIFF",
]);

/** The first bytes of an upload. */
export class FirstBytes {
  #bytes: Uint8Array = new Uint8Array();

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get areEnough(): boolean {
    return this.#bytes.byteLength >= WRAPPING_BYTES;
  }

  /** Keeps what is missing of the next piece. */
  note(piece: Uint8Array): void {
    if (!this.areEnough)
      this.#bytes = Buffer.concat([this.#bytes, piece.subarray(0, WRAPPING_BYTES)]);
  }
}

/** The start of a refused upload. */
interface RefusedUpload {
  readonly file: string;
  /** Number of the file's bytes before these. */
  readonly offset: number;
  readonly first: FirstBytes;
}

/**
 * Returns a better refusal of an upload whose bytes are wrapped in a form or an encoding (rule U11); otherwise the error
 * as it is. A file that is accepted is never looked at.
 */
export async function explainRefusal(
  error: unknown,
  call: Call,
  { file, offset, first }: RefusedUpload,
): Promise<unknown> {
  if (!(error instanceof Refusal) || !EXPLAINED.has(error.code)) return error;
  await readFirst(call, first);
  const wrapping = wrappingOf(call, first.bytes, offset);
  if (wrapping === undefined) return error;
  const { field: _, ...about } = error.extras.about ?? {};
  return wrapping === FORM
    ? refusal("FILE_IN_FORM", {}, { about })
    : refusal("FILE_ENCODED", { file, encoding: wrapping }, { about });
}

/** The bytes say more than the headers. In the middle of a file, only a form is surely no audio. */
function wrappingOf(call: Call, bytes: Uint8Array, offset: number): string | undefined {
  if (/^(?:RIF|RF64|BW64)/.test(String.fromCharCode(...bytes.subarray(0, 4)))) return undefined;
  const byBytes = wrappingOfWav(bytes);
  if (byBytes === FORM || (byBytes !== undefined && offset === 0)) return byBytes;
  return contentType(call) === FORM_TYPE ? FORM : contentEncoding(call);
}

/** Reads on, unless the sender waits for a 100 that it won't get (rule E6). */
async function readFirst({ request, timers }: Call, first: FirstBytes): Promise<void> {
  if (request.headers.expect !== undefined) return;
  using reader = new BodyReader(request.raw, timers);
  const endsAt = timers.now() + FIRST_BYTES_MS;
  while (!first.areEnough) {
    const piece = await reader.next(endsAt - timers.now());
    if (piece === null || piece === "stalled") return;
    first.note(piece);
  }
}
