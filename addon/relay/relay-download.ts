import { lookup } from "node:dns";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { URL } from "node:url";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import { type SoundPart, soundPartIn } from "../../core/importer/sound-part.ts";
import { nodeHttp } from "../../program/node-http.ts";
import { freeReads } from "./free-reads.ts";
import { answerTo, ignoreBody, readJson, type Watch } from "./http-answer.ts";
import { notTheSound, refusalIn, RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import { networkTrouble } from "./relay-errors.ts";
import type { OpenedFile } from "./relay-port.ts";
import { isPublicAddress, maySendTo } from "./relay-url.ts";

/**
 * Reads the answer to a request for a file, from its start or from `startByte` on.
 * @throws {RelayError} when the relay, or something on the way, refused
 * @throws {RelayUnreachableError} when the answer is not that part of a sound, such as a page of HTML
 */
export async function readDownload(
  answer: IncomingMessage,
  { signal, host }: { readonly signal: AbortSignal; readonly host: string },
): Promise<OpenedFile> {
  const { statusCode: status = 0, headers } = answer;
  if (status !== 200 && status !== 206) {
    throw refusalIn({ status, headers, body: await readRefusal(answer, host) }, host);
  }
  const part = partIn(answer);
  if (part === undefined) {
    answer.destroy();
    throw notTheSound(host);
  }
  freeReads(answer);
  return { ...part, body: piecesOf(answer, signal, host) };
}

function partIn({ statusCode, headers }: IncomingMessage): SoundPart | undefined {
  return soundPartIn(statusCode, (name) => headers[name]?.toString());
}

async function readRefusal(answer: IncomingMessage, host: string): Promise<unknown> {
  try {
    return await readJson(answer, { maxBytes: MAX_JSON_BYTES, host });
  } catch (error) {
    throw error instanceof RelayUnreachableError ? error : networkTrouble(error, host);
  }
}

async function* piecesOf(
  answer: IncomingMessage,
  signal: AbortSignal,
  host: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* answer as AsyncIterable<Uint8Array>;
  } catch (error) {
    signal.throwIfAborted();
    throw networkTrouble(error, host);
  }
}

const MAX_ADDRESS_CHARACTERS = 8192;
const SILENCE_LIMIT_MS = 60_000;

export interface Following {
  /** The relay's redirect, which names the address. */
  readonly answer: IncomingMessage;
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
  /** Replaced in tests. */
  readonly resolve?: typeof lookup;
}

/**
 * Follows a relay's redirect to a sound (rule SC15). The relay isn't trusted with it: the address must begin with
 * `https://` and be public, judged by the IP address of the actual connection. Only a relay in a private network may
 * redirect to others there, and only a relay at this computer to this computer; then also with `http://`. No token is
 * sent, and no second redirect is followed.
 * @returns undefined if the address isn't followed, or doesn't answer with the sound: then the relay has to send it
 */
export async function followRedirect(following: Following): Promise<IncomingMessage | undefined> {
  const { answer, headers, signal } = following;
  const relayAt = answer.socket.remoteAddress;
  const url = addressIn(answer.headers.location, relayAt);
  ignoreBody(answer);
  if (url === undefined) return undefined;
  try {
    const { request } = url.protocol === "https:" ? https : nodeHttp;
    const asked = request(url, {
      headers,
      signal,
      agent: false,
      lookup: checkedLookup(relayAt, following.resolve ?? lookup),
    });
    const got = await answerTo(asked, undefined, watchSilence);
    if (partIn(got) !== undefined) return got;
    got.destroy();
  } catch {
    signal.throwIfAborted();
  }
  return undefined;
}

const watchSilence: Watch = (request, giveUp) => request.setTimeout(SILENCE_LIMIT_MS, giveUp);

/**
 * Returns a DNS lookup that allows only addresses to which the relay may redirect: a name may have another address
 * than when it was checked.
 */
export function checkedLookup(relayAt: string | undefined, resolve: typeof lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const allowed =
        error === null ? found.filter(({ address }) => maySendTo(address, relayAt)) : [];
      const [first] = allowed;
      if (first === undefined) {
        callback(error ?? new Error(`${hostname} has no public address.`), "");
      } else if (options.all === true) callback(null, [...allowed]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns the address of a redirect; undefined for one that isn't followed. */
export function addressIn(
  location: string | undefined,
  relayAt: string | undefined,
): URL | undefined {
  if (location === undefined || location.length > MAX_ADDRESS_CHARACTERS) return undefined;
  if (!URL.canParse(location)) return undefined;
  const url = new URL(location);
  const isNear = relayAt !== undefined && !isPublicAddress(relayAt);
  const isAllowed = url.protocol === "https:" || (isNear && url.protocol === "http:");
  if (!isAllowed || url.username !== "" || url.password !== "") return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Node does not look up a name that is an address.
  if (isIP(host) !== 0 && !maySendTo(host, relayAt)) return undefined;
  return url;
}
