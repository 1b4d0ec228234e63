import { ENGLISH, type MessageKey, type Messages } from "../../core/messages/en/english.ts";
import type { Language } from "../../core/messages/languages.ts";
import { type Translate, translateWith } from "../../core/messages/translate.ts";

/** Texts that an app can replace, by the name that the app uses. */
export const ELEMENT_TEXTS = {
  label: "send.label",
  pairingCode: "page.pairingCode",
  pair: "page.pair",
  whereIsCode: "page.whereIsCode",
  codeWrong: "page.codeWrong",
  codeUnknown: "page.codeUnknown",
  allowInPanel: "page.allowInPanel",
  otherRelay: "send.otherRelay",
  paired: "page.paired",
  sendsTo: "page.sendsTo",
  computers: "page.computers",
  pairAnother: "page.pairAnother",
  unpair: "page.unpair",
  unpairNow: "page.unpairNow",
  unpaired: "page.unpaired",
  endedElsewhere: "page.endedElsewhere",
  keep: "page.keep",
  cancel: "page.cancel",
  sounds: "page.sounds",
  chooseFiles: "page.chooseFiles",
  drop: "send.drop",
  reading: "page.reading",
  added: "page.added",
  oneTooMany: "page.oneTooMany",
  noRoom: "page.noRoom",
  record: "page.record",
  stopRecording: "page.stopRecording",
  stopRecordingAt: "page.stopRecordingAt",
  recordingStarted: "page.recordingStarted",
  recordingName: "page.recordingName",
  recordingGap: "page.recordingGap",
  level: "page.level",
  sceneTitle: "page.sceneTitle",
  kind: "page.kind",
  loop: "clips.loop",
  oneShot: "clips.one-shot",
  undecided: "clips.undecided-short",
  askKind: "page.askKind",
  bpm: "send.bpm",
  tempoRange: "page.tempoRange",
  play: "clips.play",
  stop: "clips.stop",
  removeSound: "send.removeSound",
  sendTo: "page.sendTo",
  starting: "page.starting",
  preparing: "page.preparing",
  sending: "page.sending",
  finishing: "page.finishing",
  paused: "send.paused",
  cancelled: "page.cancelled",
  interrupted: "send.interrupted",
  resume: "send.resume",
  discard: "send.discard",
  wasSent: "page.wasSent",
  waiting: "page.waiting",
  whereToImport: "page.whereToImport",
  withdraw: "page.withdrawNow",
  withdrawn: "page.withdrawn",
  expired: "page.expired",
  sendAgain: "page.sendAgain",
  outcome: "page.outcome",
  sendMore: "send.more",
} as const satisfies Readonly<Record<string, MessageKey>>;

/** An app's own texts, with the same `{placeholders}`. Omitted ones keep the element's text. */
export type ElementTexts = Partial<Record<keyof typeof ELEMENT_TEXTS, string>>;

/**
 * Returns the element's texts in one language.
 * @param own texts that replace those of the table
 */
export function textsOf(language: Language, table: Messages, own: ElementTexts): Translate {
  const texts = new Map<string, string>(Object.entries(own));
  const replaced = Object.entries(ELEMENT_TEXTS).flatMap(([name, key]) => {
    const text = texts.get(name);
    return text === undefined ? [] : [[key, text] as const];
  });
  const messages: Messages = { ...table, ...Object.fromEntries(replaced) };
  return translateWith(language, messages);
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
