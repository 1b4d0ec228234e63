import { basename } from "node:path";
import type { Plugin } from "esbuild";
import { ELEMENT_TEXTS, keyOf } from "../../client/element/texts.ts";
import { CLIENT_SENTENCES } from "../../client/send/words/explain.ts";
import type { MessageKey } from "../../core/messages/en/english.ts";
import { LANGUAGES, type Language } from "../../core/messages/languages.ts";
import { TABLES } from "../../core/messages/tables.ts";

/** Name of each language's table; its file has the same name in lower case. */
export const TABLE_NAMES: Readonly<Record<Language, string>> = {
  en: "ENGLISH",
  de: "GERMAN",
  es: "SPANISH",
  fr: "FRENCH",
  ja: "JAPANESE",
};

/** Texts of the element that an app can't replace. */
const OTHER_TEXTS = [
  "format.bytes",
  "format.kilobytes",
  "format.megabytes",
  "format.gigabytes",
  "format.seconds",
  "format.status-imported",
  "format.status-skipped",
  "format.status-failed",
  "format.all-imported",
  "format.some-imported",
  "format.none-imported",
  "page.checking",
  "page.incomplete",
  "page.dismissed",
  "page.notFollowed",
  "page.notSelected",
  "page.notWanted",
  "page.packageTaken",
  "page.packageImported",
  ...CLIENT_SENTENCES,
  "page.beatsRange",
  "page.gainRange",
  "page.notAdded",
  "page.packageGone",
  "page.pairingEnded",
  "page.sendingTo",
  "page.unreadable",
  "page.wasDismissed",
  "page.wasWithdrawn",
  "page.askPack",
  "page.tooMuch",
  "page.as16",
  "page.scenes",
  "page.clipped",
  "page.part",
  "page.partsLeft",
  "clips.count",
  "page.microphoneInsecure",
  "page.microphoneRefused",
  "page.microphoneMissing",
  "page.microphoneBusy",
] as const satisfies readonly MessageKey[];

const SHOWN: ReadonlySet<string> = new Set([...ELEMENT_TEXTS.map(keyOf), ...OTHER_TEXTS]);

/** True if the element shows this text. */
export function isOfElement(key: string): boolean {
  return SHOWN.has(key);
}

/** True if `client/audio` has this text: it gives English reasons for a guess, and notes on repairs. */
export function isOfAudio(key: MessageKey, language: Language): boolean {
  return language === "en" && /^(?:guess|repair)\./.test(key);
}

/** Texts that the element shows only once there is a sound: in English they load with the part that handles sounds. */
const WITH_SOUNDS = [
  "page.kind",
  "clips.loop",
  "clips.one-shot",
  "clips.undecided-short",
  "clips.play",
  "clips.stop",
  "page.askKind",
  "page.askPack",
  "page.tooMuch",
  "page.as16",
  "page.scenes",
  "page.clipped",
  "clips.count",
  "page.stopRecording",
  "page.stopRecordingAt",
  "recording.in_time",
  "recording.as_recorded",
  "page.asRecorded",
  "page.inTimeAt",
  "page.separate",
  "page.tempoRange",
  "page.beatsRange",
  "page.gainRange",
  "page.sceneTitle",
  "send.bpm",
  "send.removeSound",
  "page.added",
  "page.notAdded",
  "page.oneTooMany",
  "page.noRoom",
  "page.unreadable",
  "page.recordingStarted",
  "page.recordingName",
  "page.recordingGap",
  "page.microphoneInsecure",
  "page.microphoneRefused",
  "page.microphoneMissing",
  "page.microphoneBusy",
] as const satisfies readonly MessageKey[];

function isWithSounds(key: MessageKey): boolean {
  return WITH_SOUNDS.some((one) => one === key);
}

/** True if the element's own file has this text. */
export function isOfElementFile(key: MessageKey): boolean {
  return isOfElement(key) && !isWithSounds(key);
}

/** True if the element's part for sounds has this text: it shows it, knows a sentence by it, or gives a reason. */
export function isOfSounds(key: MessageKey, language: Language): boolean {
  const isKnown = isOfAudio(key, language) || CLIENT_SENTENCES.some((one) => one === key);
  return isKnown || isWithSounds(key);
}

/** True if any entry of the client has this text. */
export function isShown(key: MessageKey, language: Language): boolean {
  return isOfElement(key) || isOfAudio(key, language);
}

/**
 * Keeps only some texts of each language: a bundler can't know which keys a script uses.
 * @param isUsed chooses the texts that are kept
 */
export function onlyMessages(isUsed: (key: MessageKey, language: Language) => boolean): Plugin {
  return {
    name: "only used messages",
    setup: (bundler) => {
      const files = Object.values(TABLE_NAMES).join("|").toLowerCase();
      const filter = new RegExp(`[\\\\/]messages[\\\\/]\\w+[\\\\/](?:${files})\\.ts$`);
      bundler.onLoad({ filter }, ({ path }) => {
        const name = basename(path, ".ts").toUpperCase();
        const language = LANGUAGES.find((one) => TABLE_NAMES[one] === name) ?? "en";
        const used = Object.entries(TABLES[language]).filter(([key]) =>
          // The entries of a table have its keys.
          isUsed(key as MessageKey, language),
        );
        return { contents: `export const ${name} = ${JSON.stringify(Object.fromEntries(used))};` };
      });
    },
  };
}
