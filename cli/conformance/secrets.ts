import { onOneLine, shorten } from "../../core/text/shorten.ts";
import { partOf } from "./assert.ts";
import type { Answer } from "./answer.ts";

/** Pairing codes have six characters; what is shorter can't be told from words. */
const SHORTEST = 6;
/** So much of a token shows which one it is. */
const TELLING = 12;
/** No sentence quotes more of a token. */
const MOST_KEPT = 200;
/** The most characters of a reason. */
const LONGEST_REASON = 500;
const MARK = "(hidden)";

/** The tokens and codes of a run, which no report has (rule Q2), whatever a relay puts into its answers. */
export class Secrets {
  readonly #known = new Set<string>();

  /** Remembers a token or a code. Anything else is none. */
  add(secret: unknown): void {
    if (typeof secret !== "string" || secret.trim().length < SHORTEST) return;
    const kept = secret.trim().slice(0, MOST_KEPT);
    this.#known.add(kept).add(JSON.stringify(kept).slice(1, -1));
  }

  /** Remembers those that an answer gives. */
  readonly see = ({ path, status, json }: Answer): void => {
    this.add(partOf(json, "importer_token"));
    this.add(partOf(json, "app_token"));
    // A refusal has a code, too.
    if (path === "/importer/pairing-code" && status < 400) this.add(partOf(json, "code"));
  };

  /** Makes a reason fit for a report: on one line, not too long, and without secrets or the beginnings of any. */
  hide(reason: string): string {
    let text = reason;
    for (const secret of this.#known) text = without(text, secret);
    return shorten(onOneLine(text), LONGEST_REASON);
  }
}

function without(text: string, secret: string): string {
  const head = secret.slice(0, TELLING);
  let [rest, hidden] = [text, ""];
  for (let at = rest.indexOf(head); at !== -1; at = rest.indexOf(head)) {
    let length = head.length;
    while (length < secret.length && rest[at + length] === secret[length]) length += 1;
    hidden += rest.slice(0, at) + MARK;
    rest = rest.slice(at + length);
  }
  return hidden + rest;
}
