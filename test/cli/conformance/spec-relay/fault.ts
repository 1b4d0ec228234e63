import { isObject, type SpecLaws } from "./judge.ts";
import type { SpecCall, SpecHandler, SpecReply } from "./wire.ts";

/** A way in which a relay breaks one sentence of the public specification. */
export interface SpecFault {
  readonly name: string;
  /** Section and sentence that it breaks. */
  readonly says: string;
  /** The limit that a run must use up to see the fault. */
  readonly needs?: "limit";
  readonly laws?: Partial<SpecLaws>;
  readonly around?: (next: SpecHandler) => SpecHandler;
}
type Fields = Record<string, unknown>;
type Where = (call: SpecCall) => boolean;

export const at =
  (method: string, path: RegExp): Where =>
  (call) =>
    call.method === method && path.test(call.path);
export const CLAIM = at("POST", /^\/pair\/claim$/);
export const ME = at("GET", /^\/app\/me$/);
export const UNPAIR = at("POST", /^\/app\/unpair$/);
export const ANNOUNCE = at("POST", /^\/packages$/);
export const UPLOAD = at("PUT", /\/files\//);
export const COMMIT = at("POST", /\/commit$/);
export const STATUS = at("GET", /\/status$/);
export const WITHDRAW = at("DELETE", /^\/packages\/[^/]+$/);
export const PREFLIGHT: Where = ({ method }) => method === "OPTIONS";
export const ANY: Where = () => true;

/** A rule of the manifest, the upload or the commit that the relay does not know. */
export const forgets = (rule: string, says: string): SpecFault => ({
  name: `forgets: ${rule}`,
  says,
  laws: { forgotten: new Set([rule]) },
});

/** Answers that are changed on their way out. */
export const answers = (
  name: string,
  says: string,
  where: Where,
  change: (reply: SpecReply) => Partial<SpecReply> | false,
): SpecFault => ({
  name,
  says,
  around: (next) => async (call) => {
    const reply = await next(call);
    return where(call) ? { ...reply, ...change(reply) } : reply;
  },
});

/** Members of a success that are changed on their way out; undefined leaves one out. */
export const members = (
  name: string,
  says: string,
  where: Where,
  change: (body: Fields) => Fields,
): SpecFault =>
  answers(
    name,
    says,
    where,
    ({ status, body }) => status < 400 && isObject(body) && { body: { ...body, ...change(body) } },
  );

/** Calls that the specification allows and that are refused, judged with their body as JSON (or text). */
export const refuses = (
  name: string,
  says: string,
  where: Where,
  isRefused: (call: SpecCall, body: unknown) => boolean,
  status = 422,
): SpecFault => ({
  name,
  says,
  around: (next) => async (call) => {
    if (!where(call)) return await next(call);
    const seen = UPLOAD(call) ? { call, body: undefined } : await readAhead(call);
    if (!isRefused(seen.call, seen.body)) return await next(seen.call);
    const headers = { "access-control-allow-origin": "*" };
    return { status, headers, body: { error: "This relay does not like that." } };
  },
});

/** Announcements that are refused for one of their sounds. */
export const refusesSound = (
  name: string,
  says: string,
  isRefused: (sound: Fields) => boolean,
): SpecFault => refuses(name, says, ANNOUNCE, (_, manifest) => soundsOf(manifest).some(isRefused));

/** A header that is changed, or left out where `to` is undefined. */
export const header = (
  name: string,
  says: string,
  where: Where,
  key: string,
  to: (value: string) => string | undefined,
): SpecFault =>
  answers(name, says, where, ({ headers }) => {
    const { [key]: value, ...others } = headers;
    const changed = value === undefined ? undefined : to(value);
    return { headers: changed === undefined ? others : { ...others, [key]: changed } };
  });

/** The sounds of something that may be a manifest. */
export function soundsOf(manifest: unknown): Fields[] {
  const items = isObject(manifest) ? manifest["items"] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** A call with its body read, as JSON where it is, and a call that can be read again. */
export async function readAhead(call: SpecCall): Promise<{ call: SpecCall; body: unknown }> {
  const parts: Buffer[] = [];
  for await (const part of call.body) parts.push(part);
  const bytes = Buffer.concat(parts);
  return { call: withBody(call, bytes), body: parsed(bytes.toString()) };
}

export const withBody = (call: SpecCall, bytes: Buffer): SpecCall => ({
  ...call,
  body: (async function* () {
    yield await Promise.resolve(bytes);
  })(),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
