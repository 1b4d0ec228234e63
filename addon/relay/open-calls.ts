import type { Duplex } from "node:stream";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import {
  type HelloAnswer,
  IMPORTER_APIS,
  IMPORTER_HEADER,
  REGISTRATION_KEY_HEADER,
  type RegisterAnswer,
} from "../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { VERSION } from "../../core/version.ts";
import { HttpConnection, type JsonCall } from "./http-connection.ts";
import { isHello, isRegistered } from "../../core/importer/relay-answers.ts";
import {
  notSoundferry,
  refusalIn,
  RelayUnreachableError,
} from "../../core/importer/relay-errors.ts";
import { parseRelayUrl } from "./relay-url.ts";

// The calls that need no token.

/** Headers with the importer's version (rule I4). */
export const IMPORTER_HEADERS = { [IMPORTER_HEADER]: `${VERSION}; api=${IMPORTER_APIS.at(-1)}` };

/**
 * Checks without a token that a compatible relay answers.
 * @param over the connection to ask on; by default a new one, because an open one may lead to an earlier relay
 * @throws {RelayError} 426 with the relay's own sentence when this importer is too old for it
 * @throws {RelayUnreachableError} when it is not a relay, is too old, or can't be reached
 */
export async function callHello(
  http: HttpConnection,
  over: Duplex | "new" = "new",
): Promise<HelloAnswer> {
  const answer = await http.call({
    method: "GET",
    path: "/importer/hello",
    maxAnswerBytes: MAX_JSON_BYTES,
    over,
  });
  const { status } = answer;
  if (status === 426 || status === 429 || status >= 500) throw refusalIn(answer, http.host);
  if (!isHello(answer.body)) throw notSoundferry(http.host);
  const spoken = answer.body.importer_api;
  if (spoken.some((version) => IMPORTER_APIS.some((own) => own === version))) return answer.body;
  throw new RelayUnreachableError(
    Math.max(...spoken) > Math.max(...IMPORTER_APIS)
      ? `This version is too old for the relay at ${http.host}. Update Soundferry.`
      : `The relay at ${http.host} is too old for this version of Soundferry. Tell its operator.`,
  );
}

/** Requests a new identity (rule P1); a private relay needs its registration key (rule L4). */
export function registerImporter(
  http: HttpConnection,
  request: {
    readonly deviceName: string;
    readonly registrationKey: string | undefined;
    /** The relay's instance as `hello` named it. */
    readonly instance: string | undefined;
  },
): Promise<RegisterAnswer> {
  return askRelay(http, isRegistered, {
    method: "POST",
    path: "/importer/register",
    to: { instance: request.instance },
    headers: {
      ...(request.registrationKey !== undefined && {
        [REGISTRATION_KEY_HEADER]: request.registrationKey,
      }),
    },
    body: { device_name: request.deviceName },
  });
}

/**
 * Makes a call whose answer is JSON of a shape.
 * @throws {RelayError} when the relay refuses
 * @throws {RelayUnreachableError} when something else answers, or nothing
 */
export async function askRelay<Body>(
  http: HttpConnection,
  isExpected: (body: unknown) => body is Body,
  call: Omit<JsonCall, "maxAnswerBytes"> & { readonly maxAnswerBytes?: number },
): Promise<Body> {
  const answer = await http.call({ maxAnswerBytes: MAX_JSON_BYTES, ...call });
  if (answer.status < 200 || answer.status >= 300) throw refusalIn(answer, http.host);
  if (!isExpected(answer.body)) throw notSoundferry(http.host);
  return answer.body;
}

/** The version of the importer's API that is spoken with a relay: the newest that both know (rule I4). */
export class SpokenApi {
  #version: number = Math.max(...IMPORTER_APIS);

  /** Returns the header that names this importer. */
  readonly headers = (): Record<string, string> => ({
    [IMPORTER_HEADER]: `${VERSION}; api=${this.#version}`,
  });

  /** Like `callHello`; later calls speak the version that the relay knows. */
  async hello(http: HttpConnection, over?: Duplex): Promise<HelloAnswer> {
    const answer = await callHello(http, over);
    const common = answer.importer_api.filter((version) =>
      IMPORTER_APIS.some((own) => own === version),
    );
    this.#version = Math.max(...common);
    return answer;
  }
}

/** Timeout of `hello`; short, because a person is waiting. */
const HELLO_LIMIT_MS = 10_000;

/**
 * Checks that a compatible relay answers at an address.
 * @param address as a person types it
 * @returns the address normalized by `parseRelayUrl`
 * @throws {Error} with a sentence that says what is wrong
 */
export async function findRelay(address: string): Promise<string> {
  const relayUrl = parseAddress(address);
  const http = new HttpConnection({
    baseUrl: relayUrl,
    headers: IMPORTER_HEADERS,
    answerDeadlineMs: HELLO_LIMIT_MS,
  });
  try {
    await callHello(http);
  } finally {
    http.close();
  }
  return relayUrl;
}

function parseAddress(text: string): string {
  try {
    return parseRelayUrl(text);
  } catch (error) {
    throw new Error(`This ${sentenceOf(error)}`, { cause: error });
  }
}
