import { isJsonObject } from "../../../../core/text/json-object.ts";
import type { Answered, Asked, Break } from "./breaking-proxy.ts";
import { ANNOUNCE, HEADERS, is, resend } from "./tools.ts";

/** JSON of any shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- a fault reaches into bodies of every shape
export type Json = any;

/** The importer's list, or one package of it. */
export const LISTED = /^\/importer\/packages(\/[^/]+)?$/;

/** The id of the package in a path. */
export function packageOf({ path }: Asked): string {
  return /pkg_[\w-]+/.exec(path)?.[0] ?? "";
}

/** The caller's token. */
export function tokenOf({ headers }: Asked): string {
  return String(headers["authorization"]).replace(/^bearer /i, "");
}

export function soundsOf(manifest: Json): Json[] {
  const items: unknown = isJsonObject(manifest) ? manifest["items"] : undefined;
  return Array.isArray(items) ? items.filter((item) => isJsonObject(item)) : [];
}

/** The ids that the sounds of an announced manifest get, where none is taken or wrong. */
export function idsOf(manifest: Json): string[] {
  return soundsOf(manifest).map(({ id }, index) => String(id ?? index + 1));
}

/** Changes JSON on its way to the relay. */
export function sending(
  method: string,
  path: RegExp,
  change: (sent: Json, asked: Asked) => void,
): Break {
  return {
    seesBody: true,
    ask: (asked) => {
      if (!is(asked, method, path) || !isJsonObject(asked.sent)) return undefined;
      resend(asked, (sent) => change(sent, asked));
      return undefined;
    },
  };
}

export function announcing(change: (manifest: Json) => void): Break {
  return sending("POST", ANNOUNCE, change);
}

export function announcingSounds(change: (sound: Json) => void): Break {
  return announcing((manifest) => soundsOf(manifest).forEach((sound) => change(sound)));
}

let refusals = 0;

/** A refusal in place of the relay's answer, with all that the relay would send beside it. */
export function refused(asked: Asked, status: number, code: string): Answered {
  const isImporters = asked.path.startsWith("/importer/");
  const headers: Answered["headers"] = {
    ...HEADERS,
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": `refusal-${(refusals += 1)}`,
  };
  if (status === 401) headers["www-authenticate"] = "Bearer";
  else if (asked.headers["authorization"] !== undefined) {
    headers["ratelimit"] = '"calls";r=500;t=0';
    headers["ratelimit-policy"] = '"calls";q=600;w=60';
  }
  if (code === "RUN_ELSEWHERE") headers["retry-after"] = "300";
  if (isImporters) {
    delete headers["access-control-allow-origin"];
    delete headers["access-control-expose-headers"];
  }
  const error = { error: "No.", code };
  const isProblem =
    status === 422 && is(asked, "POST", ANNOUNCE) && !code.startsWith("IDEMPOTENCY");
  const json = {
    ...error,
    ...(code === "RUN_ELSEWHERE" && { expires_in: 300 }),
    ...(isProblem && { problems: [error] }),
  };
  return { status, headers, json };
}

/** Refuses announcements. */
export function refusing(when: (manifest: Json) => boolean, code: string, status = 422): Break {
  return {
    seesBody: true,
    ask: (asked) =>
      is(asked, "POST", ANNOUNCE) && isJsonObject(asked.sent) && when(asked.sent)
        ? refused(asked, status, code)
        : undefined,
  };
}

/** Changes the answers of 200 to such calls. */
export function answering(
  method: string,
  path: RegExp,
  change: (answered: Answered, asked: Asked) => void,
  status = 200,
): Break {
  return {
    answer: (answered, asked) => {
      if (is(asked, method, path) && answered.status === status) change(answered, asked);
    },
  };
}

/** Changes a refusal. */
export function on(
  code: string,
  change: (answered: Answered) => void,
): NonNullable<Break["answer"]> {
  return (answered) => {
    if (answered.json?.code === code) change(answered);
  };
}

/** The packages in an answer to the importer, whether a page or a single one. */
export function packagesIn(answered: Answered, asked: Asked): Json[] {
  if (!is(asked, "GET", LISTED) || answered.status !== 200) return [];
  return answered.json.packages ?? [answered.json];
}

/** Changes the packages that the importer gets. */
export function listing(change: (listed: Json) => void): Break {
  return {
    answer: (answered, asked) => packagesIn(answered, asked).forEach((listed) => change(listed)),
  };
}

export function listingSounds(change: (sound: Json) => void): Break {
  return listing(({ manifest }) => soundsOf(manifest).forEach((sound) => change(sound)));
}

/** The same, knowing what was announced. */
export function remembering(change: (listed: Json, sent: Json) => void): () => Break {
  return () => {
    const announced = new Map<string, Json>();
    return {
      seesBody: true,
      answer: (answered, asked) => {
        if (is(asked, "POST", ANNOUNCE) && answered.status === 201) {
          announced.set(answered.json.package_id, asked.sent);
        }
        for (const listed of packagesIn(answered, asked)) {
          const sent = announced.get(listed.package_id);
          if (sent !== undefined) change(listed, sent);
        }
      },
    };
  };
}

/** Changes a whole number of a sound's or tempo's property. */
export function changeNumber(of: Json, name: string, change: (value: number) => unknown): void {
  if (typeof of?.[name] === "number") of[name] = change(of[name]);
}

export function changeText(of: Json, name: string, change: (value: string) => string): void {
  if (typeof of?.[name] === "string") of[name] = change(of[name]);
}

/** The first code points of a text. */
export function cutTo(text: string, points: number): string {
  return Array.from(text).slice(0, points).join("");
}

/** Calls the relay itself, as the caller of another call. */
export async function callBeside(
  asked: Asked,
  method: string,
  path: string,
  body?: Json,
): Promise<Json> {
  return (
    await fetchBeside(asked, path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  ).json();
}

/** The whole body of a call that asked for a part of it. */
export async function bytesBeside(asked: Asked): Promise<Buffer> {
  return Buffer.from(await (await fetchBeside(asked, asked.path)).arrayBuffer());
}

function fetchBeside(asked: Asked, path: string, init?: RequestInit): Promise<Response> {
  const { target } = asked as Asked & { readonly target: string };
  return fetch(target + path, {
    ...init,
    headers: { authorization: String(asked.headers["authorization"]) },
  });
}
