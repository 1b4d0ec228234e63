import { FOLLOWING_SENTENCES } from "../protocol/run-sentences.ts";
import { ENGLISH, type MessageKey } from "./en/english.ts";
import { matcherOf, type Params, translateLoosely } from "./translate-refusal.ts";
import type { Translate } from "./translate.ts";

// An import's notes and errors come as English sentences, because apps read them, too. A page finds the template of each
// (rule N28), and translates it with its params.

/** A part of a sentence that is more than a name. */
interface ParamKind {
  /** A regular expression, without groups, that fits each such part; any text by default. */
  readonly pattern?: string;
  /** Returns false for a part that isn't of this kind although the pattern fits; all are by default. */
  readonly isKnown?: (part: string) => boolean;
  readonly translate?: (t: Translate, part: string) => string;
}

const NUMBER = {
  pattern: String.raw`[-+]?\d+(?:\.\d+)?(?:e-\d+)?`,
  translate: (t: Translate, part: string): string => {
    const size = t("format.number", { value: Number(part.replace(/^[-+]/, "")) });
    return `${part.startsWith("-") ? "−" : part.startsWith("+") ? "+" : ""}${size}`;
  },
};

/** One thing before a colon. */
const UP_TO_COLON: ParamKind = { pattern: "(?:(?!: ).)+?" };

const LIVE: ParamKind = {
  pattern: String.raw`(?:This )?Live(?: [\w.]+)*`,
  translate: (t, part) => translatePart(t, "word", part),
};

/** A folder that is unknown; any other folder is a name. */
const OUR_FOLDER = "word.our_folder";

/** The kinds by the placeholders' names; other placeholders are names, and stay as they are. */
const KINDS: Readonly<Record<string, ParamKind>> = {
  ...Object.fromEntries(
    "bpm heldBpm db leastDb mostDb seconds fileSeconds gapSeconds minutes count line column color heldColor semitones cents"
      .split(" ")
      .map((name) => [name, NUMBER]),
  ),
  file: { pattern: String.raw`(?:(?!: ).)+?\.\w+` },
  relay: { pattern: String.raw`\S+` },
  variable: { pattern: String.raw`\S+` },
  status: { pattern: String.raw`\S+` },
  limit: { pattern: String.raw`\d+ \w+` },
  ids: { pattern: String.raw`\S+(?:, \S+)*` },
  host: UP_TO_COLON,
  live: LIVE,
  sound: { pattern: String.raw`Sound \d+(?: ".*?")?` },
  gain: {
    pattern: `${NUMBER.pattern} dB`,
    translate: (t, part) => {
      const value = NUMBER.translate(t, part.replace(" dB", ""));
      return t("format.decibels", { value });
    },
  },
  beats: {
    pattern: `${NUMBER.pattern} beats?`,
    translate: (t, part) => t("format.beats", { count: Number.parseFloat(part) }),
  },
  step: {
    ...UP_TO_COLON,
    isKnown: (part) => find("step", part) !== undefined,
    translate: (t, part) => translatePart(t, "step", part),
  },
  steps: { translate: (t, part) => translateList(t, "step", part) },
  things: { translate: (t, part) => translateList(t, "word", part) },
  settings: { translate: (t, part) => translateList(t, "word", part) },
  setting: { ...UP_TO_COLON, translate: (t, part) => translatePart(t, "word", part) },
  folder: { translate: (t, part) => (part === ENGLISH[OUR_FOLDER] ? t(OUR_FOLDER) : part) },
  reason: { translate: translateReason },
  problem: { translate: translateRun },
};

const PATTERNS: Params = Object.fromEntries(
  Object.entries(KINDS).flatMap(([name, { pattern }]) =>
    pattern === undefined ? [] : [[name, pattern]],
  ),
);

type Area = "run" | "refusal" | "step" | "reason" | "word";

interface Template {
  readonly key: MessageKey;
  /** The share of its own words: the heavier of two templates that fit is the right one. */
  readonly weight: number;
  readonly match: (text: string) => Params | undefined;
}

const templates = new Map<Area, readonly Template[]>();

/** The weight of a template that doesn't begin with a name: it has its own words where others can have any. */
const OWN_START = 1000;

/** Compiles the templates of an area once. Those that say most in their own words come first. */
function templatesOf(area: Area): readonly Template[] {
  const known = templates.get(area);
  if (known !== undefined) return known;
  const made = Object.entries(ENGLISH).flatMap(([key, text]): Template[] => {
    if (!key.startsWith(`${area}.`) || typeof text !== "string") return [];
    const weight = text.replaceAll(/\{\w+\}/g, "").length + (text.startsWith("{") ? 0 : OWN_START);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the table
    return [{ key: key as MessageKey, weight, match: matcherOf(text, PATTERNS) }];
  });
  const sorted = made.toSorted((one, other) => other.weight - one.weight);
  templates.set(area, sorted);
  return sorted;
}

/** A text's key and params. */
export interface FoundText {
  readonly key: MessageKey;
  readonly params: Params;
}

/** Finds the template of a sentence, or of a part of one; undefined for an unknown text. */
function find(area: Area, text: string): FoundText | undefined {
  for (const { key, match } of templatesOf(area)) {
    const params = match(text);
    const isKnown = ([name, part]: readonly [string, string]) =>
      KINDS[name]?.isKnown?.(part) ?? true;
    if (params !== undefined && Object.entries(params).every(isKnown)) return { key, params };
  }
  return undefined;
}

/** Finds the template of one sentence of a run, or of a refusal; undefined for an unknown one. */
export function findRunSentence(sentence: string): FoundText | undefined {
  return find("run", sentence) ?? find("refusal", sentence);
}

/**
 * Splits a text of a run into its sentences: the last ones may be those that follow others. Undefined if one of them is
 * unknown.
 */
export function findRunSentences(text: string): readonly FoundText[] | undefined {
  for (let at = text.lastIndexOf(". "); at > 0; at = text.lastIndexOf(". ", at - 1)) {
    const last = find("run", text.slice(at + 2));
    if (last === undefined || !FOLLOWING_SENTENCES.has(last.key.slice("run.".length))) continue;
    const before = findRunSentences(text.slice(0, at + 1));
    if (before !== undefined) return [...before, last];
  }
  const whole = findRunSentence(text);
  return whole && [whole];
}

/** Translates a note or an error of a run into the page's language; an unknown text stays as it is. */
export function translateRun(t: Translate, text: string): string {
  const found = findRunSentences(text);
  return found === undefined ? text : found.map((one) => fill(t, one)).join(" ");
}

function fill(t: Translate, { key, params }: FoundText): string {
  const translated = Object.entries(params).map(([name, part]) => [
    name,
    KINDS[name]?.translate?.(t, part) ?? part,
  ]);
  return translateLoosely(t, key, Object.fromEntries(translated));
}

function translatePart(t: Translate, area: Area, part: string): string {
  const found = find(area, part);
  return found === undefined ? part : fill(t, found);
}

/** Translates each member of a list. A name with a comma is more than one, and stays as it is. */
function translateList(t: Translate, area: Area, list: string): string {
  return list
    .split(", ")
    .map((part) => translatePart(t, area, part))
    .join(t("word.comma"));
}

/** Translates what follows a colon: a reason, or a whole sentence without its period. */
function translateReason(t: Translate, reason: string): string {
  const part = translatePart(t, "reason", reason);
  if (part !== reason) return part;
  const sentence = translateRun(t, `${reason}.`);
  return sentence === `${reason}.` ? reason : sentence.replace(/[.。]$/, "");
}
