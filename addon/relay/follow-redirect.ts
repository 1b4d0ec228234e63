import { lookup } from "node:dns";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { URL } from "node:url";
import { answerTo, type Watch } from "./http-exchange.ts";
import { isPublicAddress, maySendTo } from "./public-address.ts";

const MAX_ADDRESS_CHARACTERS = 8192;
const SILENCE_LIMIT_MS = 60_000;

export interface Following {
  /** The relay's answer, which names the address. */
  readonly answer: http.IncomingMessage;
  readonly headers: http.OutgoingHttpHeaders;
  readonly signal: AbortSignal;
  /** Replaced in tests. */
  readonly resolve?: typeof lookup;
}

/**
 * Asks where the relay's answer sends the importer (rule SC15). The address is one that the relay's answer is not enough for:
 * it begins with `https://` and is public, by the IP address that is really connected to. Only a relay in a private
 * network may send to others there, and only one at this computer to this computer; then also with `http://`. No token
 * goes along, and no second redirect is followed.
 * @returns undefined if the address isn't followed, or doesn't answer with the sound: then the relay has to send it
 */
export async function followRedirect(
  following: Following,
): Promise<http.IncomingMessage | undefined> {
  const { answer, headers, signal } = following;
  const relayAt = answer.socket.remoteAddress;
  const url = addressIn(answer.headers.location, relayAt);
  answer.resume();
  if (url === undefined) return undefined;
  try {
    const { request } = url.protocol === "https:" ? https : http;
    const asked = request(url, {
      headers,
      signal,
      agent: false,
      lookup: checkedLookup(relayAt, following.resolve ?? lookup),
    });
    const got = await answerTo(asked, undefined, watchSilence);
    if (got.statusCode === 200 || got.statusCode === 206) return got;
    got.destroy();
  } catch {
    signal.throwIfAborted();
  }
  return undefined;
}

const watchSilence: Watch = (request, giveUp) => request.setTimeout(SILENCE_LIMIT_MS, giveUp);

/** A name may have another address than last time, so the one is judged that the connection is made to. */
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

/** Undefined for an address that isn't followed. */
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
  // Node looks up no name that is an address.
  if (isIP(host) !== 0 && !maySendTo(host, relayAt)) return undefined;
  return url;
}
