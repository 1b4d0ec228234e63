import { homedir, hostname, userInfo } from "node:os";
import { basename } from "node:path";
import type { LiveFact, LiveFacts } from "../../core/protocol/live-report.ts";
import { shorten } from "../../core/text/shorten.ts";

/** The largest length of a text: Live's texts are a sentence, and a longer one may contain anything. */
const LONGEST = 300;
const MOST_UNITS = 2000;
const SHORTEST_NAME = 2;
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
/** The form of paths, to the end of the line or the quotes: a path may have spaces. */
const PATHS =
  /(?:\b[a-z]:|\\|~)?(?<!\d(?=\/\d))[\\/](?=[^\s\\/])[^"“”\n]*|\b[a-z]:[\\/][^"“”\n]*/gi;
const ADDRESSES =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\S+@\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\b(?:localhost|(?:[\w-]+\.)+(?:local|lan|com|net|org|io|app|dev))\b(?::\d+)?|(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}/gi;
/** The form of secrets: long runs without a space. */
const TOKENS =
  /[\w+=.~-]*(?=[\w+=.~-]*\d)[\w+=.~-]{20,}|\b[0-9a-f]{16,}\b|\b\w{8}-\w{4}-\w{4}-\w{4}-\w{12}\b/gi;

/** Returns names of this computer and its user, which no report may contain. */
export function namesHere(): readonly string[] {
  const home = homedir();
  const names = [home, basename(home), hostname(), hostname().split(".", 1)[0] ?? ""];
  return [...names, userNameOrEmpty()].filter((name) => name.length >= SHORTEST_NAME);
}

/**
 * Replaces everything private in facts (rule H21): paths to their last character, addresses, secrets, and
 * these names, in upper or lower case.
 */
export function hidePrivate(facts: LiveFacts, names: readonly string[]): LiveFacts {
  const hide = hider(names);
  const hideIn = (fact: LiveFact): LiveFact => {
    if (typeof fact === "string") return hide(fact);
    return isList(fact) ? fact.map(hideIn) : fact;
  };
  return Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, hideIn(fact)]));
}

/** Returns a function that replaces everything private in one text. */
export function hider(names: readonly string[]): (text: string) => string {
  const wanted = names.filter(({ length }) => length >= SHORTEST_NAME);
  const escaped = wanted.toSorted((one, other) => other.length - one.length).map(escape);
  const known = new RegExp(`(?<!\\p{L})(?:${escaped.join("|")})(?!\\p{L})`, "giu");
  return (text) => {
    const plain = text
      .slice(0, MOST_UNITS)
      .normalize("NFC")
      .replaceAll(CONTROLS, " ")
      .replaceAll(ADDRESSES, "<address>")
      .replaceAll(PATHS, "<path>")
      .replaceAll(TOKENS, "<token>");
    return shorten(escaped.length > 0 ? plain.replaceAll(known, "<name>") : plain, LONGEST);
  };
}

function isList(fact: LiveFact): fact is readonly LiveFact[] {
  return Array.isArray(fact);
}

/** Returns the user's name; empty where the system has none. */
function userNameOrEmpty(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** Quotes a text for a regular expression. */
function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
