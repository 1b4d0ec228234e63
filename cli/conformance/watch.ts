import { isJsonObject } from "../../core/text/json-object.ts";
import type { Answer } from "./answer.ts";
import { assert, assertMatches, partOf, show } from "./assert.ts";
import { AssertionFailure } from "./assertion-failure.ts";
import { isShown } from "./contract.ts";
import { LIMITS } from "./limits.ts";

/** A promise about every answer, judged over all answers of a run. */
export interface Standing {
  readonly id: string;
  readonly rule: string;
  readonly title: string;
  /** Section and words of the public specification that promise it. */
  readonly spec?: string;
  /** @throws {AssertionFailure} */
  readonly judge: (answer: Answer) => void;
}

const STATES = new Set(["uploading", "waiting", "imported", "partial", "failed", "expired"]);
/** Refusals that something in front of a relay often makes: what is too large or too slow, and its own trouble. */
const OF_PROXIES = new Set([408, 411, 413, 414, 431]);
const NEED_NO_TOKEN = new Set(["/pair/claim", "/importer/register", "/importer/hello", "/nowhere"]);
const EXPOSED = [
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "www-authenticate",
  "x-request-id",
  "soundferry-relay",
  "upload-offset",
  "upload-complete",
  "upload-limit",
  "upload-length",
];

/** Every standing promise, in the report's order. */
export const STANDING: readonly Standing[] = [
  {
    id: "every-error-has-a-sentence",
    rule: "E1",
    title: "every answer of 400 or above is JSON with an `error` of at most 80 characters",
    spec: "7: {error: string}, plain English, at most 80 characters",
    judge: (answer) => {
      if (answer.status < 400 || isHead(answer) || isOpen(answer)) return;
      const error = partOf(answer.json, "error");
      const holds =
        typeof error === "string" &&
        error.trim() !== "" &&
        lengthOf(error, answer) <= LIMITS.errorUnits;
      assert(holds, `${answer.asked} answered ${answer.status} with the error ${show(error)}.`);
    },
  },
  {
    id: "every-answer-has-an-id",
    rule: "E2",
    title: "every answer has an X-Request-Id",
    judge: ({ asked, headers }) =>
      assertMatches(headers["x-request-id"], /^\S+$/, `${asked}: X-Request-Id`),
  },
  {
    id: "no-answer-fails-inside",
    rule: "E2",
    title: "no answer is a 500",
    judge: ({ asked, status }) => assert(status !== 500, `${asked} answered 500.`),
  },
  {
    id: "every-error-has-a-code",
    rule: "E3",
    title: "every error has a `code` in UPPER_SNAKE",
    judge: (answer) => {
      if (answer.status < 400 || isHead(answer)) return;
      const code = partOf(answer.json, "code");
      assertMatches(code, /^[A-Z][A-Z0-9_]*$/, `${answer.asked}: code`);
    },
  },
  {
    id: "every-answer-is-open-to-pages",
    rule: "C1",
    title: "every answer outside the importer's API lets any page read it",
    spec: "1: each answer allows any origin; a page can read the Retry-After header",
    judge: (answer) => {
      const { asked, path, origin, headers, contract } = answer;
      // The relay decides whether an address with an encoded letter is the importer's.
      if (isImporters(path.replace("%69", "i")) || isOpen(answer)) return;
      const allowed = headers["access-control-allow-origin"];
      const isAllowed = allowed === "*" || (contract === "public" && allowed === origin);
      assert(isAllowed, `${asked}: Access-Control-Allow-Origin is ${show(allowed)}.`);
      const exposed = (headers["access-control-expose-headers"] ?? "")
        .toLowerCase()
        .split(/\s*,\s*/);
      if (contract === "public" && exposed.includes("*")) return;
      const isDue = (name: string) =>
        contract === "whole" || (name === "retry-after" && headers[name] !== undefined);
      const hidden = EXPOSED.filter(isDue).find((name) => !exposed.includes(name));
      assert(hidden === undefined, `${asked}: Access-Control-Expose-Headers lacks ${hidden}.`);
    },
  },
  {
    id: "no-importer-answer-is-open-to-pages",
    rule: "C3",
    title: "no answer of the importer's API carries CORS headers",
    judge: ({ asked, path, headers }) =>
      assert(
        !isImporters(path) || headers["access-control-allow-origin"] === undefined,
        `${asked} carries Access-Control-Allow-Origin.`,
      ),
  },
  {
    id: "every-401-names-its-scheme",
    rule: "A2",
    title: "every 401 says WWW-Authenticate: Bearer",
    judge: ({ asked, status, headers }) => {
      if (status === 401) {
        assertMatches(headers["www-authenticate"], /^Bearer\b/, `${asked}: WWW-Authenticate`);
      }
    },
  },
  {
    id: "no-401-without-a-token",
    rule: "A2",
    title: "no call that needs no token is answered 401",
    spec: "7: 401 only when the token is unknown or revoked",
    judge: (answer) => {
      const { asked, path, status } = answer;
      if (isOpen(answer)) return;
      assert(status !== 401 || !NEED_NO_TOKEN.has(path), `${asked} answered 401.`);
    },
  },
  {
    id: "every-429-says-when",
    rule: "L1",
    title: "every 429 carries Retry-After in whole seconds, at least 1",
    spec: "7: 429 has the header Retry-After: seconds to wait",
    judge: ({ asked, status, headers, contract }) => {
      const seconds = contract === "public" ? /^\d+$/ : /^[1-9]\d*$/;
      if (status === 429) assertMatches(headers["retry-after"], seconds, `${asked}: Retry-After`);
    },
  },
  {
    id: "every-status-is-known",
    rule: "S1",
    title: "every package's status is one of the six",
    spec: "3: uploading, waiting, imported, partial, failed, expired",
    judge: ({ asked, method, path, status, json }) => {
      if (status !== 200 || method !== "GET" || !/^\/packages\/[^/]+\/status(\?|$)/.test(path))
        return;
      const state = partOf(json, "status");
      const isKnown = typeof state === "string" && STATES.has(state);
      assert(isKnown, `${asked}: its status is ${show(state)}.`);
    },
  },
  {
    id: "every-507-says-when",
    rule: "L2",
    title: "every 507 and 503 carries Retry-After in whole seconds, at least 1",
    judge: ({ asked, status, headers }) => {
      if (status === 507 || status === 503)
        assertMatches(headers["retry-after"], /^[1-9]\d*$/, `${asked}: Retry-After`);
    },
  },
  {
    id: "no-cache-keeps-an-answer",
    rule: "SEC1",
    title: "every refusal and every answer about apps and packages says Cache-Control: no-store",
    judge: ({ asked, path, status, headers }) => {
      if (status < 400 && !/^\/(pair|app|packages|importer)\b/.test(path)) return;
      assertMatches(headers["cache-control"], /\bno-store\b/, `${asked}: Cache-Control`);
    },
  },
  {
    id: "no-answer-is-guessed",
    rule: "P11",
    title: "every answer says X-Content-Type-Options: nosniff",
    judge: ({ asked, headers }) =>
      assertMatches(
        headers["x-content-type-options"],
        /^nosniff$/,
        `${asked}: X-Content-Type-Options`,
      ),
  },
  {
    id: "every-end-has-its-seconds",
    rule: "S7",
    title: "every `expires_at` has an `expires_in` in whole seconds",
    judge: ({ asked, json }) => judgeEnds(json, asked),
  },
];

/** Collects the first failure of each standing promise. */
export class Watch {
  readonly #first = new Map<string, string>();

  readonly see = (answer: Answer): void => {
    for (const { id, judge } of STANDING) {
      try {
        judge(answer);
      } catch (error) {
        const reason = error instanceof AssertionFailure ? error.message : String(error);
        if (!this.#first.has(id)) this.#first.set(id, reason);
      }
    }
  };

  /** A sentence on the first answer that broke the promise. */
  failureOf(standing: Standing): string | undefined {
    return this.#first.get(standing.id);
  }
}

/** True for an answer in a public run that the specification leaves open: of another address, or maybe a proxy's. */
function isOpen({ contract, method, path, status, json }: Answer): boolean {
  if (contract === "whole") return false;
  const isOfProxy = json === undefined && (status >= 500 || OF_PROXIES.has(status));
  return !isShown(method, path) || isOfProxy;
}

/** The public specification counts characters, and doesn't say which. */
function lengthOf(text: string, { contract }: Answer): number {
  return contract === "public" ? Array.from(text).length : text.length;
}

/** An answer without a body, whatever its status. */
function isHead({ method }: Answer): boolean {
  return method === "HEAD";
}

function isImporters(path: string): boolean {
  return /^\/importer(\/|\?|$)/.test(path);
}

function judgeEnds(value: unknown, asked: string): void {
  if (Array.isArray(value)) {
    for (const entry of value) judgeEnds(entry, asked);
  } else if (isJsonObject(value)) {
    if (Object.hasOwn(value, "expires_at")) {
      const [ends, seconds] = [value["expires_at"], value["expires_in"]];
      const holds = ends === null ? seconds === null : Number.isInteger(seconds);
      assert(holds, `${asked}: expires_in is ${show(seconds)}.`);
    }
    for (const entry of Object.values(value)) judgeEnds(entry, asked);
  }
}
