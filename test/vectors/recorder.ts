import { isJsonObject } from "../../core/text/json-object.ts";
import type { CallAnswer, RunningRelay } from "../relay/running-relay.ts";
import { bytesOf, type Exchange, sha256Of, type VectorSound } from "./vector.ts";

/** The headers of an answer that are kept: those that a client acts on. */
const KEPT_HEADERS =
  /^(soundferry-relay|retry-after|upload-(offset|complete|limit|length|draft-interop-version))$/;
const ISO_DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** Spans depend on how fast a machine is by a second or two. */
const ROUNDED_SECONDS = 60;
const BYTES_LEFT = 1024 ** 3;

export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** Bytes from this offset on. */
  readonly sound?: { readonly of: VectorSound; readonly from?: number };
  readonly hasToken?: boolean;
}

/** Makes calls to a relay and writes them down, with every id, token and time replaced by a fixed one. */
export class Recorder {
  readonly #relay: RunningRelay;
  readonly #replaced = new Map<string, string>();

  constructor(relay: RunningRelay) {
    this.#relay = relay;
  }

  /** From now on this text is written down as another. */
  replace(found: string, by: string): void {
    this.#replaced.set(found, by);
  }

  /** Makes the call and returns it as an exchange, with the answer as it came. */
  async record(
    token: string,
    call: RecordedCall,
    need: Exchange["need"] = "must",
  ): Promise<{ readonly exchange: Exchange; readonly answer: CallAnswer }> {
    const { method, path, headers = {}, json, sound, hasToken = true } = call;
    const bytes = sound === undefined ? undefined : bytesOf(sound.of).subarray(sound.from ?? 0);
    const body = bytes ?? json;
    const answer = await this.#relay.call(method, path, {
      headers: { ...headers },
      ...(hasToken && { token }),
      ...(body !== undefined && { body }),
    });
    return { answer, exchange: this.#fixed(this.#exchangeOf(token, call, bytes, answer, need)) };
  }

  /** The same with every id, token and time replaced. */
  fixed<Value>(value: Value): Value {
    return this.#fixed(value);
  }

  #exchangeOf(
    token: string,
    { method, path, headers = {}, json, hasToken = true }: RecordedCall,
    bytes: Uint8Array | undefined,
    { status, headers: got, json: body }: CallAnswer,
    need: Exchange["need"],
  ): Exchange {
    return {
      need,
      request: {
        method,
        path,
        headers: { ...headers, ...(hasToken && { authorization: `Bearer ${token}` }) },
        ...(json !== undefined && { body: { json } }),
        ...(bytes !== undefined && { body: { sha256: sha256Of(bytes) } }),
      },
      answer: {
        status,
        headers: Object.fromEntries([...got].filter(([name]) => KEPT_HEADERS.test(name))),
        ...(body !== undefined && { body }),
      },
    };
  }

  #fixed<Value>(value: Value): Value {
    const fix = (one: unknown, name: string): unknown => {
      if (typeof one === "string") return this.#fixedText(one, name);
      if (typeof one === "number" && name === "expires_in") return rounded(one);
      // It depends on the disk.
      if (name === "bytes_left") return BYTES_LEFT;
      if (Array.isArray(one)) return one.map((each) => fix(each, name));
      if (!isJsonObject(one)) return one;
      return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, fix(each, key)]));
    };
    return fix(value, "") as Value;
  }

  #fixedText(text: string, name: string): string {
    let fixed = text.replaceAll(ISO_DATE, "2026-01-31T12:00:00.000Z");
    for (const [found, by] of this.#replaced) fixed = fixed.replaceAll(found, by);
    if (name !== "upload-limit") return fixed;
    return fixed.replace(/max-age=(\d+)/, (_, age) => `max-age=${rounded(Number(age))}`);
  }
}

function rounded(seconds: number): number {
  return Math.round(seconds / ROUNDED_SECONDS) * ROUNDED_SECONDS;
}
