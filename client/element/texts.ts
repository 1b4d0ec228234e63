import { ENGLISH, type MessageKey, type Messages } from "../../core/messages/en/english.ts";
import type { Language } from "../../core/messages/languages.ts";
import { type Translate, translateWith } from "../../core/messages/translate.ts";

/** Names of the texts that an app can replace. */
export const ELEMENT_TEXTS = [
  "label",
  "pairingCode",
  "pair",
  "whereIsCode",
  "receiveInstead",
  "codeWrong",
  "codeUnknown",
  "allowInPanel",
  "otherRelay",
  "paired",
  "sendsTo",
  "computers",
  "pairAnother",
  "unpair",
  "unpairNow",
  "unpaired",
  "endedElsewhere",
  "keep",
  "cancel",
  "sounds",
  "chooseFiles",
  "drop",
  "reading",
  "added",
  "oneTooMany",
  "noRoom",
  "record",
  "stopRecording",
  "stopRecordingAt",
  "recordingStarted",
  "recordingName",
  "recordingGap",
  "level",
  "sceneTitle",
  "kind",
  "loop",
  "oneShot",
  "undecided",
  "askKind",
  "stemsInTime",
  "stemsAsRecorded",
  "asRecorded",
  "inTimeAt",
  "separate",
  "bpm",
  "tempoRange",
  "play",
  "stop",
  "removeSound",
  "sendTo",
  "starting",
  "preparing",
  "sending",
  "finishing",
  "paused",
  "cancelled",
  "interrupted",
  "resume",
  "discard",
  "wasSent",
  "waiting",
  "whereToImport",
  "withdraw",
  "withdrawn",
  "expired",
  "sendAgain",
  "outcome",
  "sendMore",
] as const;

type TextName = (typeof ELEMENT_TEXTS)[number];

/** An app's own texts, with the same `{placeholders}`. Omitted ones keep the element's text. */
export type ElementTexts = Partial<Record<TextName, string>>;

/** Messages whose keys don't end in the name of the text. */
const KEYS = new Map<string, MessageKey>([
  ["loop", "clips.loop"],
  ["oneShot", "clips.one-shot"],
  ["undecided", "clips.undecided-short"],
  ["stemsInTime", "recording.in_time"],
  ["stemsAsRecorded", "recording.as_recorded"],
  ["play", "clips.play"],
  ["stop", "clips.stop"],
  ["withdraw", "page.withdrawNow"],
  ["sendMore", "send.more"],
]);

/** Returns the message of a text that an app can replace. */
export function keyOf(name: string): string {
  return KEYS.get(name) ?? (Object.hasOwn(ENGLISH, `page.${name}`) ? "page." : "send.") + name;
}

/**
 * Returns the element's texts in one language.
 * @param own texts that replace those of the table
 */
export function textsOf(language: Language, table: Messages, own: ElementTexts): Translate {
  const replaced = Object.entries(own).map(([name, text]) => [keyOf(name), text]);
  return translateWith(language, { ...table, ...Object.fromEntries(replaced) });
}

/** Loaders of the languages' tables; only English comes with the element. */
const LOAD: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => ENGLISH,
  de: async () => (await import("../../core/messages/de/german.ts")).GERMAN,
  es: async () => (await import("../../core/messages/es/spanish.ts")).SPANISH,
  fr: async () => (await import("../../core/messages/fr/french.ts")).FRENCH,
  ja: async () => (await import("../../core/messages/ja/japanese.ts")).JAPANESE,
};

/** Loads the texts of a language, or the English ones if that fails. */
export async function loadLanguage(language: Language): Promise<Messages> {
  return LOAD[language]().catch(() => ENGLISH);
}
